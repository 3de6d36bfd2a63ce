"""The balance report of edition 9: results of two experiments of the lab as one file, and the pages made from it.

python docs/balance/edition9.py results edition9.lab edition9-trumps.lab [FOLDER]   writes edition9.json
python docs/balance/edition9.py pages [FOLDER]                                      writes edition9.md, edition9.ja.md
"""

from __future__ import annotations

import json
import re
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations
from pathlib import Path
from typing import Any, Final

from scipy import stats

from blackpoker.definitions.model import QUICK, RARE_GROUP, Action, Character
from blackpoker.engine.cards import CARDS, JOKERS, NAMES, parse_card_range
from blackpoker.lab import Store
from blackpoker.lab.statistics import SHARE, significant
from blackpoker.ruleset import edition_named

HERE: Final = Path(__file__).parent
EDITION: Final = edition_named("9")
#: uses of one action by one player in one game from which on it counts as a loop
LOOP: Final = 20
#: an action that does nothing once the rare card is gone, and is used to wait
WAIT: Final = "rare_draw"
SUITS: Final = str.maketrans("SHDC", "♠♡♢♣")
#: pairs listed on the page from each end
LISTED: Final = 5
#: trumps listed that the players chose most
CHOSEN: Final = 6
#: what is read of each game
COLUMNS: Final = ("first", "winner", "turns", "actions", "trumps")


# -- results -----------------------------------------------------------------------------------------------------------


def results(survey: Path, trumps: Path) -> dict[str, Any]:
    """Return the figures of both experiments."""
    with Store(survey) as store:
        about = store.about
        arms = [arm["regulation"] for arm in store.arms]
        edition = store.arms[0]["edition"]
        games: list[list[tuple[Any, ...]]] = [[] for _ in arms]
        for row in store.rows(("arm", *COLUMNS)):
            games[row[0]].append(row[1:])
    with Store(trumps) as store:
        held, pairs, against, total = trump_counts(store)
        trump_rows = list(store.rows(COLUMNS))
        seed = int(store.about["seed"])
    return {
        "edition": edition,
        "blackpoker": about["blackpoker"],
        "begun": about["begun"][:10],
        "player": "master",
        "seeds": [int(about["seed"]), seed],
        "regulations": [{"id": id, **figures(rows)} for id, rows in zip(arms, games, strict=True)],
        "trumps": {"games": total, **figures(trump_rows), "held": held, "pairs": pairs, "against": against},
    }


def figures(rows: Sequence[tuple[Any, ...]]) -> dict[str, Any]:
    """Return the counts of an arm: games, wins of the first player, games without a winner, the end in turn one,
    loops by action, and the trumps chosen most."""
    loops: Counter[str] = Counter()
    waiting = 0
    for _, _, _, text, _ in rows:
        often = [
            {id for id, times in used.items() if times >= LOOP and not EDITION.find(id, "actions").step}
            for used in json.loads(text)
        ]
        waiting += any(WAIT in ids for ids in often)
        loops.update(id for ids in often for id in ids - {WAIT})
    decided = [row[:3] for row in rows if row[0] >= 0 and row[1] in (0, 1)]
    return {
        "games": len(rows),
        "decided": len(decided),
        "first": sum(first == winner for first, winner, _ in decided),
        "none": sum(winner not in (0, 1) for _, winner, *_ in rows),
        "turns": round(sum(row[2] for row in rows) / max(1, len(rows)), 2),
        "longest": max((row[2] for row in rows), default=0),
        "turn_one": sum(turns == 1 for *_, turns in decided),
        "turn_one_first": sum(turns == 1 and first == winner for first, winner, turns in decided),
        "loops": dict(sorted(loops.items())),
        "waiting": waiting,
        "chosen": dict(
            Counter(card for row in rows for side in json.loads(row[4]) for card in side).most_common(CHOSEN)
        ),
    }


