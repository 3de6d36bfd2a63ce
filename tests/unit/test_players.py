"""Computer players: no access to hidden cards, containment of faults, reproducible games, strength by level."""

from __future__ import annotations

import logging
from concurrent.futures import ProcessPoolExecutor

import pytest
from tests.hidden_cards import permute_hidden, same_view

from blackpoker import _build
from blackpoker.ai.heuristics.scorer import HeuristicScorer
from blackpoker.ai.levels import EDITION_9
from blackpoker.ai.net_file import empty_net
from blackpoker.ai.random_player import random_trumps
from blackpoker.ai.search import Search, find_node
from blackpoker.ai.stable_ids import feature_map
from blackpoker.assist.decision import Decision
from blackpoker.assist.defaults import default_option
from blackpoker.determinization import cards_on_stage, cards_on_table, determinize
from blackpoker.engine.cards import BIT, count
from blackpoker.engine.engine import Engine
from blackpoker.engine.flow import CHANCE_KIND, PASS, UNDECIDED
from blackpoker.engine.setup import OPEN, QUESTIONS, STEP
from blackpoker.engine.shuffler import seeded
from blackpoker.engine.state import CARD_KIND, LIFE_COUNTED, SETUP_KIND, TRUMP_KIND
from blackpoker.notation.options import view_of
from blackpoker.players import arena
from blackpoker.players.engine_players import LEVELS, USER_LEVELS, PlayersError, SearchPlayer, level_of, make_player
from blackpoker.players.player_view import PlayerView, SandboxedPlayer
from blackpoker.players.prior_knowledge import prior_knowledge
from blackpoker.players.search_results import plain_search
from blackpoker.ruleset import Regulation, all_regulations, edition_named, new_game

REGULATIONS = [
    "lite+entry",
    "standard+random40+preset2",
    "pro+constructed40",
    "master+full",
    "master+random40+pack",
    "extra+regular",
    "extra+full",
]
#: small budgets for the tests; a player's view does not depend on them
QUICK = {"god": "god:playouts=12", "master": "master:playouts=10"}


def positions(text: str, n: int, seed: int) -> list[Engine]:
    """Return decisions with a choice from random games, of both seats and all kinds that occur."""
    regulation = Regulation.parse(text)
    found: list[Engine] = []
    while len(found) < n:
        engine = new_game(regulation, seeded(seed))
        engine.advance()
        chance = seeded(seed + 10**6)
        seed += 1
        while engine.winner == UNDECIDED and len(found) < n:
            if len(engine.options) > 1 and chance.below(8) == 0:
                found.append(engine.copy())
            options = engine.options
            engine.push(options[chance.below(len(options))])
    return found


@pytest.mark.parametrize("text", REGULATIONS)
def test_imagined_worlds_look_the_same(text: str) -> None:
    """R-210…R-216: the world matches everything the seat sees and contains every card once."""
    briefing = prior_knowledge(Regulation.parse(text))
    chance = seeded(5)
    for engine in positions(text, 60, 100):
        for player in range(2):
            world = determinize(engine, player, briefing, chance)
            assert same_view(engine, world, player)
            for side, real in zip(world.sides, engine.sides, strict=True):
                cards = side.hand | side.grave | side.aside | side.pack
                total = count(side.hand) + count(side.grave) + count(side.aside) + count(side.pack)
                for card in side.life + side.trumps:
                    cards |= BIT[card]
                    total += 1
                for unit in side.soldiers + side.bulwarks:
                    cards |= unit.cards
                    total += count(unit.cards)
                assert count(cards) == total
                assert side.hand_count == real.hand_count == count(side.hand)


def test_the_player_choosing_from_a_pack_knows_it() -> None:
    """R-198: the options show the opened pack to its owner, so every determinized world has exactly these cards in it."""
    regulation = Regulation.parse("master+random40+pack")
    briefing = prior_knowledge(regulation)
    chosen = 0
    for seed in range(12):
        engine = new_game(regulation, seeded(seed))
        engine.advance()
        chance = seeded(seed + 10**6)
        while engine.options:
            own_side = engine.sides[engine.asked]
            if engine.kind == CARD_KIND and sum(BIT[option] for option in engine.options) == own_side.pack:
                world = determinize(engine, engine.asked, briefing, chance)
                assert world.sides[engine.asked].pack == own_side.pack
                assert not any(BIT[card] & own_side.pack for card in world.sides[engine.asked].life)
                chosen += 1
            engine.push(engine.options[chance.below(len(engine.options))])
    assert chosen > 3


