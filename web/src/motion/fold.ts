// The board after an event, as far as the event tells it: what lies between the two positions the engine gave. It moves
// cards between piles and knows no rule; when the last event of an update has been shown, the engine's view takes over.
import { other, rankOf, type SeatName } from "../lib/names";
import { LIFE_COUNTED, MANY, type Event as GameEvent } from "../lib/protocol";
import type { BulwarkView, RequestView, SideView, SoldierView, View } from "../lib/view";

const SEATS = ["p1", "p2"] as const;
const NUMBERS: Record<string, number> = { A: 1, J: 11, Q: 12, K: 13, JK: 0 };

type Life = SideView["life"];

function side(view: View, seat: SeatName, change: Partial<SideView>): View {
  return { ...view, [seat]: { ...view[seat], ...change } };
}
function without(list: string[], gone: string[]): string[] {
  const left = [...gone];
  return list.filter((card) => {
    const at = left.indexOf(card);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}

/** How many cards an event takes from a player's life (or, below zero, puts there). */
function fromLife(event: GameEvent): number {
  const count = event.count ?? 0;
  if (event.event === "drew" || event.event === "dealt" || event.event === "damaged" || event.event === "milled") return count;
  if (event.event === "took" && event.zone === "life") return count;
  if (event.event === "topped" || event.event === "sunk") return -count;
  return 0;
}

/** A hidden life is told from the end: what the engine says is left, and what still has to go. */
export function lifeAfter(before: Life, seat: SeatName, taken: number, rest: GameEvent[], goal: View): Life {
  if (typeof before === "number") return Math.max(0, before - taken);
  const end = goal[seat].life;
  if (typeof end !== "number") return end;
  const left = rest.filter((event) => event.player === seat).reduce((sum, event) => sum + fromLife(event), end);
  return left >= LIFE_COUNTED ? MANY : Math.max(0, left);
}

function toHand(view: View, seat: SeatName, count: number, cards: string[] | null | undefined): View {
  const hand = view[seat].hand;
  const known = hand.cards && cards ? [...hand.cards, ...cards] : hand.cards;
  return side(view, seat, { hand: { ...hand, count: hand.count + count, cards: known } });
}
function fromHand(view: View, seat: SeatName, count: number, cards: string[] | null | undefined): View {
  const hand = view[seat].hand;
  const gone = cards ?? [];
  return side(view, seat, {
    hand: { count: Math.max(0, hand.count - count), cards: hand.cards && without(hand.cards, gone), known: without(hand.known, gone) },
  });
}
function toGrave(view: View, seat: SeatName, event: GameEvent): View {
  const grave = view[seat].grave;
  const cards = event.cards ?? (event.top ? [event.top] : []);
  return side(view, seat, {
    grave: { ...grave, count: grave.count + (event.count ?? cards.length), top: event.top ?? cards.at(-1) ?? grave.top, cards: grave.cards && event.cards ? [...grave.cards, ...event.cards] : grave.cards },
  });
}
function withLife(view: View, event: GameEvent, rest: GameEvent[], goal: View): View {
  const taken = fromLife(event);
  if (!taken) return view;
  const own = view[event.player];
  const top = taken > 0 ? own.life_known.top.slice(taken) : own.life_known.top;
  return side(view, event.player, { life: lifeAfter(own.life, event.player, taken, rest, goal), life_known: { ...own.life_known, top } });
}

export function seatOf(view: View, unit: number): SeatName | null {
  return SEATS.find((seat) => view[seat].soldiers.some((one) => one.id === unit) || view[seat].bulwarks.some((one) => one.id === unit)) ?? null;
}
export function soldierOf(view: View, unit: number): SoldierView | null {
  for (const seat of SEATS) for (const one of view[seat].soldiers) if (one.id === unit) return one;
  return null;
}
export function bulwarkOf(view: View, unit: number): BulwarkView | null {
  for (const seat of SEATS) for (const one of view[seat].bulwarks) if (one.id === unit) return one;
  return null;
}
function places(list: BulwarkView[]): BulwarkView[] {
  return list.map((one, n) => (one.place === `b${n + 1}` ? one : { ...one, place: `b${n + 1}` }));
}
function dropUnit(view: View, unit: number): View {
  const seat = seatOf(view, unit);
  if (!seat) return view;
  const { soldiers, bulwarks } = view[seat];
  return side(view, seat, { soldiers: soldiers.filter((one) => one.id !== unit), bulwarks: places(bulwarks.filter((one) => one.id !== unit)) });
}
function changeUnit(view: View, unit: number, change: { driven?: boolean; role?: "attacker" | "blocker"; blocks?: number | null }): View {
  const seat = seatOf(view, unit);
  if (!seat) return view;
  const { soldiers, bulwarks } = view[seat];
  return side(view, seat, {
    soldiers: soldiers.map((one) => (one.id === unit ? { ...one, ...change } : one)),
    bulwarks: bulwarks.map((one) => (one.id === unit ? { ...one, ...change } : one)),
  });
}
function addUnit(view: View, event: GameEvent, goal: View): View {
  const { player: seat, unit } = event;
  if (unit == null || seatOf(view, unit)) return view;
  const { soldiers, bulwarks } = view[seat];
  const calm = { driven: false, role: null, blocks: null };
  if (event.kind === "bulwark") {
    const known = bulwarkOf(goal, unit);
    const card = known?.card ?? (view.you === seat || view.you === null ? (event.cards?.[0] ?? null) : null);
    return side(view, seat, { bulwarks: places([...bulwarks, { place: "", id: unit, card, new: true, ...calm }]) });
  }
  const known = soldierOf(goal, unit);
  const cards = known?.cards ?? event.cards ?? [];
  const number = cards.reduce((sum, card) => sum + (NUMBERS[rankOf(card)] ?? Number(rankOf(card))), 0);
  const made = known ?? { place: cards[0] ?? "", id: unit, cards, number, base: number, new: true, kind: event.kind ?? "", ...calm };
  return side(view, seat, { soldiers: [...soldiers, { ...made, ...calm }] });
}

function request(event: GameEvent): RequestView {
  return { id: event.request ?? 0, action: event.action ?? "", controller: event.player, cost: "", keys: event.cards ?? [], virtual_keys: [], target: event.target ?? null, source: null };
}
function offStage(view: View, id: number | null | undefined): View {
  const resolving = view.resolving?.id === id ? null : view.resolving;
  return { ...view, stage: view.stage.filter((one) => one.id !== id), resolving };
}
function known(goal: View, id: number): RequestView | undefined {
  return [...goal.stage, ...(goal.resolving ? [goal.resolving] : [])].find((one) => one.id === id);
}

/** Declared in the same update: its keys came from the hand. */
function said(events: GameEvent[], at: number): boolean {
  return events.some((one, n) => n < at && one.event === "declared" && one.request === events[at]?.request);
}

/** The view after the event at this place of an update; `goal`: the engine's view after the last of them. */
export function fold(before: View, events: GameEvent[], at: number, goal: View): View {
  const event = events[at];
  if (!event) return before;
  const rest = events.slice(at + 1);
  const seat = event.player;
  const count = event.count ?? 0;
  const cards = event.cards;
  const unit = event.unit ?? -1;
  const view = withLife(before, event, rest, goal);
  switch (event.event) {
    case "drew":
    case "dealt":
      return toHand(view, seat, count, cards);
    case "took": {
      const grave = view[seat].grave;
      const from = event.zone === "grave" ? side(view, seat, { grave: { ...grave, count: Math.max(0, grave.count - count), cards: grave.cards && without(grave.cards, cards ?? []) } }) : view;
      return toHand(from, seat, count, cards);
    }
    case "damaged":
    case "milled":
      return toGrave(view, seat, event);
    case "discarded":
      return toGrave(fromHand(view, seat, count, cards ?? (event.top ? [event.top] : [])), seat, event);
    case "declared": // its keys stay in the hand until they lie on the stage: what they cost goes first
      return { ...view, resolving: null };
    case "staged": {
      const staged = known(goal, event.request ?? 0) ?? request(event);
      const left = said(events, at) ? fromHand(view, seat, count, cards) : view;
      return { ...left, resolving: null, passed: [], stage: [...view.stage.filter((one) => one.id !== staged.id), staged] };
    }
    case "resolving": {
      const staged = view.stage.find((one) => one.id === event.request);
      const left = !staged && said(events, at) ? fromHand(view, seat, count, cards) : view;
      return { ...offStage(left, event.request), resolving: staged ?? request(event), passed: [] };
    }
    case "retargeted":
      return { ...view, stage: view.stage.map((one) => (one.id === event.request ? (known(goal, one.id) ?? { ...one, target: event.target ?? one.target }) : one)) };
    case "negated":
    case "fizzled":
    case "dropped":
      return offStage(view, event.request);
    case "keys_spent":
      return toGrave(offStage(view, event.request), seat, event);
    case "keys_returned":
      return toHand(offStage(view, event.request), seat, count, cards);
    case "passed":
      return { ...view, resolving: null, passed: [...new Set([...view.passed, seat])], chance: other(seat) };
    case "drove":
      return changeUnit(view, unit, { driven: true });
    case "charged":
      return changeUnit(view, unit, { driven: false });
    case "attacked":
      return changeUnit(view, unit, { role: "attacker", blocks: null });
    case "blocked":
      return changeUnit(view, unit, { role: "blocker", blocks: event.attacker ?? null });
    case "entered":
      return addUnit(view, event, goal);
    case "attached": {
      const now = soldierOf(goal, unit);
      const owner = seatOf(view, unit);
      if (!owner) return view;
      return side(view, owner, {
        soldiers: view[owner].soldiers.map((one) => {
          if (one.id !== unit) return one;
          return now ? { ...one, cards: now.cards, number: now.number, base: now.base, kind: now.kind } : { ...one, cards: [...one.cards, ...(cards ?? [])] };
        }),
      });
    }
    case "bonus": {
      const amount = event.amount ?? 0;
      const change = (view_: View, owner: SeatName): View => side(view_, owner, { soldiers: view_[owner].soldiers.map((one) => (unit < 0 || one.id === unit ? { ...one, number: one.number + amount } : one)) });
      const owner = seatOf(view, unit);
      return owner ? change(view, owner) : change(view, seat);
    }
    case "turned":
      return addUnit(dropUnit(view, unit), event, goal);
    case "buried": {
      const owner = seatOf(view, unit);
      return toGrave(dropUnit(view, unit), owner ?? seat, event);
    }
    case "returned":
      return toHand(dropUnit(view, unit), seat, count, cards);
    case "topped":
    case "sunk":
      return event.unit == null ? view : dropUnit(view, unit);
    case "opened":
    case "closed": {
      const card = cards?.[0];
      const open = event.event === "opened";
      const trumps = view[seat].trumps;
      const at = trumps.findIndex((one) => one.card === card);
      const place = at >= 0 ? at : trumps.findIndex((one) => one.open !== open);
      return side(view, seat, { trumps: trumps.map((one, n) => (n === place ? { ...one, open, card: card ?? one.card } : one)) });
    }
    case "trump_lost":
      return toGrave(side(view, seat, { trumps: view[seat].trumps.filter((one) => one.card !== cards?.[0]) }), seat, event);
    case "trump_set": {
      const trumps = view[seat].trumps;
      const made = goal[seat].trumps[trumps.length] ?? { place: `t${trumps.length + 1}`, open: false, card: cards?.[0] ?? null };
      return side(view, seat, { trumps: [...trumps, made] });
    }
    case "pack_opened":
      return side(view, seat, { pack: goal[seat].pack });
    case "turn": {
      const calm = (owner: SeatName): Partial<SideView> => ({
        soldiers: view[owner].soldiers.map((one) => ({ ...one, role: null, blocks: null })),
        bulwarks: view[owner].bulwarks.map((one) => ({ ...one, role: null, blocks: null })),
      });
      return { ...side(side(view, "p1", calm("p1")), "p2", calm("p2")), turn: seat, chance: seat, turn_number: event.turn_number ?? view.turn_number, passed: [], stage: [], resolving: null };
    }
    case "won":
      return { ...view, over: goal.over };
    default:
      return view;
  }
}

/** The board before anything happened, from what is there afterwards: for the deal. */
export function beforeDeal(goal: View, events: GameEvent[]): View {
  const start = (seat: SeatName): SideView => {
    const own = goal[seat];
    const taken = events.filter((event) => event.player === seat).reduce((sum, event) => sum + fromLife(event), 0);
    return {
      ...own,
      life: typeof own.life === "number" && own.life + taken < 60 ? own.life + taken : own.life,
      life_known: { top: [], bottom: [] },
      hand: { count: 0, cards: own.hand.cards && [], known: [] },
      grave: { count: 0, top: null, cards: own.grave.cards && [], known: [] },
      soldiers: [],
      bulwarks: [],
      trumps: events.some((event) => event.event === "trump_set") ? [] : own.trumps,
    };
  };
  return { ...goal, stage: [], resolving: null, passed: [], turn_number: 1, p1: start("p1"), p2: start("p2"), over: null };
}
