"""A match of several games in the terminal (R-201): choice of decks, score, games."""

from __future__ import annotations

from random import Random

from rich.console import Console
from rich.text import Text

from blackpoker.ai.levels import RANDOM
from blackpoker.cli.board import coloured, signs
from blackpoker.cli.session import NAMES, Session
from blackpoker.cli.terminal_game import COMMANDS, Quit, TerminalTable
from blackpoker.errors import BlackPokerError
from blackpoker.game.game import Game
from blackpoker.game.match import DeckDecision, Match
from blackpoker.players.engine_players import Level
from blackpoker.text.resources import Lang, in_lang

MATCH_TEXTS = {
    "score": ("{0}　第{1}ゲーム　{2} {3}–{4} {5}", "{0} · game {1} · {2} {3}–{4} {5}"),
    "deck": ("デッキ{0}{1}", "deck {0}{1}"),
    "cards": ("（{0}枚）{1}", " ({0} cards) {1}"),
    "unseen": ("（{0}枚）", " ({0} cards)"),
    "won": ("マッチは{0}の勝ちです（{1}–{2}）。", "{0} wins the match, {1}–{2}."),
    "drawn": ("マッチは引き分けです（{1}–{2}）。", "The match is drawn, {1}–{2}."),
    "next": (
        "次のゲームへは Enter。undo, log, save FILE も使えます。",
        "Enter for the next game; undo, log and save FILE still work.",
    ),
}


class MatchTable(TerminalTable):
    """The terminal screen of a match. Undo is limited to the current game."""

    def __init__(
        self, match: Match, people: frozenset[int], chance: Random, lang: Lang, out: Console, level: Level = RANDOM
    ) -> None:
        self.match = match
        self.level = level
        self.people = people
        self.chance = chance
        super().__init__(self.new_session(match.game if match.game is not None else Game(match.regulation)), lang, out)

    def new_session(self, game: Game) -> Session:
        session = Session(game, self.people, self.chance, self.level)
        session.log_opening()
        return session

    def match_phrase(self, name: str, *values: object) -> str:
        return in_lang(MATCH_TEXTS[name], self.lang).format(*values)

    def play(self) -> None:
        match = self.match
        while match.outcome() is None:
            decision = match.decision
            if isinstance(decision, DeckDecision):
                self.pick_deck(decision)
                continue
            game = match.game
            assert game is not None
            if self.session.game is not game:
                self.session: Session = self.new_session(game)
                self.viewer = -1
            super().play()
            match.advance()
        outcome = match.outcome()
        assert outcome is not None
        won = "drawn" if outcome.winner is None else "won"
        winner = "" if outcome.winner is None else NAMES[outcome.winner]
        self.print_final(self.match_phrase(won, winner, *outcome.score))

    def score(self) -> str:
        first, second = self.match.series.score
        return self.match_phrase(
            "score", self.match.regulation.text, self.match.series.number, NAMES[0], first, second, NAMES[1]
        )

    def pick_deck(self, decision: DeckDecision) -> None:
        """Let a player choose a deck, hidden from the opponent."""
        match = self.match
        seat = int(decision.player)
        if seat not in self.people:
            match.push(self.chance.choice(decision.options))
            return
        if len(self.people) > 1 and seat != self.viewer:
            self.hand_over(seat)
        self.viewer: int = seat
        if self.screen:
            self.out.clear()
        self.out.print(Text(self.score(), style="bold"))
        self.out.print(Text(f"{NAMES[seat]}: {decision.prompt_in(self.lang)}", style="bold yellow"))
        for number, deck in enumerate(decision.options, 1):
            self.out.print(coloured(f"{number:>2} {self.deck(seat, deck)}"))
        if self.message:
            self.out.print(Text(self.message, style="red"))
        self.message = ""
        text = self.read()
        word, _, rest = text.partition(" ")
        command = COMMANDS.get(word.casefold())
        if command == "quit":
            raise Quit
        if command in ("save", "lang", "help"):
            self.command(command, rest.strip())
        elif text in [str(number) for number in range(1, len(decision.options) + 1)]:
            match.push(decision.options[int(text) - 1])
        else:
            try:
                match.push_text(text)
            except BlackPokerError as error:
                self.message: str = error.ja if self.lang == "ja" else error.en

    def deck(self, seat: int, deck: int) -> str:
        """Return a deck, with its cards if the seat may know them."""
        shown = self.match.view(seat).decks[("p1", "p2")[seat]][deck - 1].cards
        n = len(self.match.decks[seat][deck - 1].cards)
        contents = self.match_phrase("unseen", n) if shown is None else self.match_phrase("cards", n, signs(shown))
        return self.match_phrase("deck", deck, contents)

    def print_why_not(self, action: str) -> None:
        if self.match.game is self.session.game:  # not during the choice of decks
            super().print_why_not(action)

    def after_words(self) -> str:
        return self.match_phrase("next")

    def saved_text(self) -> str:
        return self.match.to_json()

    def unsaved(self) -> bool:
        return self.match.outcome() is None
