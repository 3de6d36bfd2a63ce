"""Random streams of one game's seed.

A game's seed deals its cards. Every other use of chance adds one of these offsets, so that the streams do not overlap.
Results of the lab, the arena and the native games depend on the values: do not change them.
"""

from __future__ import annotations

from typing import Final

#: random choices in trial games and in native play-outs
CHOICE_STREAM: Final = 2**40
#: trumps chosen at random in trial games, arena and lab
TRUMP_STREAM: Final = 2**41
#: the players of arena and lab, by game and seat
PLAYER_STREAM: Final = 2**42
#: the dice of an arm of the lab, and of the opponent built into a native batch
DICE_STREAM: Final = 2**43
#: the following games of a row of a native batch
GAME_STREAM: Final = 2**44

#: number of the sealed stream that deals a match's random decks; its games follow, one stream each
SEALED_DECK_STREAM: Final = 0
