"""Falls of a player's chance to win: what a move changed on the board, and a better move, both tried by playing on.

A fall is a round in which the chance of a player fell by `MIN_FALL`. The move played and the moves that the
search prefers are continued by the policy in the same worlds, which agree with what the player knew. The cause is read
from the first figure that differs clearly; the figures of the real game stand in the sentence where they show it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from blackpoker import Audience, Game, GameStep, seeded
from blackpoker.ai.heuristic_player import play_turns
from blackpoker.ai.heuristics.scorer import HeuristicScorer
from blackpoker.determinization import World, determinize
from blackpoker.game.assistant import Assistant
from blackpoker.players.analysis import WinChancePoint, analyse
from blackpoker.players.prior_knowledge import prior_knowledge
from blackpoker.text.resources import Bilingual

#: least fall of the chance in a round; with a smaller loss by choices the fall is luck
MIN_FALL: Final = 0.10
MIN_CHOICE: Final = 0.04
#: worlds in which each line is continued; candidates that are compared; play-outs of the search that proposes them
WORLDS: Final = 160
CANDIDATES: Final = 5
#: choices of a round that are tried, the most costly first, until one has a better move
TRIED_POINTS: Final = 3
#: least gain in won games for a move to be recommended
MIN_GAIN: Final = 0.04
#: noise of the policy, and the turns after which an endless game counts as a draw
NOISE: Final = 22
MAX_TURNS: Final = 80
#: smallest differences that count as a cause: shares of games, life, cards and units
CLEAR_SHARE: Final = 0.15
CLEAR_LIFE: Final = 0.9
CLEAR_UNITS: Final = 0.4
CLEAR_CARDS: Final = 0.7


@dataclass
class Figures:
    """Sums over the worlds of a line, later means. All but ``wins`` are those at the player's next turn: games
    won and lost before, damage taken and dealt, own and opposing units, units able to block when the opponent's turn
    began, cards in hand."""

    wins: float = 0.0
    won_soon: float = 0.0
    lost_soon: float = 0.0
    taken: float = 0.0
    dealt: float = 0.0
    units: float = 0.0
    opposing: float = 0.0
    guards: float = 0.0
    hand: float = 0.0


@dataclass(frozen=True)
class PlayedOn:
    """A move and the figures of the games that continue with it."""

    text: str
    options: tuple[int, ...]
    figures: Figures


# -- playing on --------------------------------------------------------------------------------------------------------


def able_to_block(engine: World, seat: int) -> int:
    """Return the number of a player's charged units."""
    side = engine.sides[seat]
    return sum(not unit.driven for unit in [*side.soldiers, *side.bulwarks])


def play_on(world: World, seat: int, options: Sequence[int], seed: int, out: Figures) -> None:
    """Continue a world with these options and the policy, and add its figures. ``world`` is modified."""
    policy, chance = HeuristicScorer(world.rules), seeded(seed)
    scratch: list[int] = []
    life = [len(side.life) for side in world.sides]
    own = world.turn == seat
    next_turn = world.turn_number + (2 if own else 1)
    for option in options:
        if option not in world.options:
            break  # a card that was turned up on the way differs in this world
        world.push(option)
    if own:
        play_turns(world, policy, NOISE, next_turn - 1, chance, scratch)
        out.guards += able_to_block(world, seat)
    play_turns(world, policy, NOISE, next_turn, chance, scratch)
    over = not world.options
    out.won_soon += over and world.winner == seat
    out.lost_soon += over and world.winner == 1 - seat
    out.taken += life[seat] - len(world.sides[seat].life)
    out.dealt += life[1 - seat] - len(world.sides[1 - seat].life)
    out.units += len(world.sides[seat].soldiers) + len(world.sides[seat].bulwarks)
    out.opposing += len(world.sides[1 - seat].soldiers) + len(world.sides[1 - seat].bulwarks)
    out.hand += int(world.sides[seat].hand_count)
    play_turns(world, policy, NOISE, world.turn_number + MAX_TURNS, chance, scratch)
    out.wins += 0.5 if world.winner not in (0, 1) else world.winner == seat