def trump_counts(store: Store) -> tuple[dict[str, list[int]], dict[str, list[int]], dict[str, list[int]], int]:
    """Return holders, wins and openings of each trump; players and wins of each pair in one hand; meetings of each pair
    and the wins of its first."""
    held: dict[str, list[int]] = {}
    pairs: dict[str, list[int]] = {}
    against: dict[str, list[int]] = {}
    total = 0
    for winner, text in store.rows(("winner", "trumps")):
        total += 1
        sides = json.loads(text)
        for seat, side in enumerate(sides):
            won = int(winner == seat)
            for card, times in side.items():
                add(held, card, won, int(times > 0))
            add(pairs, " ".join(sorted(side)), won)
        for mine in sides[0]:
            for other in sides[1]:
                if mine != other:
                    one, two = sorted((mine, other))
                    add(against, f"{one} {two}", int(winner == (0 if one == mine else 1)))
    return dict(sorted(held.items())), dict(sorted(pairs.items())), dict(sorted(against.items())), total


def add(counts: dict[str, list[int]], name: str, *values: int) -> None:
    found = counts.setdefault(name, [0] * (1 + len(values)))
    for place, value in enumerate((1, *values)):
        found[place] += value


# -- the authors' guideline --------------------------------------------------------------------------------------------


def quick_without_keys() -> list[Action]:
    """Return the actions that stay on the stage at quick timing and have no key card."""
    return [action for action in EDITION.actions if not action.immediate and action.timing is QUICK and not action.key]


def slow_triggers() -> list[Action]:
    """Return the triggered actions that are not immediate and quick, without the steps of a turn."""
    return [
        action
        for action in EDITION.actions
        if not action.direct and not action.step and not (action.immediate and action.timing is QUICK)
    ]


def colliding_triggers() -> list[Action]:
    """Return the triggered normal main actions that wait for the same event as another one."""
    waiting = [
        action
        for action in EDITION.actions
        if not action.direct and not action.immediate and action.timing is not QUICK and action.trigger is not None
    ]
    events = Counter(repr(action.trigger) for action in waiting)
    return [action for action in waiting if events[repr(action.trigger)] > 1]


def ambiguous_cards() -> list[str]:
    """Return the cards that make two characters of the edition at once, face up: single cards, and pairs."""
    sets = [(card,) for card in range(CARDS)] + list(combinations(range(CARDS), 2))
    return [
        " ".join(NAMES[card] for card in cards)
        for cards in sets
        if sum(makes(character, cards) for character in EDITION.characters) > 1
    ]


def makes(character: Character, cards: tuple[int, ...]) -> bool:
    """Return whether these face-up cards are the character, by its definition (N-105)."""
    if character.bulwark:
        return False
    if character.pair:
        one, two = (parse_card_range(text) for text in character.pair)
        first, *rest = (1 << card for card in cards)
        return len(rest) == 1 and bool((first & one and rest[0] & two) or (first & two and rest[0] & one))
    if character.made_by:
        return len(cards) == 1 and bool(parse_card_range(character.made_by) >> cards[0] & 1)
    return len(cards) > 1 and len({NAMES[card][0] for card in cards}) == 1 and not 1 << cards[0] & JOKERS


# -- pages -------------------------------------------------------------------------------------------------------------

