// Helpers of the reducer, zone by zone: move cards, add and remove units, change requests on the stage.
import { rankOf, type SeatName } from "../core/names";
import type { EventView as GameEvent } from "../core/protocol";
import type { BulwarkView, RequestView, SideView, SoldierView, View } from "../core/view";

const SEATS = ["p1", "p2"] as const;
const NUMBERS: Record<string, number> = { A: 1, J: 11, Q: 12, K: 13, JK: 0 };

export function side(view: View, seat: SeatName, change: Partial<SideView>): View {
  return { ...view, [seat]: { ...view[seat], ...change } };
}
export function without(list: string[], gone: string[]): string[] {
  const left = [...gone];
  return list.filter((card) => {
    const at = left.indexOf(card);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}

export function toHand(view: View, seat: SeatName, count: number, cards: string[] | null | undefined): View {
  const hand = view[seat].hand;
  const known = hand.cards && cards ? [...hand.cards, ...cards] : hand.cards;
  return side(view, seat, { hand: { ...hand, count: hand.count + count, cards: known } });
}
export function fromHand(view: View, seat: SeatName, count: number, cards: string[] | null | undefined): View {
  const hand = view[seat].hand;
  const gone = cards ?? [];
  return side(view, seat, {
    hand: {
      count: Math.max(0, hand.count - count),
      cards: hand.cards && without(hand.cards, gone),
      known: without(hand.known, gone),
    },
  });
}
export function toGrave(view: View, seat: SeatName, event: GameEvent): View {
  const grave = view[seat].grave;
  const cards = event.cards ?? (event.top ? [event.top] : []);
  return side(view, seat, {
    grave: {
      ...grave,
      count: grave.count + (event.count ?? cards.length),
      top: event.top ?? cards.at(-1) ?? grave.top,
      cards: grave.cards && event.cards ? [...grave.cards, ...event.cards] : grave.cards,
    },
  });
}
export function seatOf(view: View, unit: number): SeatName | null {
  return (
    SEATS.find(
      (seat) =>
        view[seat].soldiers.some((one) => one.id === unit) || view[seat].bulwarks.some((one) => one.id === unit),
    ) ?? null
  );
}
export function soldierOf(view: View, unit: number): SoldierView | null {
  for (const seat of SEATS) for (const one of view[seat].soldiers) if (one.id === unit) return one;
  return null;
}
export function bulwarkOf(view: View, unit: number): BulwarkView | null {
  for (const seat of SEATS) for (const one of view[seat].bulwarks) if (one.id === unit) return one;
  return null;
}
export function places(list: BulwarkView[]): BulwarkView[] {
  return list.map((one, n) => (one.name === `b${n + 1}` ? one : { ...one, name: `b${n + 1}` }));
}
export function dropUnit(view: View, unit: number): View {
  const seat = seatOf(view, unit);
  if (!seat) return view;
  const { soldiers, bulwarks } = view[seat];
  return side(view, seat, {
    soldiers: soldiers.filter((one) => one.id !== unit),
    bulwarks: places(bulwarks.filter((one) => one.id !== unit)),
  });
}
export function changeUnit(
  view: View,
  unit: number,
  change: { driven?: boolean; role?: "attacker" | "blocker"; blocks?: number | null },
): View {
  const seat = seatOf(view, unit);
  if (!seat) return view;
  const { soldiers, bulwarks } = view[seat];
  return side(view, seat, {
    soldiers: soldiers.map((one) => (one.id === unit ? { ...one, ...change } : one)),
    bulwarks: bulwarks.map((one) => (one.id === unit ? { ...one, ...change } : one)),
  });
}
export function addUnit(view: View, event: GameEvent, goal: View): View {
  const { player: seat, unit } = event;
  if (unit == null || seatOf(view, unit)) return view;
  const { soldiers, bulwarks } = view[seat];
  const calm = { driven: false, role: null, blocks: null };
  if (event.kind === "bulwark") {
    const known = bulwarkOf(goal, unit);
    const card = known?.card ?? (view.you === seat || view.you === null ? (event.cards?.[0] ?? null) : null);
    return side(view, seat, { bulwarks: places([...bulwarks, { name: "", id: unit, card, new: true, ...calm }]) });
  }
  const known = soldierOf(goal, unit);
  const cards = known?.cards ?? event.cards ?? [];
  const number = cards.reduce((sum, card) => sum + (NUMBERS[rankOf(card)] ?? Number(rankOf(card))), 0);
  const made = known ?? {
    name: cards[0] ?? "",
    id: unit,
    cards,
    number,
    base: number,
    new: true,
    kind: event.kind ?? "",
    ...calm,
  };
  return side(view, seat, { soldiers: [...soldiers, { ...made, ...calm }] });
}

export function request(event: GameEvent): RequestView {
  return {
    id: event.request ?? 0,
    action: event.action ?? "",
    controller: event.player,
    cost: "",
    keys: event.cards ?? [],
    virtual_keys: [],
    target: event.target ?? null,
    source: null,
  };
}
export function offStage(view: View, id: number | null | undefined): View {
  const resolving = view.resolving?.id === id ? null : view.resolving;
  return { ...view, stage: view.stage.filter((one) => one.id !== id), resolving };
}
export function known(goal: View, id: number): RequestView | undefined {
  return [...goal.stage, ...(goal.resolving ? [goal.resolving] : [])].find((one) => one.id === id);
}

/** Return true if the request was declared in the same update, so that its keys come from the hand. */
export function payloadShown(events: GameEvent[], at: number): boolean {
  return events.some((one, n) => n < at && one.event === "declared" && one.request === events[at]?.request);
}
