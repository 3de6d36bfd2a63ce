"""Raw events, as atoms report them: ``(kind, player, cards, seen_by, a, b)``.

The log and the animation feed are built from raw events only, through ``visibility.seen``. ``cards`` belong to
``player``; ``seen_by`` has a bit per audience that sees them."""

from __future__ import annotations

from typing import Final

RawEvent = tuple[int, int, int, int, int, int]

#: bits of ``seen_by``: the seats, and all audiences
BOTH_SEATS: Final = 3
ALL_AUDIENCES: Final = 7

DECLARED: Final = 1  # a: action, b: request id; cards: keys
PASSED: Final = 2
RESOLVING: Final = 3  # a: action, b: request id
FIZZLED: Final = 4  # a: action, b: request id
NEGATED: Final = 5  # a: action, b: request id
RAISED: Final = 6  # a: action, b: request id
STAGED: Final = 7  # a: action, b: request id
DAMAGED: Final = 8  # a: number of cards, b: the public one; cards: those that moved
DREW: Final = 9
DISCARDED: Final = 10  # a: number of cards, b: the public one
TOOK: Final = 11  # a card was taken to hand; a: the zone it left
ENTERED: Final = 12  # a: kind, b: unit id
ATTACHED: Final = 13  # a: kind, b: unit id
BURIED: Final = 14  # a: kind, b: unit id
RETURNED: Final = 15  # unit to hand; a: kind, b: unit id
TOPPED: Final = 16  # unit to the top of life
SUNK: Final = 17  # unit or cards to the bottom of life
DROVE: Final = 18  # b: unit id
CHARGED: Final = 19  # b: unit id
TURNED: Final = 20  # soldier and bulwark changed; a: new kind, b: unit id
BONUS: Final = 21  # a: amount, b: unit id (-1: all soldiers)
SHUFFLED: Final = 22
REVEALED: Final = 23
MILLED: Final = 24
KEYS_SPENT: Final = 25  # keys to the grave
KEYS_RETURNED: Final = 26
ATTACKED: Final = 27  # b: unit id
BLOCKED: Final = 28  # a: attacker id, b: unit id
TURN: Final = 29  # a: turn number
OPENED: Final = 30  # trump
CLOSED: Final = 31
TRUMP_LOST: Final = 32
TRUMP_SET: Final = 33
RETARGETED: Final = 34  # a: target kind, b: target
FLIPPED: Final = 35  # first-player flip
WON: Final = 36  # a: winner
LOOKED: Final = 37  # the opponent looked at the player's cards; a: their zone, b: unit id (-1: the whole zone)
PACK_OPENED: Final = 38
REORDERED: Final = 39
DEALT: Final = 40
DROPPED: Final = 41  # a: action, b: request id; cards: its key
FOGGED: Final = 42  # keys stay as a fog; a: the kind of fog, b: the unit it is bound to (-1: none)
FOGS_CLEARED: Final = 43
SET_ASIDE: Final = 44  # set-up: a card of the deck becomes the rare card or joins the hand; a: the zone
PACKED: Final = 45  # set-up: the pack is laid; a: number of cards
UNCOVERED: Final = 46  # an older card of the grave is its top now (N-052)

# Zones, as events name them.
HAND: Final = 0
LIFE: Final = 1
GRAVE: Final = 2
FIELD: Final = 3
STAGE: Final = 4
TRUMPS: Final = 5
PACK: Final = 6
ASIDE: Final = 7
RARE: Final = 8
FOG: Final = 9
