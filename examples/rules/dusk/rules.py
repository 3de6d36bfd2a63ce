"""A new trump: while it is open, your End triggers Revolution Draw."""

from blackpoker.define import Ability, Trump, base

DUSK = Trump(
    "♢2", "dusk", "夕暮れ", "Dusk", on="end", raises="revolution_draw",
    abilities=(Ability("自分がエンドアクションを起こしたとき、革命ドローを誘発する。", "When you request End, Revolution Draw is triggered."),),
)  # fmt: skip

edition = base.add(DUSK)