@pytest.mark.parametrize("text", ["lite+randomhalf", "master+constructedhalf"])
def test_a_half_deck_is_taken_for_a_half(text: str) -> None:
    """R-200, R-210: an uncountable life pile is estimated from a deck of 27, not of 54."""
    briefing = prior_knowledge(Regulation.parse(text))
    guessed = 0
    for engine in positions(text, 40, 60):
        player = int(engine.asked)
        other = determinize(engine, player, briefing, seeded(5)).sides[1 - player]
        if len(engine.sides[1 - player].life) >= LIFE_COUNTED:
            on_table = cards_on_table(other) + count(cards_on_stage(engine, 1 - player))
            assert len(other.life) == max(LIFE_COUNTED, 27 - on_table)
            guessed += 1
    assert guessed > 5


@pytest.mark.parametrize("text", REGULATIONS)
def test_imagining_does_not_depend_on_what_is_hidden(text: str) -> None:
    """Two games that look the same give the same worlds for the same seed."""
    briefing = prior_knowledge(Regulation.parse(text))
    for number, engine in enumerate(positions(text, 60, 200)):
        player = int(engine.asked)
        redealt = engine.copy()
        permute_hidden(redealt, player, seeded(number))
        if not same_view(engine, redealt, player):  # a request that targets a hidden trump
            continue
        redealt.source = seeded(number + 99)
        first = determinize(engine, player, briefing, seeded(number))
        second = determinize(redealt, player, briefing, seeded(number))
        for a, b in zip(first.sides, second.sides, strict=True):
            assert a.life == b.life
            assert (a.hand, a.grave, a.pack, a.trumps) == (b.hand, b.grave, b.pack, b.trumps)
            assert [unit.cards for unit in a.bulwarks] == [unit.cards for unit in b.bulwarks]
        assert first.source.state == second.source.state


