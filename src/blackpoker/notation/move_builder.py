"""Construction of a move token by token on a copy of the game: the only place that pushes tokens until the move
ends."""

from __future__ import annotations

from collections.abc import Iterable

from blackpoker.engine.engine import Engine
from blackpoker.engine.locations import PLAYERS
from blackpoker.engine.state import COST_KIND, DONE
from blackpoker.errors import IllegalMove
from blackpoker.notation.move import Move, MoveWriter
from blackpoker.notation.options import MAIN_TOKEN, MULTI_CHOICE_KINDS, QUICK_TOKEN, marked_token, option_token
from blackpoker.notation.refusals import refusal_of_token
from blackpoker.text import refusals as reasons


class MoveBuilder:
    """The tokens of a move so far. ``engine`` is the state after them; the game itself does not change."""

    def __init__(self, engine: Engine) -> None:
        self._engine: Engine = engine.copy()
        self.seat: int = int(engine.asked)  # of the player who moves
        self.options: list[int] = []
        self.words: list[str] = []  # with their marks: "summon_soldier", "S5", "$b1"
        self.complete: bool = False
        self._writer = MoveWriter()

    def push(self, option: int) -> None:
        """Append the token of an option; raise `IllegalMove` if it is not offered."""
        s = self._engine
        if option not in s.options:
            refusal = reasons.OPTION_MISFIT
            raise IllegalMove(f"option {option}: {refusal.en}", f"選択肢{option}：{refusal.ja}", refusal.ruling)
        self.words.append(marked_token(s, option))
        self.options.append(option)
        self.complete = not self._writer.push(s, option)

    def append(self, text: str) -> None:
        """Append a token of the notation; raise `IllegalMove` with the reason if it is not offered."""
        s = self._engine
        if not self.complete:
            for option in s.options:
                if marked_token(s, option) == text or option_token(s, option) == text:
                    self.push(option)
                    return
        raise illegal_token(text, reasons.OPTION_MISFIT if self.complete else refusal_of_token(s, text))

    def extend(self, tokens: Iterable[str]) -> None:
        for text in tokens:
            self.append(text)

    def extend_text(self, text: str) -> None:
        """Append the beginning of a move as written in a record, without the implied tokens."""
        tokens = text.replace(";", "").split()
        for index, token in enumerate(tokens):
            implied = token in (MAIN_TOKEN, QUICK_TOKEN) and self._engine.kind != COST_KIND
            if implied or token.endswith(":"):  # a colon follows the blocked attacker
                continue
            driven_token = token + "@"  # a character driven for the action names itself next
            offered = [option_token(self._engine, option) for option in self._engine.options]
            names_itself = token not in offered or " ".join(tokens[index + 1 :]).startswith("@")
            self.append(driven_token if names_itself and driven_token in offered else token)

    def finish(self) -> None:
        """End the move: at a choice of several elements ``done`` is implied. Raise `IllegalMove` if it is still
        incomplete."""
        while (
            self.options
            and not self.complete
            and self._engine.kind in MULTI_CHOICE_KINDS
            and DONE in self._engine.options
        ):
            self.push(DONE)
        if not self.complete:
            raise IllegalMove("the sentence is not complete", "文が途中です", "R-30")

    @property
    def text(self) -> str:
        """Return the move so far in canonical notation."""
        return self._writer.text()

    @property
    def move(self) -> Move:
        """Return the move to push."""
        return Move(PLAYERS[self.seat], tuple(self.options), self.text)


def illegal_token(text: str, reason: reasons.Refusal) -> IllegalMove:
    return IllegalMove(reason.en, reason.ja, reason.ruling, text[:40])
