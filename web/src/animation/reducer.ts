// The board after an event, as far as the event describes it: the steps between two views of the engine. It moves cards
// between piles and knows no rules; after the last event of an update the engine's view replaces it.
import { other, type SeatName } from "../core/names";
import { LIFE_COUNTED, UNCOUNTED, type EventView as GameEvent } from "../core/protocol";
import type { SideView, View } from "../core/view";
import {
  addUnit,
  changeUnit,
  dropUnit,
  fromHand,
  known,
  offStage,
  request,
  payloadShown,
  seatOf,
  side,
  soldierOf,
  toGrave,
  toHand,
  without,
} from "./zones";

type Life = SideView["life"];

/** Return how many cards an event takes from a player's life; negative if it adds cards. */
function fromLife(event: GameEvent): number {
  const count = event.count ?? 0;
  if (event.event === "drew" || event.event === "dealt" || event.event === "damaged" || event.event === "milled")
    return count;
  if (event.event === "took" && event.zone === "life") return count;
  if (event.event === "topped" || event.event === "sunk") return -count;
  return 0;
}

/**
 * Return the life total after an event. A hidden total is computed from the end: the known total plus the cards that
 * still leave.
 */
export function lifeAfter(before: Life, seat: SeatName, taken: number, rest: GameEvent[], goal: View): Life {
  if (typeof before === "number") return Math.max(0, before - taken);
  const end = goal[seat].life;
  if (typeof end !== "number") return end;
  const left = rest.filter((event) => event.player === seat).reduce((sum, event) => sum + fromLife(event), end);
  return left >= LIFE_COUNTED ? UNCOUNTED : Math.max(0, left);
}

function withLife(view: View, event: GameEvent, rest: GameEvent[], goal: View): View {
  const taken = fromLife(event);
  if (!taken) return view;
  const own = view[event.player];
  const top = taken > 0 ? own.life_known.top.slice(taken) : own.life_known.top;
  return side(view, event.player, {
    life: lifeAfter(own.life, event.player, taken, rest, goal),
    life_known: { ...own.life_known, top },
  });
}

/** One event of an update: the view before it, all events, its index, and the view after the update. */
interface ReducerInput {
  view: View;
  event: GameEvent;
  events: GameEvent[];
  at: number;
  goal: View;
}
type Reducer = (moment: ReducerInput) => View;

const drawn: Reducer = ({ view, event, goal }) => {
  const next = toHand(view, event.player, event.count ?? 0, event.cards);
  const { cards } = next[event.player].hand;
  const order = goal[event.player].hand.cards;
  if (!cards || !order) return next;
  // a drawn card goes to its final place at once
  const place = (card: string): number => (order.includes(card) ? order.indexOf(card) : order.length);
  const sorted = [...cards].sort((a, b) => place(a) - place(b));
  return side(next, event.player, { hand: { ...next[event.player].hand, cards: sorted } });
};
const lost: Reducer = ({ view, event }) => toGrave(view, event.player, event);
const gone: Reducer = ({ view, event }) => offStage(view, event.request);
const left: Reducer = ({ view, event }) => (event.unit == null ? view : dropUnit(view, event.unit));
const driven: Reducer = ({ view, event }) => changeUnit(view, event.unit ?? -1, { driven: event.event === "drove" });