def try_moves(game: Game, moves: Sequence[tuple[str, Sequence[int]]], worlds: int, seed: int) -> list[PlayedOn]:
    """Continue every move in the same worlds, which agree with what the player to decide knows."""
    seat = int(game.player)
    knowledge = prior_knowledge(game.regulation)
    found = [Figures() for _ in moves]
    for number in range(worlds):
        world = determinize(game._engine, seat, knowledge, seeded(seed + number))
        for (_, options), figures in zip(moves, found, strict=True):
            play_on(world.copy(), seat, options, seed + number, figures)
    for figures in found:
        for name in Figures.__dataclass_fields__:
            setattr(figures, name, getattr(figures, name) / worlds)
    return [PlayedOn(text, tuple(options), figures) for (text, options), figures in zip(moves, found, strict=True)]


def better_move(
    game: Game, text: str, options: Sequence[int], playouts: int, worlds: int, seed: int
) -> tuple[PlayedOn, PlayedOn | None]:
    """Return the move played and the best candidate of the search, tried by playing on; None if none of them wins
    clearly more games. The candidate is chosen in some worlds and confirmed in others."""
    candidates = [one for one in analyse(game, playouts, CANDIDATES, seed, as_seat=True).moves if one.text != text]
    moves: list[tuple[str, Sequence[int]]] = [(text, options)]
    moves += [(one.text, game.parse(one.text).options) for one in candidates]
    first = try_moves(game, moves, worlds, seed)
    if len(moves) == 1:
        return first[0], None
    best = max(first[1:], key=lambda tested: tested.figures.wins)
    played, confirmed = try_moves(game, [moves[0], (best.text, best.options)], worlds, seed + worlds)
    return played, confirmed if confirmed.figures.wins - played.figures.wins >= MIN_GAIN else None


def cause_of(kind: str, played: PlayedOn, better: PlayedOn | None) -> str:
    """Return the first cause whose figures differ clearly between the move played and the better one."""
    if better is None:
        return "unclear"
    bad, good = played.figures, better.figures
    hurt = bad.taken - good.taken >= CLEAR_LIFE or bad.lost_soon - good.lost_soon >= CLEAR_SHARE
    checks: tuple[tuple[str, bool], ...] = (
        ("lethal", good.won_soon - bad.won_soon >= CLEAR_SHARE),
        ("unblocked", kind == "blockers" and hurt and played.text == "done"),
        ("block", kind == "blockers"),
        ("unanswered", kind == "chance" and hurt and played.text == "pass"),
        ("guards", good.guards - bad.guards >= CLEAR_UNITS and hurt),
        ("lost", bad.lost_soon - good.lost_soon >= CLEAR_SHARE),
        ("taken", bad.taken - good.taken >= CLEAR_LIFE),
        ("dealt", good.dealt - bad.dealt >= CLEAR_LIFE),
        ("opposing", bad.opposing - good.opposing >= CLEAR_UNITS),
        ("units", good.units - bad.units >= CLEAR_UNITS),
        ("spent", good.hand - bad.hand >= CLEAR_CARDS),
    )
    return next((name for name, holds in checks if holds), "later")


# -- finished games ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Round:
    """The points from the beginning of a player's turn to the next: numbers of the first and the one after the
    last."""

    player: int
    first: int
    stop: int


def rounds(points: Sequence[WinChancePoint], turn_owners: dict[int, int]) -> list[Round]:
    """Return the rounds of both players, in order; what comes before a player's first turn is a round too."""
    found: list[Round] = []
    for player in (0, 1):
        starts = [0]
        for number, point in enumerate(points):
            new_turn = number > 0 and point.turn != points[number - 1].turn
            if new_turn and turn_owners.get(point.turn) == player:
                starts.append(number)
        found += [Round(player, first, stop) for first, stop in zip(starts, [*starts[1:], len(points)], strict=True)]
    return sorted(found, key=lambda one: (one.first, one.player))


def turn_owners(game: Game) -> dict[int, int]:
    """Return the player of every turn of a game."""
    owners: dict[int, int] = {}
    for step in game.steps(deal=True):
        owners.setdefault(int(step.after.turn_number), int(step.after._engine.turn))
    return owners