Texts = dict[str, str]
TEXTS: Final[dict[str, Texts]] = {
    "en": {
        "head": """# Balance of edition 9

[日本語](edition9.ja.md) · made by [edition9.py](edition9.py) from [edition9.json](edition9.json), which has all
figures; not written by hand. Unofficial: a fan-made measurement for the authors of the game.

Edition `{edition}`, blackpoker {version}, {begun}. Both players are the level **Master** (40 to 160 playouts a
decision, the net of edition 9), the strongest one whose games were enough in an hour of one busy core. {games:,} games
of the nine recommended regulations (N-122), and {trumps:,} more of `9:master+extra` with two random trumps each.
Intervals are Wilson's, 95 %. They cover chance, not the habits of this player: God or people may see other figures.

```sh
blackpoker lab run docs/balance/edition9.toml --deals {deals} --jobs 1 --output edition9.lab
blackpoker lab run docs/balance/edition9-trumps.toml --deals {trumps} --jobs 1 --output edition9-trumps.lab
python docs/balance/edition9.py results edition9.lab edition9-trumps.lab
python docs/balance/edition9.py pages
```

Both runs show their progress and may be stopped; the same command continues.
""",
        "first": "## The first player",
        "first_head": "| regulation | games | first player wins | turns | ended in turn one | loops | longest |",
        "first_note": """*Ended in turn one*: before the second player's first turn; of these games the first player won
{share}. *Loops*: times one player used the same action {loop} times or more in a game, without the steps of
a turn and without Rare Draw. Games without a winner: {none} of {games:,}.
""",
        "loops": "Actions in these loops: {0}.",
        "no_loops": "There were no loops.",
        "rare_draw": """
**Rare Draw repeats without limit.** Its only condition is a life of nine or less (N-239): once the rare card is gone,
it may be requested again and again, costs nothing and does nothing. Master waits that way: in {share} of the
games with a rare card a player used it {loop} times or more. The rules have no end for a player who does nothing else.
""",
        "chosen": "Where the players choose their trumps, Master takes in {0}: {1}.\n",
        "trumps": "## Trumps",
        "trump_note": """Two random trumps each, {games:,} games; the player chooses which one is open first. ●:
differs from 50 % at a false discovery rate of one in twenty (Benjamini–Hochberg over the 30).
""",
        "trump_head": "| trump | held | turned up | its holder wins | |",
        "pairs": "## Pairs of trumps",
        "pair_note": """All {n} pairs are in the results file. About {each} players held each pair, so that an interval
is about ±{half} points; {far} pairs differ from 50 % after the correction for {n} comparisons. Best and worst:
""",
        "pair_head": "| pair in one hand | players | wins |",
        "against_note": "Trump against trump: {far} of {n} pairs differ from 50 % after the correction. The widest:\n",
        "against_head": "| trump | against | meetings | the first wins |",
        "rules": "## The authors' design rules",
        "rules_note": """The guideline for new actions and rules, a part of the authors' repository, has six rules.
Each is checked on all {0} actions and {1} characters of the edition:
""",
        "rules_head": "| rule | level | result |",
        "breaks": "**broken by** {0}",
        "holds": "holds",
        "required": "required",
        "recommended": "recommended",
        "one_target": "an action has one target",
        "one_target_result": "holds: {0} of {1} actions have a target, none has two",
        "quick_key": "an action that stays on the stage at quick timing names key cards",
        "triggered": "triggered actions are immediate and quick (steps of a turn excepted)",
        "turn_one": "no effect that surely wins on the first player's first turn",
        "turn_one_result": "none is sure; won on turn one: {0}",
        "collide": "triggered normal main actions never wait for the same event",
        "sight": "a character is recognised by its cards",
        "sight_result": "holds for all {0} single cards and pairs",
    },
    "ja": {
        "head": """# 第九版のバランス

[English](edition9.md)・すべての数値がある[edition9.json](edition9.json)から[edition9.py](edition9.py)が
作ったページです（手書きではありません）。非公式：ゲームの作者のための、ファンによる計測です。

版 `{edition}`、blackpoker {version}、{begun}。両者ともレベル**達人**（第九版のネットで
1回の選択に40〜160プレイアウト）。混んだ1コア・1時間で十分なゲーム数が取れる、いちばん強いレベルです。
推奨の9レギュレーション（N-122）で{games:,}ゲーム、
さらに`9:master+extra`で無作為な切札2枚ずつの{trumps:,}ゲーム。区間はウィルソンの95 %区間です。
区間が表すのは偶然の幅だけで、このプレイヤーの癖は含みません。「神」や人間では違う数値になるかもしれません。

```sh
blackpoker lab run docs/balance/edition9.toml --deals {deals} --jobs 1 --output edition9.lab
blackpoker lab run docs/balance/edition9-trumps.toml --deals {trumps} --jobs 1 --output edition9-trumps.lab
python docs/balance/edition9.py results edition9.lab edition9-trumps.lab
python docs/balance/edition9.py pages
```

どちらの実行も進み具合を表示します。途中で止めても、同じコマンドで続きから始まります。
""",
        "first": "## 先攻の勝率",
        "first_head": "| レギュレーション | ゲーム | 先攻の勝率 | ターン | 1ターン目で決着 | ループ | 最長 |",
        "first_note": """「1ターン目で決着」は、後攻の最初のターンの前に終わったゲームです。そのうち先攻の勝ちは
{share}。「ループ」は、1人が1ゲームに同じアクションを{loop}回以上使った回数です（ターンの流れとレアドローは除く）。
勝者のいないゲームは{games:,}のうち{none}。
""",
        "loops": "ループに現れたアクション：{0}。",
        "no_loops": "ループはありませんでした。",
        "rare_draw": """
**レアドローは何度でも起こせます。** 条件はライフ9枚以下だけです（N-239）。レアカードがなくなったあとも、
コストなしで何も起こらないまま繰り返せます。達人はこれを「待つ手」に使い、レアカードのあるゲームの{share}で、1人が{loop}回以上
使いました。ほかに何もしないプレイヤーを終わらせるルールはありません。
""",
        "chosen": "切札を自分で選ぶとき、達人が選んだもの（{0}）：{1}。\n",
        "trumps": "## 切札",
        "trump_note": """無作為な切札2枚ずつで{games:,}ゲーム。始めに表にする1枚はプレイヤーが選びます。●は
50 %と違うもの（30枚を同時に見るので、挙げたもののうち偶然は20に1つまで：Benjamini–Hochberg）。
""",
        "trump_head": "| 切札 | 使った人 | 表にした割合 | 使う側の勝率 | |",
        "pairs": "## 切札の組み合わせ",
        "pair_note": """{n}組すべての数値は結果のファイルにあります。1組を使った人は約{each}人、区間は約±{half}
ポイントです。{n}組を同時に見る補正のあとで50 %と違うのは{far}組でした。上位と下位：
""",
        "pair_head": "| 一緒に使った2枚 | 人 | 勝率 |",
        "against_note": "相手の切札との{n}組では、補正のあとで{far}組が50 %と違いました。差の大きいもの：\n",
        "against_head": "| 切札 | 相手の切札 | 対戦 | 前者の勝率 |",
        "rules": "## 作者の設計ルール",
        "rules_note": """作者のリポジトリには、アクションやルールを作るときのガイドラインがあります。その6つの決まりを、
この版の{0}アクションと{1}キャラクターのすべてで確かめました。
""",
        "rules_head": "| 決まり | 強さ | 結果 |",
        "breaks": "**守られていない**：{0}",
        "holds": "守られている",
        "required": "必須",
        "recommended": "推奨",
        "one_target": "アクションの対象は1つ",
        "one_target_result": "守られている：{1}アクションのうち{0}に対象があり、2つのものはない",
        "quick_key": "ステージに残るクイックのアクションはキーカードを指定する",
        "triggered": "誘発アクションは即時・クイック（ターンの流れを除く）",
        "turn_one": "先攻の1ターン目に確実に勝てる効果がない",
        "turn_one_result": "確実なものはない。1ターン目の勝ち：{0}",
        "collide": "誘発・通常・メインのアクションが同じできごとを待たない",
        "sight": "キャラクターはカードを見ればわかる",
        "sight_result": "守られている：1枚と2枚の{0}通りすべて",
    },
}


