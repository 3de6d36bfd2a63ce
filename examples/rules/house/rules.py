"""House rules: cheaper heroes, one new action, a frame of 30 cards."""

from blackpoker.define import (
    A_SOLDIER, FIXED, LITE, QUICK, QUICK_MAGIC, Action, Bury, Clause, Frame, Key, base,
)  # fmt: skip

BOLT = Action(
    "bolt", "落雷", "Bolt", kind=QUICK_MAGIC, timing=QUICK, since=LITE,
    cost="B", key=Key("one", ("♣A-10",)), target=A_SOLDIER,
    effect=(Clause("対象を墓地に移す。", "The target goes to the grave.", (Bury(),)),),
)  # fmt: skip

HOUSE = Frame(
    "house30", "ハウス30", "House 30", FIXED, 1, "各スートのA〜6とJ、Joker2枚の30枚を使う。", "Aces to sixes, Jacks and both Jokers: 30 cards.",
    cards=" ".join(f"{suit}{number}" for suit in "SHDC" for number in "A23456J") + " JK JK2", exactly=30, most=30,
)  # fmt: skip

edition = base.change("summon_hero", cost="BL").add(BOLT, HOUSE)
