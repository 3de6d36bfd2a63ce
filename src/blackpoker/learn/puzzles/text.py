"""Texts about a puzzle: hints of increasing detail, and the solution in sentences."""

from __future__ import annotations

from functools import cache
from typing import Final, NamedTuple

from blackpoker import Player
from blackpoker.game.game import Game
from blackpoker.learn.puzzles.maker import essence
from blackpoker.learn.puzzles.model import Puzzle, by_id, solves
from blackpoker.notation.display import display
from blackpoker.ruleset import Edition, edition_named
from blackpoker.text.resources import Bilingual, Lang, text_of

PAYING: Final = "what to pay with"
#: reason for the answer, by task: Japanese and English
REASONS: Final[dict[str, tuple[tuple[str, str], ...]]] = {
    "win": (
        ("相手がどう対応しても、このターンに勝ちます。", "Whatever they answer, you win this turn."),
        ("このアクションを使わずに勝つ手はありません。", "Without this action there is no win."),
    ),
    "survive": (
        ("相手がどう続けても、このターンは負けません。", "Whatever they do next, you do not lose this turn."),
        ("ほかの手では、相手の勝ちが決まります。", "With anything else they have a forced win."),
    ),
    "best": (
        (
            "この局面から1,000ゲーム続けたところ、ほかのどの選択より勝率が{0}ポイント以上高くなりました。",
            "Played on a thousand times, it wins at least {0} games in 100 more than any other choice.",
        ),
    ),
}


#: question of a puzzle, by task; for some themes, by theme
TITLES: Final[dict[str, Bilingual]] = {
    "win": Bilingual("このターンで勝ってください", "Win this turn"),
    "survive": Bilingual("このターンを生き残ってください", "Survive this turn"),
    "best": Bilingual("いちばんよい手を選んでください", "Find the best answer"),
    "stay alive": Bilingual("負けない手を選んでください", "Stay alive"),
    PAYING: Bilingual("何で払うかを選んでください", "Choose what to pay with"),
    "what to fetch": Bilingual("どのカードを選びますか", "Which card do you choose?"),
}


class Collection(NamedTuple):
    """Puzzles of one kind, meant to be solved in sequence."""

    id: str
    name: Bilingual
    about: Bilingual
    themes: tuple[str, ...]


COLLECTIONS: Final = (
    Collection(
        "finish",
        Bilingual("とどめ", "The last blow"),
        Bilingual("このターンで勝つ", "Win this turn"),
        ("win", "lethal this turn"),
    ),
    Collection(
        "hold",
        Bilingual("しのぐ", "Hold out"),
        Bilingual("このターンを生き残る", "Survive this turn"),
        ("survive", "stay alive", "the second card"),
    ),
    Collection(
        "pay",
        Bilingual("何で払う", "What to pay with"),
        Bilingual("損をしない払い方", "Lose nothing you need"),
        (PAYING,),
    ),
    Collection(
        "counter",
        Bilingual("いまカウンター", "Counter now"),
        Bilingual("カウンターの使いどころ", "When to counter"),
        ("counter now",),
    ),
    Collection("trumps", Bilingual("切札", "Trumps"), Bilingual("エクストラ", "Extra"), ("trumps", "revolution")),
    Collection(
        "fetch",
        Bilingual("何を取る", "What to fetch"),
        Bilingual("ライフや墓地から選ぶ", "From life or grave"),
        ("what to fetch",),
    ),
)


def collection_of(puzzle: Puzzle) -> str:
    return next(one.id for one in COLLECTIONS if puzzle.theme in one.themes)


def title(puzzle: Puzzle, lang: Lang) -> str:
    """Return the question."""
    named = TITLES.get(puzzle.theme) if puzzle.task == "best" else None
    return (named or TITLES[puzzle.task]).in_lang(lang)


@cache
def best_of(puzzle_id: str) -> str:
    """Return the answer as a move; for a pattern of a hand-made puzzle, a legal move that matches it."""
    puzzle = by_id()[puzzle_id]
    best = puzzle.best[0]
    if "*" not in best:
        return best
    prefix = " ".join(puzzle.prefix)
    moves = (move.text for move in puzzle.start().legal_moves)
    return next(text for text in moves if text.startswith(prefix) and solves(puzzle, text))


def hints(puzzle: Puzzle, lang: Lang) -> list[str]:
    which = 0 if lang == "ja" else 1
    words = best_of(puzzle.id).split()
    if words[0].endswith(":"):
        attacker = display_name(words[0].rstrip(":"), lang)
        return [
            ("だれで、どのアタッカーをブロックするかを考えます。", "It is about who blocks which attacker.")[which],
            (f"{attacker}をブロックします。", f"Block {attacker}.")[which],
        ]
    actions = {action.id: action for action in puzzle.start().regulation.edition.actions}
    if words[0] not in actions:
        return [("効果の中の選択です。", "It is a choice inside an effect.")[which]]
    action = actions[words[0]]
    kind, name = (action.kind.ja, action.ja) if lang == "ja" else (action.kind.en, action.en)
    out = [(f"鍵になるのは{kind}です。", f"The key is an action of the type {kind}.")[which]]
    out.append((f"「{name}」を使います。", f"Use {name}.")[which])
    keys = [word for word in words[1:] if not word.startswith((">", "@", "$", "^")) and "*" not in word]
    if keys:
        cards = join_names(keys, lang)
        out.append((f"キーカードは{cards}です。", f"Its key is {cards}.")[which])
    return out


def solution_text(puzzle: Puzzle, lang: Lang) -> list[str]:
    """Return the solution in sentences: the line, and the reason that nothing else works."""
    return line_sentences(puzzle, lang) + reasons(puzzle, lang)