def life_lost(step: GameStep) -> tuple[list[int], list[int]]:
    """Return the cards of life that the players lost in a step: as damage, and as costs of requests."""
    damage, costs = [0, 0], [0, 0]
    paying = False  # life lost between a request and its place on the stage is its cost
    for event in step.events(Audience.JUDGE):
        paying = event.event == "declared" or (paying and event.event not in ("staged", "resolving", "turn"))
        if event.event == "damaged":
            lost = costs if paying else damage
            lost[event.player.__index__()] += event.count
    return damage, costs


def real_figures(game: Game, player: int, index: int) -> tuple[int, int]:
    """Return the damage that a player really took between a move and the own next turn, without costs, and the units
    able to block when the opponent's turn began, or at the move if it was made in that turn."""
    taken, guards, first_turn = 0, -1, 0
    for step in game.steps():
        if step._stop <= index:
            continue
        if not first_turn:
            before = step.before._engine
            first_turn = int(before.turn_number)
            guards = able_to_block(before, player) if before.turn != player else -1
        taken += life_lost(step)[0][player]
        engine = step.after._engine
        if int(engine.turn_number) > first_turn:
            if engine.turn == player:
                break
            if guards < 0:
                guards = able_to_block(engine, player)
    return taken, max(0, guards)


@dataclass(frozen=True)
class DueFall:
    """A round whose cause is to be found: the chance of its player before and after, the loss by choices, and the
    choices that cost most, the worst first."""

    player: int
    before: float
    after: float
    choice: float
    points: tuple[WinChancePoint, ...]


@dataclass(frozen=True)
class Fall:
    """A fall with its cause, at one choice. ``better`` is None if no move was clearly better when played on. ``taken``
    and ``guards`` are the damage and the units able to block of the real game, ``games`` the number of games played
    on."""

    due: DueFall
    point: WinChancePoint
    cause: str
    played: PlayedOn
    better: PlayedOn | None
    taken: int
    guards: int
    games: int

    @property
    def several(self) -> bool:
        """True if each choice of the round cost little."""
        return self.better is not None and self.point.choice_cost > -MIN_FALL >= self.due.choice


def due_falls(game: Game, points: Sequence[WinChancePoint], last: float) -> list[DueFall]:
    """Return the rounds of a finished game in which the chance of a player fell by at least `MIN_FALL`, in order."""
    chances = [*(point.chance.first_wins for point in points), last]
    found = []
    for one in rounds(points, turn_owners(game)):
        own = [point for point in points[one.first : one.stop] if point.player == one.player]
        choice = sum(point.choice_cost for point in own)
        before, after = chances[one.first], chances[one.stop]
        if one.player == 1:
            before, after = 1 - before, 1 - after
        if own and before - after >= MIN_FALL:
            worst = sorted(own, key=lambda point: point.choice_cost)
            tried = [point for point in worst[:TRIED_POINTS] if point.choice_cost < 0] or worst[:1]
            found.append(DueFall(one.player, before, after, choice, tuple(tried)))
    return found


def find_cause(game: Game, due: DueFall, playouts: int, worlds: int = WORLDS, seed: int = 1) -> Fall:
    """Return a fall with its cause and a better move; fewer ``worlds`` take less time and confirm less."""
    worst = due.points[0]
    if due.choice > -MIN_CHOICE:
        return Fall(due, worst, "luck", PlayedOn(worst.text, (), Figures()), None, 0, 0, 0)
    steps = {step._start: step for step in game.steps()}
    found: Fall | None = None
    for point in due.points:
        then = game.copy()
        then.go_to(point.index)
        step = steps[point.index]
        options = [option for option in game.history[step._start : step._stop] if option >= 0]
        played, better = better_move(then, point.text, options, playouts, worlds, seed)
        if better is not None or found is None:
            cause = cause_of(Assistant(then).kind, played, better)
            figures = real_figures(game, due.player, point.index)
            found = Fall(due, point, cause, played, better, *figures, worlds)
        if better is not None:
            break
    assert found is not None
    return found