const took: Reducer = ({ view, event }) => {
  const { player: seat, count = 0, cards } = event;
  if (event.zone !== "grave") return toHand(view, seat, count, cards);
  const grave = view[seat].grave;
  const rest = {
    ...grave,
    count: Math.max(0, grave.count - count),
    cards: grave.cards && without(grave.cards, cards ?? []),
  };
  return toHand(side(view, seat, { grave: rest }), seat, count, cards);
};
const discarded: Reducer = ({ view, event }) => {
  const cards = event.cards ?? (event.top ? [event.top] : []);
  return toGrave(fromHand(view, event.player, event.count ?? 0, cards), event.player, event);
};
const staged: Reducer = ({ view, event, events, at, goal }) => {
  const found = known(goal, event.request ?? 0) ?? request(event);
  const from = payloadShown(events, at) ? fromHand(view, event.player, event.count ?? 0, event.cards) : view;
  return { ...from, resolving: null, passed: [], stage: [...view.stage.filter((one) => one.id !== found.id), found] };
};
const resolving: Reducer = ({ view, event, events, at }) => {
  const found = view.stage.find((one) => one.id === event.request);
  const from = !found && payloadShown(events, at) ? fromHand(view, event.player, event.count ?? 0, event.cards) : view;
  return { ...offStage(from, event.request), resolving: found ?? request(event), passed: [] };
};
const retargeted: Reducer = ({ view, event, goal }) => ({
  ...view,
  stage: view.stage.map((one) => {
    if (one.id !== event.request) return one;
    return known(goal, one.id) ?? { ...one, target: event.target ?? one.target };
  }),
});
const attached: Reducer = ({ view, event, goal }) => {
  const now = soldierOf(goal, event.unit ?? -1);
  const owner = seatOf(view, event.unit ?? -1);
  if (!owner) return view;
  return side(view, owner, {
    soldiers: view[owner].soldiers.map((one) => {
      if (one.id !== event.unit) return one;
      return now
        ? { ...one, cards: now.cards, number: now.number, base: now.base, kind: now.kind }
        : { ...one, cards: [...one.cards, ...(event.cards ?? [])] };
    }),
  });
};
const bonus: Reducer = ({ view, event }) => {
  const unit = event.unit ?? -1;
  const owner = seatOf(view, unit) ?? event.player;
  const soldiers = view[owner].soldiers;
  return side(view, owner, {
    soldiers: soldiers.map((one) =>
      unit < 0 || one.id === unit ? { ...one, number: one.number + (event.amount ?? 0) } : one,
    ),
  });
};
const turned: Reducer = ({ view, event, goal }) => addUnit(dropUnit(view, event.unit ?? -1), event, goal);
const buried: Reducer = ({ view, event }) => {
  const owner = seatOf(view, event.unit ?? -1);
  return toGrave(dropUnit(view, event.unit ?? -1), owner ?? event.player, event);
};
const flipped: Reducer = ({ view, event }) => {
  const { player: seat } = event;
  const card = event.cards?.[0];
  const open = event.event === "opened";
  const trumps = view[seat].trumps;
  const named = trumps.findIndex((one) => one.card === card);
  const place = named >= 0 ? named : trumps.findIndex((one) => one.open !== open);
  return side(view, seat, {
    trumps: trumps.map((one, n) => (n === place ? { ...one, open, card: card ?? one.card } : one)),
  });
};
const trumpLost: Reducer = ({ view, event }) => {
  const trumps = view[event.player].trumps.filter((one) => one.card !== event.cards?.[0]);
  return toGrave(side(view, event.player, { trumps }), event.player, event);
};
const trumpSet: Reducer = ({ view, event, goal }) => {
  const trumps = view[event.player].trumps;
  const made = goal[event.player].trumps[trumps.length] ?? {
    name: `t${trumps.length + 1}`,
    open: false,
    card: event.cards?.[0] ?? null,
  };
  return side(view, event.player, { trumps: [...trumps, made] });
};
const turn: Reducer = ({ view, event }) => {
  const calm = (owner: SeatName): Partial<SideView> => ({
    soldiers: view[owner].soldiers.map((one) => ({ ...one, role: null, blocks: null })),
    bulwarks: view[owner].bulwarks.map((one) => ({ ...one, role: null, blocks: null })),
  });
  const quiet = side(side(view, "p1", calm("p1")), "p2", calm("p2"));
  const number = event.turn_number ?? view.turn_number;
  return {
    ...quiet,
    turn: event.player,
    chance: event.player,
    turn_number: number,
    passed: [],
    stage: [],
    resolving: null,
  };
};

/** The change each event makes to a view; other events change nothing. */
const REDUCERS: Partial<Record<GameEvent["event"], Reducer>> = {
  drew: drawn,
  dealt: drawn,
  took,
  damaged: lost,
  milled: lost,
  discarded,
  declared: ({ view }) => ({ ...view, resolving: null }), // the keys stay in the hand until the request is on the stage: its cost is paid first
  staged,
  resolving,
  retargeted,
  negated: gone,
  fizzled: gone,
  dropped: gone,
  keys_spent: ({ view, event }) => toGrave(offStage(view, event.request), event.player, event),
  keys_returned: ({ view, event }) =>
    toHand(offStage(view, event.request), event.player, event.count ?? 0, event.cards),
  passed: ({ view, event }) => ({
    ...view,
    resolving: null,
    passed: [...new Set([...view.passed, event.player])],
    chance: other(event.player),
  }),
  drove: driven,
  charged: driven,
  attacked: ({ view, event }) => changeUnit(view, event.unit ?? -1, { role: "attacker", blocks: null }),
  blocked: ({ view, event }) => changeUnit(view, event.unit ?? -1, { role: "blocker", blocks: event.attacker ?? null }),
  entered: ({ view, event, goal }) => addUnit(view, event, goal),
  attached,
  bonus,
  turned,
  buried,
  returned: ({ view, event }) => toHand(dropUnit(view, event.unit ?? -1), event.player, event.count ?? 0, event.cards),
  topped: left,
  sunk: left,
  opened: flipped,
  closed: flipped,
  trump_lost: trumpLost,
  trump_set: trumpSet,
  pack_opened: ({ view, event, goal }) => side(view, event.player, { pack: goal[event.player].pack }),
  turn,
  won: ({ view, goal }) => ({ ...view, over: goal.over }),
};

/** Return the view after the event at index `at`; `goal` is the engine's view after the last event. */
export function reduceEvent(before: View, events: GameEvent[], at: number, goal: View): View {
  const event = events[at];
  if (!event) return before;
  const view = withLife(before, event, events.slice(at + 1), goal);
  return REDUCERS[event.event]?.({ view, event, events, at, goal }) ?? view;
}

/** Return the board before the deal, reconstructed from the view after it. */
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
  return {
    ...goal,
    stage: [],
    resolving: null,
    passed: [],
    turn_number: 1,
    p1: start("p1"),
    p2: start("p2"),
    over: null,
  };
}
