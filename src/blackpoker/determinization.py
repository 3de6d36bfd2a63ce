"""Determinization: worlds a seat cannot distinguish from the game (R-210…R-216), the only input of AI players.

``determinize`` copies a game and redeals everything the seat does not know. The result depends on what the seat knows
and on the generator, never on the hidden cards themselves, so a choice made from such worlds cannot peek.
"""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

from blackpoker.engine.atoms import fog_cards
from blackpoker.engine.cards import ALL, BIT, LOW, count
from blackpoker.engine.engine import Engine
from blackpoker.engine.flow import SETUP, UNDECIDED
from blackpoker.engine.request import TRUMP, Request
from blackpoker.engine.setup import DRAFT, MINI_PACK, STEP
from blackpoker.engine.shuffler import Shuffler
from blackpoker.engine.state import CARD_KIND, LIFE_COUNTED, SETUP_KIND, TRUMPS_KIND, Side

#: a complete game state with nothing hidden, in which any option may be tried
World = Engine
#: placeholder in a pile of guessed size: any card
ANY_CARD: Final = 63


#: storage in the native build, see ``engine.request``
STORAGE: Final = {"PriorKnowledge": {"pools": "2 i64", "own_pools": "2 i64", "sizes": "2 u8", "most": "u8"}}


class PriorKnowledge:
    """The players' knowledge of the decks before the deal.

    ``pools``: the cards of a player's deck as known to the opponent; ``own_pools``: as known to its owner; ``sizes``:
    the number of cards in the deck, 0 if the opponent only knows the limit ``most``.
    """

    __slots__ = ("most", "own_pools", "pools", "sizes")

    def __init__(self, pools: list[int], own_pools: list[int], sizes: list[int], most: int) -> None:
        self.pools: list[int] = pools
        self.own_pools: list[int] = own_pools
        self.sizes: list[int] = sizes
        self.most: i64 = most


def cards_on_stage(engine: Engine, player: i64) -> i64:
    """Return the keys of the player's requests anywhere in the flow."""
    cards: i64 = 0
    for request in engine.stage:
        if request.controller == player:
            cards |= request.keys
    for request in engine.buffer:
        if request.controller == player:
            cards |= request.keys
    current = engine.current
    if current is not None and current.controller == player:
        cards |= current.keys
    active = engine.active
    if active is not None and active.controller == player:
        cards |= active.keys
    return cards


def members_into(cards: i64, out: list[int]) -> None:
    while cards != 0:
        low: i64 = cards & -cards
        out.append(LOW[low % 59])
        cards ^= low


def turned_into(cards: i64, turn: i64, out: list[int]) -> None:
    """Append the cards in their order, the first ``turn`` of them last."""
    first: i64 = 0
    if turn != 0 and cards != 0:
        left: i64 = turn % count(cards)
        while left > 0:
            low: i64 = cards & -cards
            first |= low
            cards ^= low
            left -= 1
    members_into(cards, out)
    members_into(first, out)


def partial_shuffle(cards: list[int], n: i64, chance: Shuffler) -> None:
    """Move ``n`` random cards to the front, in random order."""
    size: i64 = len(cards)
    i: i64 = 0
    while i < n and i < size - 1:
        j: i64 = i + chance.below(size - i)
        card = cards[i]
        cards[i] = cards[j]
        cards[j] = card
        i += 1


def determinize(engine: Engine, seat: i64, knowledge: PriorKnowledge, chance: Shuffler, turn: i64 = 0) -> Engine:
    """Return a world that this seat cannot distinguish from the game. With equal ``chance`` and another ``turn`` each
    hidden place has another card, as far as there are enough."""
    world = engine.copy()
    world.source = Shuffler(0)
    redeal(world, seat, knowledge, chance, turn)
    return world


def redeal(world: Engine, seat: i64, knowledge: PriorKnowledge, chance: Shuffler, turn: i64) -> None:
    """Redeal a copy of a game in place so that the seat cannot distinguish it from the original."""
    high = chance.below(1073741824)
    low = chance.below(2147483647)
    world.source.state = high * 4294967296 + low + 1
    if world.winner != UNDECIDED:
        return
    redeal_own(world, world.sides[seat], seat, knowledge, chance, turn)
    trumps = world.sides[1 - seat].trumps[:]
    redeal_opponent(world, world.sides[1 - seat], 1 - seat, knowledge, chance, turn)
    if trumps:
        retarget_trumps(world, trumps, 1 - seat)
    if world.kind == TRUMPS_KIND:
        hide_trump_choice(world, seat, chance)
    elif world.point == SETUP:
        hide_kept_cards(world.sides[1 - seat], chance)


