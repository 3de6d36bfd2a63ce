"""A text is refused or read literally: one token of a move is changed, and the move that is read must still contain it."""

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from blackpoker import BlackPokerError, Game, IllegalMove
from blackpoker.engine.cards import NAMES, parse_card
from blackpoker.notation.display import display
from blackpoker.ruleset import standard_edition
from blackpoker.scenario.scenario import read_scenario, start_variant

SCENARIOS = Path(__file__).parents[1] / "scenarios"
FORMATS = ("lite+full", "standard+full", "pro+full", "master+random40+pack", "extra+full+preset4")
#: questions answered with cards, not units
OF_CARDS = ("card", "discard", "trumps", "order")
PLACES = (
    "b1",
    "b2",
    "b3",
    "b9",
    "t1",
    "t2",
    "t3",
    "#1",
    "#2",
    "p1",
    "p2",
    "yes",
    "no",
    "done",
    "one",
    "top",
    "charged",
)
ACTIONS = {action.id: action for action in standard_edition().actions}

TRUMPS = """
format = "extra"
turn = "{turn}"
[p1]
hand = "H2 D3 D10 C9 C8 H9 D9 H7 D7 S7 C7 H5 D5"
field = "S9 SA S2 S3"
bulwarks = "D2 D6"
trumps = "T:H4 t:SJ"
[p2]
hand = "C3 C4 D9 H9 S9 D8 H8 C8"
field = "SA S2 S3+S10"
bulwarks = "D5"
trumps = "T:HQ t:H10 t:H3"
"""


def split(word: str) -> tuple[str, str, str]:
    """Return mark, side and name of a token, without the separators of a list of blocks."""
    word = word.rstrip(":;")
    mark = word[0] if word[0] in "$>@" else ""
    side, dot, name = word[len(mark) :].rpartition(".")
    return mark, side if dot else "", name


def can_stand_for(game: Game, written: str, read: str, attacker: bool, request: bool) -> bool:
    """Return whether the written token can stand for the token that was read, judged from the board alone."""
    mark, side, name = split(written)
    read_mark, read_side, read_name = split(read)
    if mark != read_mark and not (mark == ">" and not read_mark and not request):
        return False
    chooser = int(game.decision.player) if game.decision else 0
    owner = int(read_side[1]) - 1 if read_side else 1 - chooser if attacker else chooser
    if side and side != f"p{owner + 1}":
        return False
    if name == read_name:
        # A side is meaningful for units and trumps only.
        cards_only = not mark and not attacker and (request or (game.decision and game.decision.kind in OF_CARDS))
        return not side or (name[0] in "bt" and name[1:].isdigit()) or (parse_card(name) >= 0 and not cards_only)
    if parse_card(name) < 0 or parse_card(read_name) < 0 or (request and not mark):
        return False
    if mark not in (">", "@") and not request and not attacker and game.decision and game.decision.kind in OF_CARDS:
        return False
    side_view = game.view(owner).side(owner)
    return any({name, read_name} <= set(unit.cards) for unit in side_view.soldiers)


def attacks(game: Game, word: str) -> bool:
    """Return whether the token names a soldier that attacks the choosing player."""
    _, side, name = split(word)
    owner = int(game.player.opponent)
    soldiers = game.view(owner).side(owner).soldiers
    return side in ("", f"p{owner + 1}") and any(name in unit.cards and unit.role == "attacker" for unit in soldiers)


def same_meaning(game: Game, words: list[str], read: str) -> bool:
    """Return whether every written token corresponds to its own token of the move that was read."""
    if read == "done" and all(word == "done" or word.endswith((":", ";")) for word in words):
        return True  # an attacker without blockers
    left = read.split()
    request = left[0] in ACTIONS and game.decision is not None and game.decision.kind == "chance"
    for place, word in enumerate(words):
        if word in ("done", "main", "quick") or (word in left and word.endswith((":", ";"))):
            if word in left:
                left.remove(word)
            elif word != "done":
                return False
            continue
        if place == 0 and request:
            if left[0] != word.rstrip("@"):
                return False
            left.pop(0)
            continue
        found = next((c for c in left if can_stand_for(game, word, c, c.endswith(":"), request)), None)
        if found is None:
            if word.endswith(":") and words[place + 1 : place + 2] in ([], ["done"], ["done;"]) and attacks(game, word):
                continue  # an unblocked attacker
            target = ACTIONS[words[0]].target if words[0] in ACTIONS else None
            if request and target is not None and target.aim == "opponent" and word == f">{game.player.opponent}":
                continue  # not a choice, but allowed in the text
            if not request and game.decision and game.decision.kind == "order" and place == len(words) - 1:
                continue  # the last item of an order is not asked for
            return False
        left.remove(found)
    return True


