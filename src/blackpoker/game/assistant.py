"""The present decision of a game as clients use it: tokens, completion, automatic passes, refusals."""

from __future__ import annotations

from collections.abc import Sequence

from blackpoker.assist.autopass import AssistSettings, PassDecision, decide
from blackpoker.assist.completion import Completion, compose
from blackpoker.assist.decision import Decision, RefusedAction, refused_actions
from blackpoker.assist.fight_selection import Blocks, FightSelection, is_fight, select
from blackpoker.assist.set_selection import PartialSelection, partial_selection
from blackpoker.engine.flow import CHANCE_KIND, NOTHING, PASS
from blackpoker.errors import IllegalMove
from blackpoker.game.game import Game
from blackpoker.game.step import seat_of
from blackpoker.notation.options import MULTI_CHOICE_KINDS, kind_name, marked_token, option_token, tokens_so_far
from blackpoker.text import refusals as reasons


class Assistant:
    """The help a client gives at the present decision of a game. It reads the live state, not a copy: use its results
    before the game moves."""

    def __init__(self, game: Game) -> None:
        self.game = game

    @property
    def kind(self) -> str:
        """Return the kind of the decision: ``chance``, ``attackers``, ``card`` …; empty when the game is over."""
        return kind_name(self.game._engine)

    @property
    def decision(self) -> Decision | None:
        """Return the present decision; None when the game is over."""
        engine = self.game._engine
        return None if engine.kind == NOTHING else Decision(engine, tokens_so_far(engine))

    def carries_out(self, player: int) -> bool:
        """Return whether a request made by this player is taking effect; raised requests do not count."""
        active = self.game._engine.active
        return active is not None and active.controller == player and not active.raised

    def token(self, option: int) -> str:
        """Return the token of an option; raise `IllegalMove` if there is none of that number."""
        try:
            if 0 <= option <= 255:
                return option_token(self.game._engine, option)
        except (LookupError, AssertionError):
            pass
        refusal = reasons.OPTION_MISFIT
        raise IllegalMove(f"option {option}: {refusal.en}", f"選択肢{option}：{refusal.ja}", refusal.ruling)

    def options_of(self, tokens: Sequence[str]) -> list[int]:
        """Return the options of a whole move; raise `IllegalMove` if the tokens are none. A pass and a single answer
        inside an effect, which are most moves, are read without a copy."""
        engine = self.game._engine
        if len(tokens) == 1 and engine.draft is None and engine.kind not in MULTI_CHOICE_KINDS:
            for option in engine.options:
                if (engine.kind != CHANCE_KIND or option == PASS) and marked_token(engine, option) == tokens[0]:
                    return [option]
        return self.game.draft(tokens, finish=True).options

    def gather(self, tokens: Sequence[str]) -> PartialSelection | None:
        """Return a part of the requested set, named in any order; None if the tokens are no such part."""
        return partial_selection(self.game._engine, tokens)

    def select(self, attackers: Sequence[str], blocks: Blocks, attacker: str, tap: str) -> FightSelection | None:
        """Return the selection of attackers or blockers after a tap on an own unit (empty: none): so far these
        ``attackers``, or the blockers of each attacker, with the one whose blockers are selected. None if neither is
        chosen now."""
        engine = self.game._engine
        return select(engine, attackers, blocks, attacker, tap) if is_fight(engine) else None

    def compose(self, tokens: Sequence[str], picks: Sequence[str], fill: bool = True) -> Completion:
        """Complete these tokens to a request with the proposed rest, using what lies at ``picks`` if possible; without
        ``fill`` return them with the actions that fit the selection."""
        return compose(self.game._engine, tokens, picks, fill)

    def automatic(self, assist: AssistSettings) -> PassDecision:
        """Return whether the asked player is asked at all with these settings, or the option that is chosen
        automatically."""
        return decide(self.game._engine, assist)

    def refused(self, player: int) -> list[RefusedAction]:
        """Return every action this player cannot request now, with the ruling that forbids it and the locations it
        could begin with, and every soldier that cannot attack."""
        return refused_actions(self.game._engine, seat_of(player))

    def why_not(self, action: str, player: int | None = None) -> reasons.Refusal | None:
        """Return why an action cannot be requested now (by the asked player, or by this one); None if it can."""
        engine = self.game._engine
        return reasons.why_not(engine, engine.asked if player is None else seat_of(player), action)