def line_sentences(puzzle: Puzzle, lang: Lang) -> list[str]:
    """Return the line of the answer in sentences."""
    which = 0 if lang == "ja" else 1
    out: list[str] = []
    game = puzzle.start()
    turn = game.turn_number
    for step in puzzle.line or (f"{game.player}: {best_of(puzzle.id)}",):
        _, _, words = step.partition(": ")
        if words != "pass" and game.turn_number == turn:
            mine = game.player == Player.P1
            actor = (("あなた", "相手"), ("You", "They"))[which][0 if mine else 1]
            text = move_text(game, words, lang) + (payment_text(words, lang) if puzzle.theme == PAYING else "")
            out.append(f"{actor}：{text}" if lang == "ja" else f"{actor}: {text}")
        if puzzle.line:
            game.push_text(words)
    return out


def reasons(puzzle: Puzzle, lang: Lang) -> list[str]:
    """Return the reasons that no other move works."""
    return [pair[0 if lang == "ja" else 1].format(round(100 * puzzle.margin)) for pair in REASONS[puzzle.task]]


class UsedAction(NamedTuple):
    """An action of the solution for display: its keys, and its rulebook text."""

    action: str
    cards: list[str]
    name: str
    text: str


def solution_actions(puzzle: Puzzle, lang: Lang) -> list[UsedAction]:
    """Return the actions that the player uses in the line, without the standard steps of every turn."""
    actions = {action.id: action for action in puzzle.start().regulation.edition.actions}
    out: list[UsedAction] = []
    for step in puzzle.line or (f"p1: {best_of(puzzle.id)}",):
        seat, _, text = step.partition(": ")
        words = text.split()
        action = actions.get(words[0])
        if seat != "p1" or action is None or action.step or any(one.action == action.id for one in out):
            continue
        cards = [word for word in words[1:] if word[0] not in "$^>@#*" and word not in ("main", "quick")]
        effect = "".join if lang == "ja" else " ".join
        out.append(
            UsedAction(
                action.id, cards, text_of(action, lang), effect(text_of(clause, lang) for clause in action.effect)
            )
        )
    return out


def move_text(game: Game, text: str, lang: Lang) -> str:
    """Return a move in natural language, without notation signs."""
    ja = lang == "ja"
    words = essence(text).split()
    kind = game.decision.kind if game.decision is not None else ""
    if kind == "blockers":
        if words == ["done"]:
            return "ブロックしない" if ja else "no block"
        return ("、" if ja else ", ").join(
            block_text(part, lang) for part in essence(text).removesuffix(" done").split("; ")
        )
    if kind == "attackers":
        cards = join_names([word for word in words if word != "done"], lang)
        if not cards:
            return "アタックしない" if ja else "no attack"
        return f"{cards}でアタックする" if ja else f"attack with {cards}"
    if kind != "chance":
        chosen = join_names([word for word in words if word != "done"], lang)
        return (f"{chosen}を選ぶ" if ja else f"choose {chosen}") if chosen else ("選ばない" if ja else "choose nothing")
    return action_text(words, lang, game.regulation.edition)


def action_text(words: list[str], lang: Lang, edition: Edition) -> str:
    """Return an action with its keys, the unit driven for it, and its target."""
    ja = lang == "ja"
    action = next((one for one in edition.actions if one.id == words[0]), None)
    name = words[0] if action is None else action.ja if ja else action.en
    keys = join_names([word for word in words[1:] if word[0] not in "$^>@" and word not in ("main", "quick")], lang)
    target = next((display_name(word[1:], lang) for word in words if word.startswith(">")), "")
    by = next((display_name(word[1:], lang) for word in words if word.startswith("@")), "")
    if ja:
        driven = f"{by}をドライブして" if by else ""
        return f"{driven}「{name}」" + (f"（{keys}）" if keys else "") + (f"を{target}に" if target else "")
    return name + (f" ({keys})" if keys else "") + (f" by {by}" if by else "") + (f" on {target}" if target else "")


def payment_text(text: str, lang: Lang) -> str:
    """Return the payment of a request, for puzzles about payment."""
    cards = join_names([word[1:] for word in text.split() if word.startswith("$")], lang)
    return (f"、コストは{cards}" if lang == "ja" else f", paid with {cards}") if cards else ""


def block_text(part: str, lang: Lang) -> str:
    attacker, _, blockers = part.partition(":")
    names = join_names(blockers.split(), lang)
    return (
        f"{display_name(attacker, lang)}を{names}でブロックする"
        if lang == "ja"
        else f"block {display_name(attacker, lang)} with {names}"
    )


def join_names(words: list[str], lang: Lang) -> str:
    return ("と" if lang == "ja" else " and ").join(display_name(word, lang) for word in words)


def display_name(word: str, lang: Lang) -> str:
    """Return the name of a card, unit, request or player: ``p2.b1`` is the opponent's first bulwark."""
    ja = lang == "ja"
    seat, dot, rest = word.partition(".")
    if word in ("p1", "p2"):
        return ("自分" if ja else "yourself") if word == "p1" else ("相手" if ja else "them")
    if dot and seat in ("p1", "p2"):
        owner = ("相手の" if ja else "their ") if seat == "p2" else ("自分の" if ja else "your ")
        return owner + display_name(rest, lang)
    if word.startswith("#"):
        return "ステージのアクション" if ja else "the action on the stage"
    for letter, ja_name, en_name in (("b", "防壁", "bulwark"), ("t", "切札", "trump")):
        if word[:1] == letter and word[1:].isdigit():
            return f"{ja_name}{word[1:]}" if ja else f"{en_name} {word[1:]}"
    return "Joker" if word in ("JK", "JK2") else display(word, lang, edition_named())  # a card, in every edition
