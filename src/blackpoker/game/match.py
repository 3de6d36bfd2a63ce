"""Matches of several games: one deck or two per player, the choice of a deck, the winner (R-201…R-203).

``Series`` keeps the score and knows no game; ``Match`` plays it. The choice of a deck is a decision like any other; the
game's own decisions follow, then the next choice.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Sequence
from typing import Any, Final

from blackpoker.assist.decision import Decision
from blackpoker.engine.cards import BIT, NAMES, parse_card
from blackpoker.engine.locations import PLAYERS
from blackpoker.engine.shuffler import LARGEST_SEED, folded, seeded
from blackpoker.engine.views import DecisionView, DeckView, MatchView, Player, ResultView
from blackpoker.errors import IllegalMove, UnreadableText, WrongType, WrongValue
from blackpoker.game.game import Game
from blackpoker.game.series import Series, read_pair
from blackpoker.game.step import checked_audience, seat_of
from blackpoker.notation.limits import MOST_FILE, MOST_MOVE, checked_text
from blackpoker.notation.state_check import cards_of
from blackpoker.ruleset import (
    FIXED,
    RANDOM,
    Deck,
    DeckError,
    DeckList,
    Edition,
    Regulation,
    check_decks,
    edition_for_record,
    edition_named,
    make_decks,
    read_regulation,
)

VERSION: Final = 1


class MatchOutcome:
    """The result of a match; ``winner`` is None for a drawn one."""

    def __init__(self, winner: Player | None, score: tuple[int, int]) -> None:
        self.winner = winner
        self.score = score

    def __eq__(self, other: object) -> bool:
        return isinstance(other, MatchOutcome) and (self.winner, self.score) == (other.winner, other.score)

    def __hash__(self) -> int:
        return hash((self.winner, self.score))

    def __repr__(self) -> str:
        first, second = self.score
        return f"MatchOutcome({'draw' if self.winner is None else self.winner}, {first}-{second})"


class DeckDecision:
    """The choice of a deck for the next game, with the interface of a game's ``Decision``."""

    kind: Final = "deck"

    def __init__(self, player: Player, decks: Sequence[int]) -> None:
        self.player = player
        self.options: list[int] = list(decks)

    @property
    def words(self) -> list[str]:
        return [f"deck {deck}" for deck in self.options]

    @property
    def prompt(self) -> str:
        return self.prompt_in("en")

    def prompt_in(self, lang: str, name: str = "") -> str:
        """Return the prompt in ``ja`` or ``en``. It names the player, because two players may share a screen; ``name``:
        the name to use."""
        name = name or self.player.upper()
        return f"{name}：使うデッキを選んでください。" if lang == "ja" else f"{name}: Choose the deck to play."

    def __eq__(self, other: object) -> bool:
        return isinstance(other, DeckDecision) and (self.player, self.options) == (other.player, other.options)

    def __hash__(self) -> int:
        return hash((self.player, *self.options))

    def __repr__(self) -> str:
        return f"Decision({self.player} deck: {' '.join(self.words)})"


