"""Construction of a move token by token on a copy of the game: the only place that pushes tokens until the move
ends."""

from __future__ import annotations

from collections.abc import Iterable

from blackpoker.errors import IllegalMove
from blackpoker.rules.engine import Engine
from blackpoker.rules.state import COST_KIND, DONE
from blackpoker.texts import refusals as reasons
from blackpoker.words.moves import Move, SentenceWriter, goes_on, place_of
from blackpoker.words.tokens import MAIN_WORD, QUICK_WORD, SEVERAL, marked, word
from blackpoker.words.why import why_not_word


class Sentence:
    """The tokens of a move so far. ``engine`` is the state after them; the game itself does not change."""

    def __init__(self, engine: Engine) -> None:
        self.engine: Engine = engine.copy()
        self.player: int = int(engine.asked)
        self.options: list[int] = []
        self.words: list[str] = []  # with their marks: "summon_soldier", "S5", "$b1"
        self.complete: bool = False
        self._wording = SentenceWriter()

    def push(self, option: int) -> None:
        """Append the token of an offered option."""
        s = self.engine
        before = place_of(s)
        self.words.append(marked(s, option))
        self.options.append(option)
        self._wording.add(s, option)
        s.push(option)
        self._wording.after(s, before[0], option)
        self.complete = not goes_on(s, before)

    def say(self, text: str) -> None:
        """Append a token of the notation; raise `IllegalMove` with the reason if it is not offered."""
        s = self.engine
        if not self.complete:
            for option in s.options:
                if marked(s, option) == text or word(s, option) == text:
                    self.push(option)
                    return
        raise refused(text, reasons.WORD_MISFIT if self.complete else why_not_word(s, text))

    def say_all(self, words: Iterable[str]) -> None:
        for text in words:
            self.say(text)

    def say_written(self, text: str) -> None:
        """Append the beginning of a move as written in a record, without the implied tokens."""
        words = text.replace(";", "").split()
        for place, said in enumerate(words):
            understood = said in (MAIN_WORD, QUICK_WORD) and self.engine.kind != COST_KIND
            if understood or said.endswith(":"):  # a colon follows the blocked attacker
                continue
            driven = said + "@"  # a character driven for the action names itself next
            offered = [word(self.engine, option) for option in self.engine.options]
            names_itself = said not in offered or " ".join(words[place + 1 :]).startswith("@")
            self.say(driven if names_itself and driven in offered else said)

    def finish(self) -> None:
        """End the move: at a choice of several elements ``done`` is implied. Raise `IllegalMove` if it is still
        incomplete."""
        while self.options and not self.complete and self.engine.kind in SEVERAL and DONE in self.engine.options:
            self.push(DONE)
        if not self.complete:
            raise IllegalMove("the sentence is not complete", "文が途中です", "R-30")

    @property
    def text(self) -> str:
        """Return the move so far in canonical notation."""
        return self._wording.text()

    @property
    def move(self) -> Move:
        """Return the move to push."""
        return Move(self.player, tuple(self.options), self.text)


def refused(text: str, why: reasons.Refusal) -> IllegalMove:
    shown = text[:40]
    return IllegalMove(f"{shown!r}: {why.en}", f"「{shown}」：{why.ja}", why.ruling)