def shown(wins: int, n: int) -> str:
    if not n:
        return "–"
    found = stats.binomtest(wins, n).proportion_ci(SHARE, "wilson")
    return f"{100 * wins / n:.1f} % ({100 * found.low:.1f} – {100 * found.high:.1f})"


def far_from_half(counts: Sequence[Sequence[int]]) -> list[bool]:
    """Return which of these (games, wins) differ from one half."""
    return significant([float(stats.binomtest(wins, n).pvalue) for n, wins, *_ in counts])


def regulation_name(id: str, lang: str) -> str:
    format, frame = id.removeprefix("9:").split("+")
    names = [EDITION.find(format, "formats"), EDITION.find(frame, "frames")]
    return "＋".join(one.ja for one in names) if lang == "ja" else " + ".join(one.en for one in names)


def trump_name(card: str, lang: str) -> str:
    sign = card[0].translate(SUITS) + card[1:]
    names = {one.card: one.ja if lang == "ja" else one.en for one in EDITION.trumps}
    return f"{sign} {names.get(sign, '')}".strip()


def named(actions: Sequence[Action], lang: str) -> str:
    return "、".join(a.ja for a in actions) if lang == "ja" else ", ".join(a.en for a in actions)


def page(found: dict[str, Any], lang: str) -> str:
    t = TEXTS[lang]
    regulations, trumps = found["regulations"], found["trumps"]
    games = sum(one["games"] for one in regulations)
    lines = [
        t["head"].format(
            edition=found["edition"],
            version=found["blackpoker"],
            begun=found["begun"],
            games=games,
            deals=regulations[0]["games"],
            trumps=trumps["games"],
        ),
        *first_player(regulations, games, lang, t),
        *trump_part(trumps, lang, t),
        *rule_part(regulations, lang, t),
    ]
    return "\n".join(lines) + "\n"