@pytest.mark.parametrize("name", list(LEVELS))
@pytest.mark.parametrize("text", REGULATIONS)
def test_players_use_only_their_view(text: str, name: str) -> None:
    """Every player chooses the same in two worlds that look the same to it."""
    regulation = Regulation.parse(text)
    briefing = prior_knowledge(regulation)
    number = 500 if _build.compiled() or name in ("random", "heuristic", "easy") else 40
    compared = 0
    for index, engine in enumerate(positions(text, number + number // 10, 300)):
        player = int(engine.asked)
        redealt = engine.copy()
        permute_hidden(redealt, player, seeded(index))
        if compared == number or not same_view(engine, redealt, player):  # a request that targets a hidden trump
            continue
        compared += 1
        redealt.source = seeded(index + 7)
        chosen: list[int] = []
        for game in (engine, redealt):
            chooser = make_player(QUICK.get(name, name), regulation, player, index, briefing)
            seat = PlayerView(game, player, briefing)
            chosen.append(chooser.choose(seat, seat.decision))
        assert chosen[0] == chosen[1]
        assert chosen[0] in engine.options
    assert compared == number


def test_a_seat_holds_no_real_hidden_card() -> None:
    engine = positions("master+full", 1, 1)[0]
    player = int(engine.asked)
    seat = PlayerView(engine, player, prior_knowledge(Regulation.parse("master+full")))
    assert seat.view == view_of(engine, player)
    assert seat.world.sides[1 - player].life != engine.sides[1 - player].life
    assert seat.sample_world(1).sides[1 - player].life != seat.sample_world(2).sides[1 - player].life


def test_the_same_seed_plays_the_same_game() -> None:
    bout = arena.ScheduledGame("master+full", "strong:playouts=20", "easy", 4)
    first, second = arena.play(bout), arena.play(bout)
    assert (first.winner, first.turns, first.decisions) == (second.winner, second.turns, second.decisions)


# -- containment -------------------------------------------------------------------------------------------------------


class Crashes:
    def choose(self, seat: PlayerView, decision: Decision) -> int:
        raise RuntimeError("out of ideas")


class Cheats:
    def choose(self, seat: PlayerView, decision: Decision) -> int:
        return 12345


@pytest.mark.parametrize(("player", "word"), [(Crashes(), "crashed"), (Cheats(), "not offered")])
def test_faults_are_contained(player: object, word: str, caplog: pytest.LogCaptureFixture) -> None:
    engine = positions("lite+entry", 1, 9)[0]
    seat = PlayerView(engine, int(engine.asked), prior_knowledge(Regulation.parse("lite+entry")))
    contained = SandboxedPlayer(player, "bot")  # type: ignore[arg-type]
    with caplog.at_level(logging.WARNING, "blackpoker.players"):
        option = contained.choose(seat, seat.decision)
    assert option == default_option(engine)
    assert option in engine.options
    assert word in caplog.text
    assert word in contained.faults[0]


@pytest.mark.parametrize("text", ["lite+entry", "extra+full"])
def test_a_game_with_a_crashing_player_ends(text: str) -> None:
    regulation = Regulation.parse(text)
    briefing = prior_knowledge(regulation)
    engine = new_game(regulation, seeded(3))
    engine.advance()
    for option in random_trumps(engine, seeded(3)):
        engine.push(option)
    players = [SandboxedPlayer(Crashes()), SandboxedPlayer(make_player("heuristic", regulation, 1, 1, briefing))]
    while engine.winner == UNDECIDED:
        seat = PlayerView(engine, int(engine.asked), briefing)
        engine.push(players[seat.player].choose(seat, seat.decision))
    assert players[0].faults
    assert not players[1].faults


def test_the_default_is_a_pass_or_harmless() -> None:
    for text in ("master+full", "extra+full"):
        for engine in positions(text, 200, 40):
            option = default_option(engine)
            assert option in engine.options
            if engine.kind == CHANCE_KIND and PASS in engine.options:
                assert option == PASS


# -- search and levels ---------------------------------------------------------------------------------------------------


def test_levels_have_both_languages() -> None:
    known = {
        "easy": "やさしい",
        "casual": "きがる",
        "normal": "ふつう",
        "strong": "つよい",
        "master": "達人",
        "god": "神",
    }
    assert [(level.id, level.ja) for level in USER_LEVELS if level.id in known] == list(known.items())
    for level in LEVELS.values():
        assert level.description("ja") != level.description("en")
        assert level_of(level.ja) is level_of(level.en.upper()) is level
    with pytest.raises(ValueError):
        level_of("grandmaster")
    with pytest.raises(ValueError):
        level_of("strong:luck=3")


def test_thinking_is_shown_and_its_budget_kept() -> None:
    regulation = Regulation.parse("master+full")
    engine = positions("master+full", 1, 21)[0]
    seat = PlayerView(engine, int(engine.asked), prior_knowledge(regulation))
    player = make_player("search:playouts=300", regulation, seat.player, 1)
    assert isinstance(player, SearchPlayer)
    progress: list[tuple[int, int]] = []
    player.on_progress = lambda done, budget: progress.append((done, budget))
    player.choose(seat, seat.decision)
    assert progress
    assert progress[-1][0] <= 300 == progress[-1][1]
    assert progress == sorted(progress)


def test_time_can_be_the_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without play-outs in the name, time is the budget; the search stops early if the result cannot change."""
    ticks = iter(range(1_000_000))
    monkeypatch.setattr(
        "blackpoker.players.engine_players.time.monotonic", lambda: next(ticks) / 100
    )  # each call takes 10 ms
    regulation = Regulation.parse("lite+entry")
    engine = positions("lite+entry", 1, 9)[0]
    seat = PlayerView(engine, int(engine.asked), prior_knowledge(regulation))
    done: list[int] = []
    for name in ("search:net=shipped/seconds=0.05", "search:net=shipped/seconds=0.2"):
        player = make_player(name, regulation, seat.player, 1)
        assert isinstance(player, SearchPlayer)
        assert player.choose(seat, seat.decision) in seat.options
        done.append(int(player.search.root.visits))
    assert 64 <= done[0] <= 6 * 64
    assert done[0] <= done[1] <= 21 * 64
    assert level_of("god:seconds=2").timed
    net = level_of("search:playouts=9/net=build/net/newest.bpnet/soft=9")
    assert (net.net, net.soft, net.playouts) == ("build/net/newest.bpnet", 9, 9)
    assert not level_of("god:seconds=2/playouts=100").timed
    assert not any(level.timed for level in LEVELS.values())


def test_a_temper_likes_lives_to_fall_or_to_stay() -> None:
    """One life card less on either side changes the value by the temper, for the seat that has it, and by nothing else."""
    regulation = Regulation.parse("master+full")
    engine = positions("master+full", 1, 5)[0]
    for seat, sign in ((0, 1), (1, -1)):
        values: dict[int, float] = {}
        for temper in (0, 250, -250):
            search = plain_search(
                HeuristicScorer(regulation.rules()),
                prior_knowledge(regulation),
                seat,
                seeded(1),
                level_of(f"master:temper={temper}"),
            )
            search.net.unpack()
            search.lives = len(engine.sides[0].life) + len(engine.sides[1].life) + 3
            values[temper] = search.first_wins(engine.copy())
        assert values[250] - values[0] == sign * 750 / 65536
        assert values[-250] - values[0] == -sign * 750 / 65536
    assert level_of("strong:temper=attacking").temper > 0 > level_of("strong:temper=patient").temper
    with pytest.raises(PlayersError):
        level_of("strong:temper=sleepy")


def test_the_tree_is_kept_for_the_words_of_a_request() -> None:
    """The second token of a move reuses the tree of the first."""
    regulation = Regulation.parse("master+full")
    reused = 0
    for engine in positions("master+full", 60, 77):
        if engine.kind != CHANCE_KIND:
            continue
        briefing = prior_knowledge(regulation)
        player = make_player("search:playouts=120", regulation, int(engine.asked), 1, briefing)
        assert isinstance(player, SearchPlayer)
        seat = PlayerView(engine, int(engine.asked), briefing)
        option = player.choose(seat, seat.decision)
        engine.push(option)
        if engine.winner == UNDECIDED and engine.asked == seat.player and engine.draft is not None:
            if len(engine.options) > 1:
                again = PlayerView(engine, seat.player, briefing)
                player.search.find(again.world)
                reused += player.search.root.visits > 0
    assert reused >= 3


def test_helpers_think_along() -> None:
    """Two processes: the same choice every time, and play-outs of both in the tally."""
    regulation = Regulation.parse("lite+entry")
    engine = next(e for e in positions("lite+entry", 40, 61) if e.kind == CHANCE_KIND and len(e.options) > 3)
    seat = PlayerView(engine, int(engine.asked), prior_knowledge(regulation))
    chosen: list[int] = []
    with ProcessPoolExecutor(1) as pool:
        for _ in range(2):
            player = make_player("search:playouts=1024", regulation, seat.player, 5, helpers=pool)
            assert isinstance(player, SearchPlayer)
            chosen.append(player.choose(seat, seat.decision))
            assert player.search.root.visits > player.search.playouts
    assert chosen[0] == chosen[1]


def test_a_tree_that_was_never_there_is_not_found() -> None:
    regulation = Regulation.parse("lite+entry")
    engine = positions("lite+entry", 1, 5)[0]
    from blackpoker.ai.heuristics.scorer import HeuristicScorer

    rules = regulation.rules()
    search = Search(
        HeuristicScorer(rules),
        prior_knowledge(regulation),
        int(engine.asked),
        seeded(1),
        feature_map(rules),
        empty_net(),
    )
    assert find_node(search.root, 17, 6) is None


# -- arena -----------------------------------------------------------------------------------------------------------------


def test_the_schedule_is_paired() -> None:
    bouts = arena.schedule("lite+entry", ["random", "easy", "strong"], 4, 10)
    assert len(bouts) == 12
    for bout in bouts:
        assert arena.ScheduledGame(bout.regulation, bout.second, bout.first, bout.seed) in bouts


def test_a_stopped_arena_goes_on(tmp_path) -> None:  # type: ignore[no-untyped-def]
    path = tmp_path / "results.jsonl"
    bouts = arena.schedule("lite+entry", ["random", "heuristic"], 6, 0)
    stored = arena.Results(path)
    for result in arena.run(bouts[:3], 1):
        stored.add(result)
    with path.open("a") as file:
        file.write('{"regulation": "lite+en')  # killed while writing
    again = arena.Results(path)
    assert len(again.left(bouts)) == 3
    table = arena.Standings(["random", "heuristic"], again.of(bouts)).data()
    assert table["pairs"][0]["games"] == 3
    low, high = table["pairs"][0]["interval95"]
    assert 0 <= low <= table["pairs"][0]["rate"] <= high <= 1


def test_intervals() -> None:
    assert arena.wilson(0, 0) == (0.0, 1.0)
    low, high = arena.wilson(75, 100)
    assert low == pytest.approx(0.657, abs=0.002)
    assert high == pytest.approx(0.825, abs=0.002)


@pytest.mark.parametrize("text", ["lite+entry", "master+full", "extra+regular"])
def test_each_level_beats_the_one_below(text: str) -> None:
    """A short version of the strength table in docs/opponents.md: few games, generous margins."""
    for better, worse, games, least in (("heuristic", "random", 60, 0.85), ("strong", "heuristic", 8, 0.5)):
        results = list(arena.run(arena.schedule(text, [better, worse], games, 5000), 1))
        assert not [fault for result in results for fault in result.faults]
        assert arena.Standings([better, worse], results).pairs[(better, worse)].rate >= least


def test_god_plays_by_the_policy_before_it_evaluates_except_in_lite() -> None:
    god = LEVELS["god"]
    assert (god.in_format("6", "master").rollout, god.in_format("6", "lite").rollout) == (10, 0)
    assert god.in_format("6", "lite").playouts == god.lite_playouts > god.playouts
    changed = level_of("god:playouts=70")
    assert changed.in_format("6", "lite") is changed


def playouts_of(name: str, regulation: str) -> int:
    """Return the play-outs of the player made for a regulation."""
    player = make_player(name, Regulation.parse(regulation), 0, 1)
    assert isinstance(player, SearchPlayer)
    return player.level.playouts


def test_levels_have_settings_of_their_own_in_edition_9() -> None:
    easy, master = LEVELS["easy"], LEVELS["master"]
    assert easy.in_format("9", "lite").overlook > easy.in_format("6", "lite").overlook == easy.overlook
    assert playouts_of("master", "9:pro+strategy") < master.playouts
    assert playouts_of("master", "pro+full") == master.playouts
    assert playouts_of("master:playouts=160", "9:pro+strategy") == 160
    formats = {regulation.format.format.id for regulation in all_regulations(edition_named("9"))}
    assert {format for _, format in EDITION_9} <= formats
    assert {level for level, _ in EDITION_9} <= set(LEVELS)


@pytest.mark.parametrize("text", ["9:master+draft", "9:master+extra", "9:lite+entry16", "9:standard+rare_pack"])
def test_a_level_with_search_searches_every_choice_of_the_set_up(text: str) -> None:
    """Draft picks, the scenario hand, the rare card and trumps (N-131 to N-140), and the choices of an action."""
    regulation = Regulation.parse(text)
    known = prior_knowledge(regulation)
    level = level_of("master:playouts=8")
    players = [make_player(level, regulation, seat, 5 + seat, known) for seat in (0, 1)]
    engine = new_game(regulation, seeded(3))
    engine.advance()
    searched: dict[int, int] = {}
    while engine.winner == UNDECIDED and sum(searched.values()) < 60:
        if len(engine.options) == 1:
            engine.push(engine.options[0])
            continue
        seat, kind = int(engine.asked), int(engine.kind)
        player = players[seat]
        assert isinstance(player, SearchPlayer)
        view = PlayerView(engine, seat, known)
        option = player.choose(view, view.decision)
        assert player.search.root.visits > 0
        assert option == player.search.best(view.world)
        searched[kind] = searched.get(kind, 0) + 1
        engine.push(option)
    steps = {code for code in (step // STEP for step in regulation.rules().setup) if code in QUESTIONS}
    asked = {SETUP_KIND, TRUMP_KIND} if OPEN in steps else {SETUP_KIND} if steps else set()
    assert asked <= set(searched), searched
