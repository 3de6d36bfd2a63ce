"""Hints for the player to decide: first a general idea, then the move. The search uses only what the seat knows, so
a hint reveals nothing hidden.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from blackpoker import Game
from blackpoker.assist import draft_text
from blackpoker.game.assistant import Assistant
from blackpoker.learn.puzzles.text import move_text
from blackpoker.players.analysis import Analysis, analyse
from blackpoker.text.markup import RichText
from blackpoker.text.resources import Bilingual, Lang

#: play-outs for one hint
PLAYOUTS: Final = 800
#: smallest difference of win chance between the best two choices that matters
CLOSE: Final = 0.02

THOUGHTS: Final[dict[str, Bilingual]] = {
    "chance": Bilingual("いまの勝率は、およそ{0}%です。", "Your chance to win is about {0} %."),
    "let": Bilingual("ここは、何もしなくてもよさそうです。", "You can let this be."),
    "act": Bilingual("{0}を考えてみましょう。", "Think of this kind of action: {0}."),
    "turn": Bilingual("ターンの進め方を考えてみましょう。", "Think of how to go on with the turn."),
    "nobody": Bilingual("ここは、アタックしないほうがよさそうです。", "It looks better not to attack."),
    "attack": Bilingual("{0}体でアタックするのがよさそうです。", "Attacking looks right; number of attackers: {0}."),
    "unblocked": Bilingual("ここは、ブロックしなくてもよさそうです。", "You need not block this."),
    "block": Bilingual("ブロックしたほうがよさそうです。", "It looks better to block."),
    "close": Bilingual("どれを選んでも、大きな差はありません。", "It hardly matters which you choose."),
    "matters": Bilingual("選び方で、勝率が{0}ポイント変わります。", "The choice matters: {0} points of your chance."),
}


@dataclass(frozen=True)
class Hint:
    """The preferred move of a decision and its lead in win chance over the second best."""

    game: Game
    best: str
    chance: float
    lead: float

    def thought(self, lang: Lang) -> str:
        """Return the general idea, without the answer."""
        name, *given = self._thought(lang)
        thought, chance = (THOUGHTS[one].in_lang(lang) for one in (name, "chance"))
        return f"{thought.format(*given)} {chance.format(round(100 * self.chance))}"

    def _thought(self, lang: Lang) -> tuple[str, ...]:
        words = self.best.split()
        if Assistant(self.game).kind == "attackers":
            return ("nobody",) if words == ["done"] else ("attack", str(len([one for one in words if one != "done"])))
        if Assistant(self.game).kind == "blockers":
            return ("unblocked",) if words == ["done"] else ("block",)
        if Assistant(self.game).kind == "chance":
            if words == ["pass"]:
                return ("let",)
            action = self.game.regulation.edition.find(words[0].removesuffix("@"), "actions")
            return ("turn",) if action.advances_turn else ("act", action.kind.ja if lang == "ja" else action.kind.en)
        return ("close",) if self.lead < CLOSE else ("matters", str(round(100 * self.lead)))

    def move(self, lang: Lang) -> RichText:
        """Return the move, worded like the buttons that make it."""
        game = self.game
        if Assistant(game).kind in ("attackers", "blockers"):
            return RichText(move_text(game, self.best, lang))
        whole = draft_text.request_text(game.draft(game.parse(self.best)), lang)
        if whole.text or game.decision is None:
            return whole
        labels = {word.text: word.rich_label(lang) for word in game.decision.options}
        found = [labels[word] for word in self.best.split() if word in labels]
        between = "、" if lang == "ja" else ", "
        return found[0] if len(found) == 1 else RichText(between.join(one.text for one in found))


def hint(game: Game, playouts: int = PLAYOUTS, seed: int = 1) -> Hint:
    """Return a hint for the player to decide, based on what that player knows."""
    found: Analysis = analyse(game, playouts, 2, seed, as_seat=True)
    best = found.moves[0]
    lead = best.chance - found.moves[1].chance if len(found.moves) > 1 else 0.0
    return Hint(game, best.text, best.chance, max(0.0, lead))