# -- sentences ---------------------------------------------------------------------------------------------------------

#: causes; {d} is damage, {u} units, {p} percent, {c} cards, as real or mean figures
CAUSES: Final[dict[str, Bilingual]] = {
    "lethal": Bilingual("勝ちきれる手を逃しました。", "A winning move was overlooked."),
    "unblocked": Bilingual(
        "ブロックしたほうが得なアタックを、ブロックしませんでした。",
        "An attack was let through that was worth blocking.",
    ),
    "block": Bilingual("ブロックの組み合わせがよくありませんでした。", "The blockers were not the right ones."),
    "unanswered": Bilingual(
        "対応できる相手のアクションに、何もしませんでした。", "A request was let through although it could be answered."
    ),
    "no_guards": Bilingual(
        "ブロックできるキャラクターを1体も残さずに相手のターンを迎え、{d}ダメージを受けました。",
        "No character able to block was left for the opponent's turn, and {d} damage came through.",
    ),
    "few_guards": Bilingual(
        "相手のターンにブロックできるキャラクターが{u}体しか残らず、{d}ダメージを受けました。",
        "Too few characters were left to block in the opponent's turn ({u}), and {d} damage came through.",
    ),
    "guards": Bilingual(
        "相手のターンにブロックできるキャラクターが足りなくなる手でした。",
        "This move leaves too few characters able to block in the opponent's turn.",
    ),
    "lost": Bilingual(
        "次の自分のターンまでに負ける危険が{p}%ありました。",
        "It risked losing before the next own turn ({p}% of the games played on).",
    ),
    "taken": Bilingual(
        "次の自分のターンまでに受けるダメージが、平均で{d}増えます。",
        "It costs {d} more life on average before the next own turn.",
    ),
    "dealt": Bilingual(
        "与えられたはずのダメージを、平均で{d}逃しました。", "{d} damage to the opponent was left out, on average."
    ),
    "opposing": Bilingual(
        "減らせたはずの相手のキャラクターが残りました。", "An opposing character stays that could have been dealt with."
    ),
    "units": Bilingual(
        "残せたはずの自分のキャラクターを失いました。", "An own character is lost that could have been kept."
    ),
    "spent": Bilingual("手札を平均{c}枚、余分に使いました。", "It spends {c} more cards of the hand, on average."),
    "later": Bilingual(
        "すぐには差が出ませんが、その後の展開で不利になります。",
        "Nothing is lost at once; the position is worse in the turns after.",
    ),
    "luck": Bilingual(
        "自分の選び方に大きな損はありません。引きや相手の手によるものです。",
        "No choice of this player cost much: the fall came from the cards and the opponent’s moves.",
    ),
    "unavoidable": Bilingual(
        "次の自分のターンまでに{d}ダメージを受けました。別の手でも避けにくい展開でした。",
        "{d} damage came through before the next own turn; no other move prevented it clearly when played on.",
    ),
    "unclear": Bilingual(
        "ほかの手と大きな差はありませんでした。相手の引きや手札にも左右される局面です。",
        "No other move was clearly better when played on; much depended on hidden cards.",
    ),
}
SEVERAL: Final = Bilingual(
    "このターンの小さな損が重なりました。いちばん大きいのは、", "Several small losses in this round. The largest: "
)

