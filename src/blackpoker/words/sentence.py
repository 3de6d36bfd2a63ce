"""Saying a sentence word by word on a copy of the game: the one place that pushes words until the sentence ends."""

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
    """The words said so far. ``engine`` stands after them; the game they are said in does not move."""

    def __init__(self, engine: Engine) -> None:
        self.engine: Engine = engine.copy()
        self.player: int = int(engine.asked)
        self.options: list[int] = []
        self.words: list[str] = []  # as they stand in a sentence: "summon_soldier", "S5", "$b1"
        self.complete: bool = False
        self._wording = SentenceWriter()

    def push(self, option: int) -> None:
        """Say the word of an offered option."""
        s = self.engine
        before = place_of(s)
        self.words.append(marked(s, option))
        self.options.append(option)
        self._wording.add(s, option)
        s.push(option)
        self._wording.after(s, before[0], option)
        self.complete = not goes_on(s, before)

    def say(self, text: str) -> None:
        """Say a word of the notation; IllegalMove tells why it cannot be said here."""
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
        """Say the beginning of a sentence as ``text`` writes it: without the words that are understood."""
        words = text.replace(";", "").split()
        for place, said in enumerate(words):
            understood = said in (MAIN_WORD, QUICK_WORD) and self.engine.kind != COST_KIND
            if understood or said.endswith(":"):  # the attacker that is being blocked
                continue
            driven = said + "@"  # a character is driven for it: it names itself next
            offered = [word(self.engine, option) for option in self.engine.options]
            names_itself = said not in offered or " ".join(words[place + 1 :]).startswith("@")
            self.say(driven if names_itself and driven in offered else said)

    def finish(self) -> None:
        """End it: where it stops at a choice of several things, ``done`` is understood. Else IllegalMove."""
        while self.options and not self.complete and self.engine.kind in SEVERAL and DONE in self.engine.options:
            self.push(DONE)
        if not self.complete:
            raise IllegalMove("the sentence is not complete", "文が途中です", "R-30")

    @property
    def text(self) -> str:
        """What has been said, in the canonical notation."""
        return self._wording.text()

    @property
    def move(self) -> Move:
        """The sentence as a move to push."""
        return Move(self.player, tuple(self.options), self.text)


def refused(text: str, why: reasons.Refusal) -> IllegalMove:
    shown = text[:40]
    return IllegalMove(f"{shown!r}: {why.en}", f"「{shown}」：{why.ja}", why.ruling)