def first_player(regulations: list[dict[str, Any]], games: int, lang: str, t: Texts) -> Iterator[str]:
    yield f"{t['first']}\n"
    yield t["first_head"]
    yield "|---|---|---|---|---|---|---|"
    loops: Counter[str] = Counter()
    for one in regulations:
        loops.update(one["loops"])
        cells = (
            regulation_name(one["id"], lang),
            f"{one['games']:,}",
            shown(one["first"], one["decided"]),
            f"{one['turns']:.1f}",
            shown(one["turn_one"], one["games"]),
            str(sum(one["loops"].values())),
            str(one["longest"]),
        )
        yield f"| {' | '.join(cells)} |"
    ended, won = (sum(one[name] for one in regulations) for name in ("turn_one", "turn_one_first"))
    none = sum(one["none"] for one in regulations)
    yield "\n" + t["first_note"].format(share=shown(won, ended), loop=LOOP, none=none, games=games)
    counted = ", ".join(
        f"{EDITION.find(id, 'actions').ja if lang == 'ja' else EDITION.find(id, 'actions').en} {n}"
        for id, n in loops.most_common()
    )
    yield t["loops"].format(counted) if counted else t["no_loops"]
    rare = [one for one in regulations if EDITION.find_frame(one["id"].split("+")[1]).brings.count(RARE_GROUP)]
    waiting, of = (sum(one[name] for one in rare) for name in ("waiting", "games"))
    yield t["rare_draw"].format(share=shown(waiting, of), loop=LOOP)
    for one in regulations:
        if one["chosen"]:
            most = ", ".join(
                f"{trump_name(card, lang)} {50 * n / one['games']:.0f} %" for card, n in one["chosen"].items()
            )
            yield t["chosen"].format(regulation_name(one["id"], lang), most)