#: effects of the better move
REMEDIES: Final[dict[str, Bilingual]] = {
    "lethal": Bilingual(
        "相手のターンが来る前に、{p}%の展開で勝てます。", "It wins before the next own turn in {p}% of the games."
    ),
    "hurt": Bilingual(
        "受けるダメージは平均{a}から{b}に減ります。", "It lowers the damage taken from {a} to {b} on average."
    ),
    "guards": Bilingual(
        "ブロックできるキャラクターが平均{u}体多く残り、受けるダメージは{a}から{b}に減ります。",
        "It keeps more characters able to block ({u} more on average) and lowers the damage taken from {a} to {b}.",
    ),
    "lost": Bilingual(
        "次の自分のターンまでに負ける危険は、{a}%から{b}%に減ります。",
        "It lowers the risk of losing before the next own turn from {a}% to {b}%.",
    ),
    "dealt": Bilingual(
        "与えるダメージは平均{a}から{b}に増えます。", "It raises the damage dealt from {a} to {b} on average."
    ),
    "opposing": Bilingual(
        "相手のキャラクターは平均{a}体から{b}体に減ります。",
        "It leaves the opponent fewer characters: {b} instead of {a} on average.",
    ),
    "units": Bilingual(
        "自分のキャラクターは平均{a}体から{b}体に増えます。",
        "It leaves more own characters: {b} instead of {a} on average.",
    ),
    "spent": Bilingual(
        "手札は平均{a}枚から{b}枚に増えます。", "It keeps more cards in hand: {b} instead of {a} on average."
    ),
}
TRIED: Final = Bilingual(
    "続きを{n}回ずつ試すと、勝率は{a}%から{b}%に上がります。",
    "Of {n} games played on with each, it wins {b}% instead of {a}%.",
)


def number(value: float) -> str:
    """Return a mean with one decimal, without a final zero."""
    return f"{value:.1f}".removesuffix(".0")


def percent(share: float) -> int:
    return round(100 * share)


def cause_text(fall: Fall) -> Bilingual:
    """Return one sentence: what the move changed, with figures of the real game where they show it."""
    bad = fall.played.figures
    good = bad if fall.better is None else fall.better.figures
    name = fall.cause
    if name == "guards" and fall.taken > 0:
        name = "no_guards" if fall.guards == 0 else "few_guards"
    elif name == "unclear" and fall.taken > 0:
        name = "unavoidable"
    figures = {
        "d": fall.taken
        if name in ("no_guards", "few_guards", "unavoidable")
        else number(max(bad.taken - good.taken, good.dealt - bad.dealt)),
        "u": fall.guards,
        "p": percent(bad.lost_soon),
        "c": number(good.hand - bad.hand),
    }
    if name == "dealt":
        figures["d"] = number(good.dealt - bad.dealt)
    elif name == "taken":
        figures["d"] = number(bad.taken - good.taken)
    ja, en = (text.format(**figures) for text in CAUSES[name])
    return Bilingual(SEVERAL.ja + ja, SEVERAL.en + en[0].lower() + en[1:]) if fall.several else Bilingual(ja, en)


def remedy_text(fall: Fall) -> Bilingual:
    """Return the effect of the better move on the board and in the games played on; empty if there is none."""
    if fall.better is None:
        return Bilingual("", "")
    bad, good = fall.played.figures, fall.better.figures
    less_taken = bad.taken - good.taken >= CLEAR_LIFE
    effect = fall.cause
    figures: dict[str, object] = {}
    if effect == "lethal":
        figures = {"p": percent(good.won_soon)}
    elif effect == "guards" and less_taken:
        figures = {"u": number(good.guards - bad.guards), "a": number(bad.taken), "b": number(good.taken)}
    elif (
        effect in ("guards", "lost", "unblocked", "block", "unanswered")
        and bad.lost_soon - good.lost_soon >= CLEAR_SHARE
    ):
        effect, figures = "lost", {"a": percent(bad.lost_soon), "b": percent(good.lost_soon)}
    elif effect == "dealt":
        figures = {"a": number(bad.dealt), "b": number(good.dealt)}
    elif effect == "opposing":
        figures = {"a": number(bad.opposing), "b": number(good.opposing)}
    elif effect == "units":
        figures = {"a": number(bad.units), "b": number(good.units)}
    elif effect == "spent":
        figures = {"a": number(bad.hand), "b": number(good.hand)}
    elif less_taken:
        effect, figures = "hurt", {"a": number(bad.taken), "b": number(good.taken)}
    tried = {"n": fall.games, "a": percent(bad.wins), "b": percent(good.wins)}
    parts = [REMEDIES[effect].in_lang("ja").format(**figures)] if figures else []
    parts_en = [REMEDIES[effect].in_lang("en").format(**figures)] if figures else []
    return Bilingual("".join([*parts, TRIED.ja.format(**tried)]), " ".join([*parts_en, TRIED.en.format(**tried)]))