class Match:
    """A match of a regulation: one game with one deck each, or up to three wins-counting games with two."""

    def __init__(
        self,
        regulation: str | Regulation = "master+full",
        seed: int | None = None,
        decks: Sequence[DeckList | None] = (None, None),
    ) -> None:
        """``decks``: for each player a deck file that was read, or None for the regulation's own decks. Raise
        `UnreadableText` for decks the regulation does not allow."""
        self.regulation: Regulation = read_regulation(regulation)
        self.seed = seed
        source = seeded(secrets.randbits(62) if seed is None else seed)
        if len(decks) != 2:
            raise UnreadableText("decks are two, one per player", "デッキは2つ（プレイヤーごとに1つ）です")
        for given in decks:
            if given is not None and not isinstance(given, DeckList):
                raise WrongType(f"the decks of a player are a DeckList or None, not {given!r}")
        try:
            self.decks: list[tuple[Deck, ...]] = [make_decks(self.regulation, source, given) for given in decks]
        except DeckError as error:
            raise UnreadableText("; ".join(error.defects), "、".join(error.defects_ja)) from error
        self.names: list[str] = ["", ""]
        self.series: Series = Series(self.regulation.frame.decks)
        self.game: Game | None = None
        self.games: list[Game | str] = []  # finished games; in a match that was loaded they are records
        self.picked: list[list[int]] = []  # the decks of every game started
        self.top_cards: list[dict[int, int]] = [{}, {}]  # by player and retired deck: the card on top
        self.advance()

    # -- playing ---------------------------------------------------------------------------------------------------

    def advance(self) -> None:
        """Start the game when both players have picked, and count it when it is over. In a match of two decks even a
        pick with one possibility is a decision: until it is made, the deck just used may be looked through (R-201)."""
        series = self.series
        while True:
            game = self.game
            if game is not None:
                over = game.outcome()
                if over is None:
                    return
                self._count(game)
            if series.over:
                return
            for player in (0, 1):
                if series.picks[player] == 0 and self.regulation.frame.decks == 1:
                    series.pick(player, series.available_decks(player)[0])
            if not series.playing:
                return
            self.start_game()

    def _count(self, game: Game) -> None:
        """Count the finished game. A retired deck lies face up: one of its cards, drawn, is visible (R-201)."""
        over = game.outcome()
        winner = None if over is None or over.winner is None else int(over.winner)
        self.games.append(game)
        self.game = None
        self.series.record(winner)
        if winner is not None and self.series.decks > 1:
            deck = self.series.last[winner]
            cards = self.decks[winner][deck - 1].cards
            self.top_cards[winner].setdefault(deck, cards[game._engine.source.copy().below(len(cards))])

    def start_game(self) -> None:
        """Start the next game. R-203: every game is set up anew, the first player too."""
        self.picked.append(self.series.picks[:])
        chosen = [self.decks[player][self.series.picks[player] - 1] for player in (0, 1)]
        base = self.short_seed()
        # kept to 64 bits: the games of a seed stay those of earlier versions
        seed = None if base is None else (base * 1_000_003 + len(self.picked)) & LARGEST_SEED
        self.game = Game(self.regulation, seed, decks=chosen)
        self.game.names = self.names[:]

    def short_seed(self) -> int | None:
        """Return the seed as it is saved: in 64 bits."""
        seed = self.seed
        return seed if seed is None or 0 <= seed <= LARGEST_SEED else folded(seed)

    @property
    def player(self) -> Player:
        """Return the player who must choose; raise `IllegalMove` when the match is over."""
        if self.game is not None:
            return self.game.player
        asked = self.series.to_pick()
        if asked < 0:
            raise IllegalMove("the match is over", "マッチは終わっています", "R-201")
        return PLAYERS[asked]

    @property
    def options(self) -> list[int]:
        """Return the options of the game in play, or the numbers of the decks that may be picked."""
        if self.game is not None:
            return self.game.options
        player = self.series.to_pick()
        return [] if player < 0 else self.series.available_decks(player)

    @property
    def decision(self) -> Decision | DeckDecision | None:
        if self.game is not None:
            return self.game.decision
        player = self.series.to_pick()
        return None if player < 0 else DeckDecision(PLAYERS[player], self.series.available_decks(player))

    def push(self, option: int) -> None:
        """Choose an option of the game in play, or a deck; raise `IllegalMove` if it is not offered."""
        if self.game is not None:
            self.game.push(option)
        else:
            player = int(self.player)
            if type(option) is not int:
                raise WrongType(f"a deck is picked by its number, not by {option!r}")
            self.series.pick(player, option)
        self.advance()

    def push_text(self, text: str, player: int | None = None) -> None:
        """Push a move of the game in play, or pick a deck with ``deck 2``."""
        text = checked_text(text, MOST_MOVE, "a move", "手")
        if self.game is not None:
            self.game.push_text(text, player)
            self.advance()
            return
        words = text.split()
        if len(words) != 2 or words[0].casefold() not in ("deck", "デッキ") or words[1] not in ("1", "2"):
            raise UnreadableText(
                f"{text!r} picks no deck; write 'deck 1' or 'deck 2'", f"「{text}」ではデッキを選べません"
            )
        if player is not None and player != self.series.to_pick():
            raise IllegalMove("the other player is the one to choose", "選ぶのは相手です", "R-201")
        self.push(int(words[1]))

    def end(self, how: str, player: int) -> None:
        """End the game in play from outside the rules, as ``Game.end`` does; raise `IllegalMove` if there is none."""
        if self.game is None:
            raise IllegalMove("no game is being played", "ゲーム中ではありません", "R-223")
        self.game.end(how, player)
        self.advance()

    def outcome(self) -> MatchOutcome | None:
        return (
            MatchOutcome(None if self.series.winner is None else PLAYERS[self.series.winner], self.series.score)
            if self.series.over
            else None
        )

    def copy(self) -> Match:
        """Return an independent match in the same state, with the same history."""
        new = Match.__new__(Match)
        new.regulation = self.regulation
        new.seed = self.seed
        new.decks = self.decks[:]
        new.names = self.names[:]
        new.series = self.series.copy()
        new.game = None if self.game is None else self.game.copy()
        new.games = [game if isinstance(game, str) else game.copy() for game in self.games]
        new.picked = [picks[:] for picks in self.picked]
        new.top_cards = [dict(decks) for decks in self.top_cards]
        return new

    def __copy__(self) -> Match:
        return self.copy()

    def __deepcopy__(self, memo: object) -> Match:
        return self.copy()

    # -- looking ---------------------------------------------------------------------------------------------------

    def may_know_deck(self, viewer: int, owner: int, deck: int) -> bool:
        """Return whether this seat may know the cards of a deck (R-201)."""
        build = self.regulation.frame.build
        if build == FIXED or self.series.over:
            return True
        return viewer == owner and (build != RANDOM or deck in self.series.viewable_decks(owner))

    def view(self, audience: int) -> MatchView:
        """Return all that this audience may know of the match and of the game in play."""
        series = self.series
        audience = checked_audience(audience)
        over = self.outcome()
        revealed = series.playing  # before that each pick is secret
        decision: DecisionView | None = None
        if self.game is None and not series.over:
            asked = series.to_pick()
            options = [f"deck {deck}" for deck in series.available_decks(asked)] if asked == audience else []
            decision = DecisionView(PLAYERS[asked], "deck", options, [], [])
        return MatchView(
            regulation=self.regulation.text,
            number=series.number,
            replay=series.draws,
            score=dict(zip(PLAYERS, series.score, strict=True)),
            picks={
                name: series.picks[seat] or None if revealed or seat == audience else None
                for seat, name in enumerate(PLAYERS)
            },
            decks={
                name: [self.deck_view(audience, seat, number) for number in range(1, len(self.decks[seat]) + 1)]
                for seat, name in enumerate(PLAYERS)
            },
            viewable_decks={name: series.viewable_decks(seat) for seat, name in enumerate(PLAYERS)},
            decision=decision,
            game=None if self.game is None else self.game.view(audience),
            over=None if over is None else ResultView(over.winner, ""),
        )

    def deck_view(self, audience: int, owner: int, deck: int) -> DeckView:
        """Return the view of a deck. A retired deck is a pile that lies face up: its top card is public, the rest is
        not (R-201)."""
        self._check_deck(owner, deck)
        cards = [NAMES[card] for card in self.decks[owner][deck - 1].cards]
        retired = deck in self.series.retired(owner)
        top = NAMES[self.top_cards[owner][deck]] if retired else None
        return DeckView(deck, retired, top, cards if self.may_know_deck(audience, owner, deck) else None)

    def _check_deck(self, owner: int, deck: int) -> None:
        """Raise `WrongValue` unless there is a deck of this number."""
        if not 1 <= deck <= len(self.decks[seat_of(owner)]):
            raise WrongValue(f"there is no deck {deck!r}")

    def inspect_deck(self, player: int, deck: int) -> list[str]:
        """Return the cards of an own deck; raise `IllegalMove` if its owner may not look through it now."""
        self._check_deck(player, deck)
        if deck not in self.series.viewable_decks(player) and not self.may_know_deck(player, player, deck):
            raise IllegalMove(f"deck {deck} may not be looked through now", f"デッキ{deck}はいま見られません", "R-201")
        return [NAMES[card] for card in self.decks[player][deck - 1].cards]

    # -- texts -----------------------------------------------------------------------------------------------------

    def to_json(self) -> str:
        """Return the state as text; ``from_json`` continues from here. Finished games are stored as their records."""
        data = {
            "blackpoker_match": VERSION,
            "edition": self.regulation.edition.text,
            "regulation": self.regulation.text,
            "seed": self.short_seed(),
            "names": self.names,
            "decks": [[" ".join(NAMES[card] for card in deck.cards) for deck in decks] for decks in self.decks],
            "picked": self.picked,
            "seen": [{str(deck): NAMES[card] for deck, card in decks.items()} for decks in self.top_cards],
            "games": [game if isinstance(game, str) else game.record() for game in self.games],
            "series": self.series.dump(),
            "game": None if self.game is None else json.loads(self.game.to_json()),
        }
        return json.dumps(data, ensure_ascii=False, sort_keys=True, separators=(",", ":"))

    @classmethod
    def from_json(cls, text: str, edition: Edition | None = None) -> Match:
        from blackpoker.formats.savegame import parse_json

        data = parse_json(text, "a saved match")
        if not isinstance(data, dict) or data.get("blackpoker_match") != VERSION:
            raise UnreadableText("this is no saved match of this version")
        edition = _edition_of(str(data.get("edition")), edition)
        new = cls._empty(str(data.get("regulation")), data.get("decks"), edition)
        seed = data.get("seed")
        new.seed = seed if type(seed) is int else None
        names = data.get("names")
        if isinstance(names, list) and len(names) == 2:
            new.names = [str(name) for name in names]
        picked = data.get("picked")
        games = data.get("games")
        if not isinstance(picked, list) or not isinstance(games, list):
            raise UnreadableText("a saved match: 'picked' and 'games' must be lists")
        new.picked = [read_pair({"picked": picks}, "picked", len(new.decks[0])) for picks in picked]
        records = [str(each) for each in games]
        new.games = [*records]
        series = data.get("series")
        game = data.get("game")
        if not isinstance(series, dict):
            raise UnreadableText("a saved match: 'series' is missing")
        if len(new.picked) != len(games) + (1 if game is not None else 0):
            raise UnreadableText("a saved match: 'picked' does not fit its games")
        for picks, record in zip(new.picked, records, strict=False):
            finished = Game.from_record(record, edition=edition)
            new._admit(picks, finished)
            over = finished.outcome()
            if over is None:
                raise UnreadableText("a saved match: a game goes on after one that is not over")
            new.series.record(None if over.winner is None else int(over.winner))
        if game is not None:
            new.game = Game.from_json(json.dumps(game), edition=edition)
            new._admit(new.picked[-1], new.game)
        elif not new.series.over:
            new._pick(read_pair(series, "picks", len(new.decks[0])))
            if new.series.playing:
                raise UnreadableText("a saved match: the game in play is missing")
        if new.series.dump() != series:
            raise UnreadableText("a saved match: its series is not that of its games")
        new._read_top_cards(data.get("seen", [{}, {}]))
        new.advance()
        return new

    def _pick(self, picks: Sequence[int]) -> None:
        """Pick the decks of these numbers, 0 for none; raise `UnreadableText` if one may not be picked."""
        try:
            for seat, deck in enumerate(picks):
                if deck:
                    self.series.pick(seat, deck)
        except IllegalMove as error:
            raise UnreadableText(error.en, error.ja) from error

    def _admit(self, picks: Sequence[int], game: Game) -> None:
        """Pick the decks of a game that was read; raise `UnreadableText` unless it is played with them."""
        self._pick(picks)
        if not self.series.playing:
            raise UnreadableText("a match: a game without picked decks")
        if game.regulation != self.regulation:
            raise UnreadableText("a match: its game is of another regulation")
        for seat, deck in enumerate(picks):
            chosen = self.decks[seat][deck - 1]
            cards = chosen.left_out if self.regulation.pack else 0
            if cards_of(game._engine, seat) != sum(BIT[card] for card in chosen.cards) | cards:
                raise UnreadableText(f"a match: its game is played with other cards of {PLAYERS[seat]}")

    @classmethod
    def _empty(cls, regulation: str, decks: Any, edition: Edition) -> Match:
        """Return a match with these decks and no game."""
        new = cls.__new__(cls)
        new.regulation = read_regulation(regulation, edition)
        n = new.regulation.frame.decks
        if (
            not isinstance(decks, list)
            or len(decks) != 2
            or not all(isinstance(d, list) and len(d) == n for d in decks)
        ):
            raise UnreadableText(f"a saved match: 'decks' must be two lists of {n}")
        new.decks = [tuple(_read_deck(deck) for deck in own) for own in decks]
        for own in new.decks:
            try:
                check_decks(own, new.regulation)
            except DeckError as error:
                raise UnreadableText("; ".join(error.defects), "、".join(error.defects_ja)) from error
        new.seed = None
        new.names = ["", ""]
        new.series = Series(n)
        new.game = None
        new.games = []
        new.picked = []
        new.top_cards = [{}, {}]
        return new

    def _read_top_cards(self, data: Any) -> None:
        """Read the visible cards of retired decks. Older saved matches lack them; then they are drawn now."""
        if not isinstance(data, list) or len(data) != 2 or not all(isinstance(decks, dict) for decks in data):
            raise UnreadableText("a saved match: 'seen' must be two tables of decks")
        for owner, decks in enumerate(data):
            for deck in self.series.retired(owner):
                cards = self.decks[owner][deck - 1].cards
                card = parse_card(str(decks[str(deck)])) if str(deck) in decks else secrets.choice(cards)
                if card not in cards:
                    raise UnreadableText(f"a saved match: {decks[str(deck)]!r} is no card of that deck")
                self.top_cards[owner][deck] = card

    def record(self) -> str:
        """Return the whole match as text: its decks, and the record of every game with the decks picked for it."""
        lines = ["BlackPoker match", f"regulation: {self.regulation.text}"]
        for seat, name in enumerate(PLAYERS):
            if self.names[seat]:
                lines.append(f"{name}: {self.names[seat]}")
            for number, deck in enumerate(self.decks[seat], 1):
                lines.append(f"{name} deck {number}: {' '.join(NAMES[card] for card in deck.cards)}")
        games = self.games + ([self.game] if self.game is not None else [])
        for game, picks in zip(games, self.picked, strict=True):
            lines.append(f"--- game decks {picks[0]} {picks[1]}")
            lines.append((game if isinstance(game, str) else game.record()).rstrip("\n"))
        for name, decks in zip(PLAYERS, self.top_cards, strict=True):
            lines += [f"--- seen {name} {deck} {NAMES[card]}" for deck, card in decks.items()]
        picked = [f"{name} {deck}" for name, deck in zip(PLAYERS, self.series.picks, strict=True) if deck]
        if self.game is None and picked:
            lines.append(f"--- picked {' '.join(picked)}")
        lines.append("--- end")
        return "\n".join(lines) + "\n"

    @classmethod
    def from_record(cls, text: str, seed: int | None = None, edition: Edition | None = None) -> Match:
        """Return the match of a record; ``seed`` is for the games still to come. Raise `UnreadableText` if it is no
        valid record."""
        text = checked_text(text, MOST_FILE, "a record of a match", "マッチの棋譜")
        head, *parts = text.replace("\r\n", "\n").split("\n--- ")
        lines = head.splitlines()
        if not lines or lines[0].strip() != "BlackPoker match":
            raise UnreadableText("this is no record of a match: its first line must be 'BlackPoker match'")
        facts = {key.strip(): value.strip() for key, _, value in (line.partition(":") for line in lines[1:])}
        decks = [[facts[f"{name} deck {n}"] for n in (1, 2) if f"{name} deck {n}" in facts] for name in PLAYERS]
        edition = edition_named() if edition is None else edition  # the record of each game names its own
        new = cls._empty(facts.get("regulation", ""), decks, edition)
        new.seed = seed
        new.names = [facts.get(name, "") for name in PLAYERS]
        for part in parts:
            title, _, body = part.partition("\n")
            if title.split() == ["end"]:
                break
            new._read_part(title, body, edition)
        new.advance()
        return new

    def _read_part(self, title: str, body: str, edition: Edition) -> None:
        """Read the part of a record after a line of dashes."""
        words = title.split()
        if words[:2] == ["game", "decks"] and len(words) == 4 and {words[2], words[3]} <= {"1", "2"}:
            if self.game is not None:
                raise UnreadableText("a record of a match: a game goes on after one that is not over")
            picks = [int(words[2]), int(words[3])]
            self.picked.append(picks)
            self.game = Game.from_record(body, edition=edition)
            self._admit(picks, self.game)
            self._count_recorded()
        elif words[:1] == ["seen"] and len(words) == 4 and words[1] in PLAYERS:
            owner, deck, card = PLAYERS.index(words[1]), words[2], parse_card(words[3])
            if deck not in map(str, self.top_cards[owner]) or card not in self.decks[owner][int(deck) - 1].cards:
                raise UnreadableText(f"a record of a match: {title!r} is no card of a retired deck")
            self.top_cards[owner][int(deck)] = card
        elif words[:1] == ["picked"]:
            if len(words) % 2 == 0:
                raise UnreadableText(f"a record of a match: {title!r} is no pick")
            for name, deck in zip(words[1::2], words[2::2], strict=True):
                if name not in PLAYERS or deck not in ("1", "2"):
                    raise UnreadableText(f"a record of a match: {title!r} is no pick")
                self._pick([int(deck) if seat == name else 0 for seat in PLAYERS])
        else:
            raise UnreadableText(f"a record of a match: {title!r} is not understood")

    def _count_recorded(self) -> None:
        """Count the game just read if it is over, without starting the next."""
        game = self.game
        assert game is not None
        over = game.outcome()
        if over is not None:
            self._count(game)

    def __repr__(self) -> str:
        over = self.outcome()
        first, second = self.series.score
        where = repr(over) if over is not None else repr(self.decision)
        return f"Match({self.regulation.text}, game {self.series.number}, {first}-{second}, {where})"


def _edition_of(named: str, edition: Edition | None) -> Edition:
    """Return the edition; raise `UnreadableText` if it is not the named one."""
    edition = edition_for_record(named) if edition is None else edition
    if not edition.matches(named):
        ja, en = edition.mismatch_text(named)
        raise UnreadableText(f"a saved match: {en}", f"保存したマッチ：{ja}")
    return edition


def _read_deck(text: Any) -> Deck:
    cards = [parse_card(word) for word in text.split()] if isinstance(text, str) else [-1]
    if any(card < 0 for card in cards) or len(set(cards)) != len(cards):
        raise UnreadableText(f"a saved match: {text!r} is no deck")
    return Deck(tuple(sorted(cards)))