def changed(words: list[str], others: list[list[str]], rng: random.Random) -> list[str]:
    """Return the move with one token replaced, by one of another move or by a random one."""
    out = words[:]
    place = rng.randrange(len(out))
    mark, _, _ = split(out[place])
    tail = out[place][len(out[place].rstrip(":;")) :]
    if rng.random() < 0.4:
        new = rng.choice(rng.choice(others)).rstrip(":;")
    else:
        new = rng.choice((mark, mark, mark, ">", "$", "@", ""))
        new += rng.choice(("", "", "p1.", "p2.")) + rng.choice((rng.choice(NAMES), rng.choice(PLACES)))
    out[place] = new + tail
    return out


def check(game: Game, rng: random.Random, tries: int) -> int:
    """Change tokens at this decision; return how many of the changed texts were read as a move."""
    moves = [move.text.split() for move, _ in zip(game.legal_moves, range(40), strict=False)]
    taken = 0
    for _ in range(tries):
        words = changed(rng.choice(moves), moves, rng)
        for lang in ("", "ja", "en"):
            text = " ".join(words)
            text = display(text, lang, game.regulation.edition) if lang else text
            try:
                read = game.parse(text).text
            except BlackPokerError:
                continue
            taken += 1
            assert same_meaning(game, words, read), f"{text!r} was read as {read!r} at {game!r}\n{game.position()}"
    return taken


def played(game: Game, rng: random.Random, steps: int) -> Iterator[Game]:
    for _ in range(steps):
        if game.outcome() is not None:
            return
        yield game
        if game.decision is not None and game.decision.kind == "chance" and rng.random() < 0.7:
            game.push(rng.choice(game.options[1:] or game.options))
        else:
            game.push(rng.choice(game.options))


@pytest.mark.parametrize("regulation", FORMATS)
def test_a_changed_word_at_random_decisions(regulation: str) -> None:
    rng = random.Random(regulation)
    taken = 0
    for seed in range(4):
        for game in played(Game(regulation, seed=seed), rng, 150):
            taken += check(game, rng, 2)
    assert taken > 50  # texts that are another move, or omit a side


@pytest.mark.parametrize("folder", ["trumps", "ours"])
def test_a_changed_word_from_the_positions_of_scenarios(folder: str) -> None:
    rng = random.Random(folder)
    for path in sorted((SCENARIOS / folder).glob("*.toml")):
        scenario = read_scenario(path.read_text(encoding="utf-8"))
        if scenario.match is not None:
            continue
        for variant in scenario.variants[:2]:
            for game in played(start_variant(variant), rng, 12):
                check(game, rng, 3)


@pytest.mark.parametrize("turn", ["p1", "p2"])
def test_a_changed_word_among_trumps_and_low_soldiers(turn: str) -> None:
    rng = random.Random(turn)
    for _ in range(8):
        for game in played(Game.from_position(TRUMPS.format(turn=turn)), rng, 40):
            check(game, rng, 6)


#: a move, and a wrong reading: a trump, player or card with the number of the named soldier
OTHER_KINDS = [
    ("destroy_trump S7 $b1 >p2.S2", "p2.t2"),
    ("切札破壊 ♠7 $防壁1 →p2.♠2", "p2.t2"),
    ("Destroy Trump ♠7 $b1 →p2.♠2", "p2.t2"),
    ("close_trump H2 H5 >p2.S2", "p2.t2"),
    ("クローズ ♡2 ♡5 →p2.♠3", "p2.t3"),
    ("destroy_trump S7 $b1 >S3", "p2.t3"),
    ("destroy_trump S7 $b1 >p2.S10", "p2.t3"),
]


@pytest.mark.parametrize(("text", "other"), OTHER_KINDS)
def test_a_soldier_is_no_trump(text: str, other: str) -> None:
    game = Game.from_position(TRUMPS.format(turn="p1"))
    with pytest.raises(IllegalMove) as refused:
        game.parse(text)
    assert refused.value.ruling == "R-31"
    right = text.rpartition(">" if ">" in text else "→")[0] + ">" + other
    assert game.parse(right).text.endswith(">" + other)


def test_a_soldier_is_no_trump_where_the_target_changes() -> None:
    """対象変更 of a 切札破壊: its new target is a trump again."""
    game = Game.from_position(TRUMPS.format(turn="p1"))
    game.push_text("destroy_trump S7 $b1 >p2.t1")
    game.push_text("pass")
    game.push_text("retarget C3 C4 >#1")
    game.push_text("pass")
    game.push_text("pass")
    assert game.decision is not None
    assert game.decision.words == ["p1.t1", "p1.t2", "p2.t2", "p2.t3"]
    for text in ("p2.S2", "S2", "♠2", "p1.S2", "p2.♠3"):
        with pytest.raises(IllegalMove):
            game.parse(text)
    assert game.parse("p2.切札2").text == "p2.t2"
