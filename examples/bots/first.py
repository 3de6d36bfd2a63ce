"""A first bot: it attacks with all soldiers whenever possible, else it builds, else it takes the default option.

blackpoker arena -p examples/bots/first.py:Bot,random,easy -n 40
"""

from blackpoker.assist.decision import Decision
from blackpoker.players.player_view import PlayerView

FIRST_TO_LAST = ("attack", "summon_hero", "summon_ace", "summon_soldier", "set_bulwark")


class Bot:
    def choose(self, seat: PlayerView, decision: Decision) -> int | str:
        for word in FIRST_TO_LAST:
            if word in decision.words:
                return word
        if decision.kind == "attackers":
            return decision.words[0]  # asked again until no soldier is left
        return decision.default