def trump_part(trumps: dict[str, Any], lang: str, t: Texts) -> Iterator[str]:
    held = sorted(trumps["held"].items(), key=lambda entry: -entry[1][1] / entry[1][0])
    marks = far_from_half([counts for _, counts in held])
    yield f"{t['trumps']}\n\n{t['trump_note'].format(games=trumps['games'])}"
    yield t["trump_head"]
    yield "|---|---|---|---|---|"
    for (card, (n, wins, opened)), mark in zip(held, marks, strict=True):
        sign = "●" if mark else ""
        yield f"| {trump_name(card, lang)} | {n:,} | {100 * opened / n:.0f} % | {shown(wins, n)} | {sign} |"
    pairs = sorted(trumps["pairs"].items(), key=lambda entry: -entry[1][1] / entry[1][0])
    each = sum(n for _, (n, _) in pairs) / len(pairs)
    far = sum(far_from_half([counts for _, counts in pairs]))
    text = t["pair_note"].format(n=len(pairs), each=round(each), half=round(98 / each**0.5, 1), far=far)
    yield f"\n{t['pairs']}\n\n{text}"
    yield t["pair_head"]
    yield "|---|---|---|"
    for names, (n, wins) in [*pairs[:LISTED], *pairs[-LISTED:]]:
        yield f"| {' + '.join(trump_name(card, lang) for card in names.split())} | {n} | {shown(wins, n)} |"
    against = trumps["against"]
    turned = {" ".join(reversed(names.split())): [n, n - wins] for names, (n, wins) in against.items()}
    ranked = sorted({**against, **turned}.items(), key=lambda entry: -entry[1][1] / entry[1][0])
    far = sum(far_from_half(list(against.values())))
    yield "\n" + t["against_note"].format(n=len(against), far=far)
    yield t["against_head"]
    yield "|---|---|---|---|"
    for names, (n, wins) in ranked[:LISTED]:
        mine, other = (trump_name(card, lang) for card in names.split())
        yield f"| {mine} | {other} | {n} | {shown(wins, n)} |"


def rule_part(regulations: list[dict[str, Any]], lang: str, t: Texts) -> Iterator[str]:
    def result(actions: Sequence[Action]) -> str:
        return t["breaks"].format(named(actions, lang)) if actions else t["holds"]

    actions = EDITION.actions
    early = [one for one in regulations if one["turn_one_first"]]
    seen = ("、" if lang == "ja" else ", ").join(
        f"{regulation_name(one['id'], lang)} {100 * one['turn_one_first'] / one['games']:.1f} %" for one in early
    )
    double = ambiguous_cards()
    rows = [
        (
            "one_target",
            "required",
            t["one_target_result"].format(sum(a.target is not None for a in actions), len(actions)),
        ),
        ("quick_key", "required", result(quick_without_keys())),
        ("triggered", "recommended", result(slow_triggers())),
        ("turn_one", "required", t["turn_one_result"].format(seen) if seen else t["holds"]),
        ("collide", "required", result(colliding_triggers())),
        (
            "sight",
            "required",
            t["breaks"].format(", ".join(double)) if double else t["sight_result"].format(CARDS * (CARDS + 1) // 2),
        ),
    ]
    yield f"\n{t['rules']}\n\n{t['rules_note'].format(len(actions), len(EDITION.characters))}"
    yield t["rules_head"]
    yield "|---|---|---|"
    for name, level, text in rows:
        yield f"| {t[name]} | {t[level]} | {text} |"


def main(task: str, *files: str) -> None:
    if task == "results":
        folder = Path(files[2]) if len(files) > 2 else HERE
        found = results(Path(files[0]), Path(files[1]))
        text = json.dumps(found, ensure_ascii=False, indent=1)
        (folder / "edition9.json").write_text(compact(text) + "\n", encoding="utf-8")
    else:
        folder = Path(files[0]) if files else HERE
        found = json.loads((folder / "edition9.json").read_text(encoding="utf-8"))
        (folder / "edition9.md").write_text(page(found, "en"), encoding="utf-8")
        (folder / "edition9.ja.md").write_text(page(found, "ja"), encoding="utf-8")


def compact(text: str) -> str:
    """Return the JSON with each list of numbers on one line."""
    return re.sub(r"\[[\s\d,]+\]", lambda found: "[" + ", ".join(re.findall(r"\d+", found[0])) + "]", text)


if __name__ == "__main__":
    main(*sys.argv[1:])