def sees_own_life(engine: Engine, seat: i64) -> bool:
    """Return whether the seat is currently shown the cards of its own life, in no order (R-175): all of its deck before
    the shuffle of a set-up, except a mini pack, which lies on top (N-140)."""
    if engine.asked != seat or not engine.options:
        return False
    if engine.kind == SETUP_KIND:
        return engine.rules.setup[engine.setup_step // 2] // STEP != DRAFT and engine.sides[seat].picked == 0
    if engine.kind != CARD_KIND:
        return False
    first: i64 = engine.options[0]
    if first >= 54:
        return False
    return int(first) in engine.sides[seat].life


def knows_pack(engine: Engine, seat: i64) -> bool:
    """Return whether the seat knows the cards of its own pack: it is open, or one is being chosen (R-198)."""
    side = engine.sides[seat]
    if side.pack_open:
        return True
    if engine.asked != seat or engine.kind != CARD_KIND or not engine.options:
        return False
    for option in engine.options:
        if option < 54 and side.pack & BIT[option] != 0:
            return True
    return False


def redeal_own(engine: Engine, side: Side, seat: i64, knowledge: PriorKnowledge, chance: Shuffler, turn: i64) -> None:
    life = side.life
    known = side.own_seen | side.public
    hidden: i64 = 0
    places: i64 = 0
    seen: i64 = side.hand | side.grave | side.aside | side.rare | fog_cards(side) | cards_on_stage(engine, seat)
    for card in life:
        bit: i64 = BIT[card]
        if known & bit != 0:
            seen |= bit
        else:
            hidden |= bit
            places += 1
    packed: i64 = 0
    if knows_pack(engine, seat):
        seen |= side.pack
    else:
        packed = count(side.pack)
    for unit in side.soldiers:
        seen |= unit.cards
    for unit in side.bulwarks:
        seen |= unit.cards
    for card in side.trumps:
        seen |= BIT[card]
    candidates: i64 = knowledge.own_pools[seat]
    candidates &= ~seen
    cards: list[int] = []
    if sees_own_life(engine, seat) or engine.kind == TRUMPS_KIND:
        candidates = hidden  # the cards are known, their order is not
        packed = 0
    elif count(candidates) < places + packed:
        candidates = hidden
        if packed != 0:
            candidates |= side.pack
    turned_into(candidates, turn, cards)
    partial_shuffle(cards, places + packed, chance)
    i: i64 = 0
    place: i64 = 0
    for card in life:
        if known & BIT[card] == 0:
            life[place] = cards[i]
            i += 1
        place += 1
    side.seen &= ~hidden
    side.on_top = 0
    if packed != 0:
        pack: i64 = 0
        while packed > 0:
            pack |= BIT[cards[i]]
            i += 1
            packed -= 1
        side.pack = pack


def redeal_opponent(
    engine: Engine, side: Side, player: i64, knowledge: PriorKnowledge, chance: Shuffler, turn: i64
) -> None:
    known: i64 = side.public | side.seen
    if side.grave_top >= 0:
        known |= BIT[side.grave_top]
    shown: i64 = known | side.open_trumps  # known trumps
    staged: i64 = cards_on_stage(engine, player)
    seen: i64 = staged | seen_on_table(side, known, shown)
    places: i64 = hidden_places(side, known, shown)
    hidden: i64 = all_hidden(side, known)
    pack_hidden: i64 = count(side.pack)
    pack_known: i64 = 0
    if len(engine.rules.setup) > 0:
        pack_known = side.pack & known  # a card that both players saw on its way there stays in it
        pack_hidden -= count(pack_known)
    if knowledge.sizes[player] == 0:
        others: i64 = count(staged) + cards_on_table(side)
        counted = len(engine.rules.setup) > 0  # the pack is laid in the set-up, of a known size (N-051)
        if counted:
            others += count(side.pack)
        if len(side.life) >= LIFE_COUNTED:
            side.life = guessed_life(side.life, known, max(LIFE_COUNTED, knowledge.most - others))
        if pack_hidden != 0 and not counted:  # its size is hidden too: the rest of the assumed deck
            pack_hidden = max(1, 54 - others - len(side.life))
    places += pack_hidden
    for card in side.life:
        if card != ANY_CARD and known & BIT[card] != 0:
            seen |= BIT[card]
        else:
            places += 1
    candidates: i64 = knowledge.pools[player]
    candidates &= ~seen
    if count(candidates) < places:
        candidates = hidden  # no deck of the frame explains the position
        if count(candidates) < places:
            candidates = ALL & ~seen
    cards: list[int] = []
    turned_into(candidates, turn, cards)
    partial_shuffle(cards, places, chance)
    place_hidden(side, known, shown, pack_hidden, pack_known, cards)
    side.own_seen = 0
    side.on_top = 0


def seen_on_table(side: Side, known: i64, shown: i64) -> i64:
    """Return the opponent's cards outside life that this seat knows; ``shown``: likewise among the trumps."""
    seen: i64 = side.aside | fog_cards(side) | ((side.hand | side.grave | side.rare | side.pack) & known)
    for unit in side.soldiers:
        seen |= unit.cards
    for unit in side.bulwarks:
        if known & unit.cards != 0:
            seen |= unit.cards
    for card in side.trumps:
        seen |= BIT[card] & shown
    return seen


def cards_on_table(side: Side) -> i64:
    """Return the number of cards outside life, pack and stage; public information."""
    n: i64 = count(side.aside) + side.hand_count + count(side.grave) + len(side.bulwarks) + len(side.trumps)
    n += count(side.rare) + count(fog_cards(side))
    for unit in side.soldiers:
        n += count(unit.cards)
    return n


def hidden_places(side: Side, known: i64, shown: i64) -> i64:
    """Return the number of cards outside life and pack that this seat does not know."""
    n: i64 = count(side.hand & ~known) + count(side.grave & ~known) + count(side.rare & ~known)
    for unit in side.bulwarks:
        if known & unit.cards == 0:
            n += 1
    for card in side.trumps:
        if shown & BIT[card] == 0:
            n += 1
    return n


def place_hidden(side: Side, known: i64, shown: i64, packed: i64, pack_known: i64, cards: list[int]) -> None:
    """Place these cards in order wherever a card is unknown; ``packed`` of them beside ``pack_known`` into the pack."""
    i: i64 = 0
    place: i64 = 0
    life = side.life
    for card in life:
        if card == ANY_CARD or known & BIT[card] == 0:
            life[place] = cards[i]
            i += 1
        place += 1
    hidden: i64 = count(side.hand & ~known)
    side.hand = (side.hand & known) | set_of(cards, i, hidden)
    i += hidden
    hidden = count(side.grave & ~known)
    side.grave = (side.grave & known) | set_of(cards, i, hidden)
    if side.pile:
        side.pile = redeal_pile(side.pile, known, cards, i)
    i += hidden
    hidden = count(side.rare & ~known)
    if hidden != 0:
        side.rare = BIT[cards[i]]
        i += 1
    if packed != 0:
        side.pack = pack_known | set_of(cards, i, packed)
        i += packed
    i = place_bulwarks(side, known, cards, i)
    place = 0
    for card in side.trumps:
        if shown & BIT[card] == 0:
            side.trumps[place] = cards[i]
            i += 1
        place += 1


def redeal_pile(pile: list[int], known: i64, cards: list[int], first: i64) -> list[int]:
    """Return the order of a grave with these cards in the places that are not known (N-052)."""
    out: list[int] = []
    for card in pile:
        if known & BIT[card] != 0:
            out.append(card)
        else:
            out.append(cards[first])
            first += 1
    return out


def set_of(cards: list[int], first: i64, n: i64) -> i64:
    """Return ``n`` of the cards as a set, starting at index ``first``."""
    out: i64 = 0
    i: i64 = first
    while i < first + n:
        out |= BIT[cards[i]]
        i += 1
    return out


def place_bulwarks(side: Side, known: i64, cards: list[int], i: i64) -> i64:
    """Assign new cards to the unknown bulwarks, keeping their marks; return the index of the next unused card."""
    fresh: i64 = 0
    mixed: i64 = 0
    for unit in side.soldiers:
        fresh |= unit.cards & side.fresh
        mixed |= unit.cards & side.mixed
    for unit in side.bulwarks:
        new = side.fresh & unit.cards != 0
        covered = side.mixed & unit.cards != 0
        if known & unit.cards == 0:
            unit.lead = cards[i]
            unit.cards = BIT[cards[i]]
            i += 1
        if new:
            fresh |= unit.cards
        if covered:
            mixed |= unit.cards
    side.fresh = fresh
    side.mixed = mixed
    return i


def retarget_trumps(world: Engine, trumps: list[int], owner: i64) -> None:
    """Keep the position of face-down trumps that requests target. ``trumps``: the cards before the redeal."""
    for request in world.stage:
        retarget_trump(request, world, trumps, owner)
    for request in world.buffer:
        retarget_trump(request, world, trumps, owner)
    current = world.current
    if current is not None:
        retarget_trump(current, world, trumps, owner)
    active = world.active
    if active is not None:
        retarget_trump(active, world, trumps, owner)


def retarget_trump(request: Request, world: Engine, trumps: list[int], owner: i64) -> None:
    if request.target_kind != TRUMP or request.target // 64 != owner:
        return
    place: i64 = 0
    card = request.target % 64
    for trump in trumps:
        if trump == card:
            request.target = owner * 64 + world.sides[owner].trumps[place]
            return
        place += 1


def guessed_life(life: list[int], known: i64, size: i64) -> list[int]:
    """Return a life of the guessed size; known cards at the top and bottom keep their position."""
    top: list[int] = []
    for card in reversed(life):
        if known & BIT[card] == 0:
            break
        top.append(card)
    out: list[int] = []
    if len(top) < len(life):
        for card in life:
            if known & BIT[card] == 0:
                break
            out.append(card)
    while len(out) + len(top) < size:
        out.append(ANY_CARD)
    top.reverse()
    out.extend(top)
    return out


def all_hidden(side: Side, known: i64) -> i64:
    cards: i64 = (side.hand | side.grave | side.pack | side.rare) & ~known
    for card in side.life:
        cards |= BIT[card] & ~known
    for unit in side.bulwarks:
        cards |= unit.cards & ~known
    for card in side.trumps:
        cards |= BIT[card] & ~(known | side.open_trumps)
    return cards


def hide_kept_cards(side: Side, chance: Shuffler) -> None:
    """While drafting, the opponent does not know which card of each mini pack was kept: take any (N-140)."""
    left = count(side.picked)
    kept: i64 = 0
    top: i64 = len(side.life)
    while left > 0 and top >= MINI_PACK:
        kept |= BIT[side.life[top - 1 - chance.below(MINI_PACK)]]
        top -= MINI_PACK
        left -= 1
    side.picked = kept


def hide_trump_choice(world: Engine, seat: i64, chance: Shuffler) -> None:
    """During set-up the opponent's choice is hidden: replace it with random cards."""
    if seat == 0:
        world.sides[1].picked = 0
        return
    deck = world.sides[0].life[:]
    partial_shuffle(deck, world.rules.most_trumps, chance)
    chosen: i64 = 0
    i: i64 = 0
    while i < world.rules.most_trumps and i < len(deck):
        chosen |= BIT[deck[i]]
        i += 1
    world.sides[0].picked = chosen


def open_hands(engine: Engine) -> Engine:
    """Return a copy of the game with everything revealed except the order of the piles."""
    shown = engine.copy()
    for side in shown.sides:
        side.public |= side.hand | side.grave | side.pack | side.rare
        for unit in side.bulwarks:
            side.public |= unit.cards
        for card in side.trumps:
            side.public |= BIT[card]
    return shown


def open_prior_knowledge(engine: Engine) -> PriorKnowledge:
    """Return the prior knowledge when hands are open: the cards of both piles are known as the remainder."""
    pools: list[int] = []
    sizes: list[int] = []
    for side in engine.sides:
        pool: i64 = 0
        for card in side.life:
            pool |= BIT[card]
        pools.append(pool)
        sizes.append(max(1, len(side.life)))
    return PriorKnowledge(pools, pools[:], sizes, 54)
