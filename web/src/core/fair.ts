// Fair shuffles: the page creates its own salt, stores what it sees before and during the game, and checks the game
// when the server's secret is published (fair_check.ts, in a worker). The stored receipt is also read by `blackpoker
// verify`.
import {
  NEXT,
  PUT,
  SHUFFLED,
  gamesOf,
  roomTag,
  sealOf,
  termsHash,
  type Line,
  type Opened,
  type Receipt,
  type Terms,
} from "./fair_check";
import type { SeatName } from "./names";
import type { Event, GameOver, RoomInfo, Update } from "./protocol";
import { hex } from "./sha256";

export type { Line, Receipt };

const STORE = "blackpoker.fair";
const MOST = 30;
/** most events the server sends in one update; with this number earlier ones may be missing */
const MOST_EVENTS = 400;
type All = [string, Receipt][];

function loadAll(): All {
  try {
    return JSON.parse(localStorage.getItem(STORE) ?? "[]") as All;
  } catch {
    return []; // private windows may refuse storage: nothing can be compared later
  }
}

const receiptKey = (room: string, game: number, seat: SeatName): string => `${room}:${game}:${seat}`;

/** Store a receipt by room, game and seat. All tabs of the browser share it, because one player may hold both seats. */
function store(room: string, game: number, receipt: Receipt): void {
  const id = receiptKey(room, game, receipt.you);
  const others = loadAll().filter(([other]) => other !== id);
  try {
    localStorage.setItem(STORE, JSON.stringify([...others.slice(1 - MOST), [id, receipt]]));
  } catch {
    // as above
  }
}

function find(room: string, game: number, seat: SeatName): Receipt | null {
  return loadAll().find(([id]) => id === receiptKey(room, game, seat))?.[1] ?? null;
}

/**
 * Return the receipt of the last game for which this page revealed a salt in the room. The server does not choose it.
 */
export function latest(room: string, seat: SeatName): Receipt | null {
  const prefix = `${room}:`;
  return loadAll().findLast(([id, one]) => id.startsWith(prefix) && one.you === seat && one.terms)?.[1] ?? null;
}

/** Create a salt for the next game and return its seal. */
export function seal(room: string, game: number, you: SeatName, deck: string): string {
  const salt = hex(crypto.getRandomValues(new Uint8Array(16)));
  const opened = find(room, game, you)?.opened ?? [];
  store(room, game, { you, salt, deck, terms: null, opened, drew: [], seq: -1, noting: true, chains: [] });
  return sealOf(you, salt, deck);
}

/** Return true if the seal the room shows for our seat was made here. */
export function isOwnSeal(info: RoomInfo, you: SeatName): boolean {
  const receipt = find(info.id, info.game + 1, you);
  return receipt !== null && sealOf(you, receipt.salt, receipt.deck) === info[you].seal;
}

function termsOf(info: RoomInfo): Terms {
  const who = (seat: RoomInfo["p1"]): string => `${seat.kind} ${seat.level ?? ""}`.trimEnd();
  return {
    room: roomTag(info.id),
    game: info.game + 1,
    regulation: info.settings.regulation ?? "",
    edition: info.edition ?? "",
    start: info.start_hash ?? "",
    commitment: info.commitment ?? "",
    seats: [who(info.p1), who(info.p2)],
    seals: [info.p1.seal ?? "", info.p2.seal ?? ""],
  };
}

/** Return our salt and the hash of the terms once both seats are ready; the terms are stored first. */
export function openSalt(info: RoomInfo, you: SeatName): { salt: string; terms: string } | null {
  const receipt = find(info.id, info.game + 1, you);
  if (!receipt) return null;
  const terms = termsOf(info);
  const hash = termsHash(terms);
  store(info.id, info.game + 1, {
    ...receipt,
    terms,
    opened: receipt.opened.includes(hash) ? receipt.opened : [...receipt.opened, hash],
  });
  return { salt: receipt.salt, terms: hash };
}

/** Store what an update reveals of our own pile. After a gap or a rewind the earlier notes stay. */
export function rememberUpdate(room: string, you: SeatName, update: Update): void {
  const receipt = latest(room, you);
  if (!receipt?.terms || !receipt.noting || receipt.chains.length) return;
  store(room, receipt.terms.game, {
    ...receipt,
    ...(withUpdate(receipt, receipt.terms.start === "deal", update) ?? { noting: false }),
  });
}

interface NewEvents {
  earlier: Event[];
  events: Event[];
  whole: boolean;
}

/** Return the new events of an update, those of the previous game apart; null after a gap. */
function newEvents(update: Update, seq: number): NewEvents | null {
  const { events = [], previous_events: opens = 0 } = update;
  const whole = update.since === -1;
  const cut = events.length >= MOST_EVENTS;
  if (whole && cut && update.seq === seq) return { earlier: [], events: [], whole: false }; // a resync without new events
  if (update.practice || (cut && !(whole && opens)) || !(whole || update.since === seq)) return null;
  return { earlier: events.slice(0, opens), events: events.slice(opens), whole };
}

function withUpdate(receipt: Receipt, dealt: boolean, update: Update): Partial<Receipt> | null {
  const rememberRecord = newEvents(update, receipt.seq);
  if (!rememberRecord) return null;
  const part = update.match_game ?? 1;
  const before = gamesOf(receipt.drew);
  const games = rememberRecord.whole ? before.slice(0, part - 1) : before;
  const fresh = rememberRecord.whole || part > games.length;
  if (fresh && !rememberRecord.whole) games.at(-1)?.push(...markersOf(rememberRecord.earlier, receipt.you));
  if (fresh) games.push([]);
  const present = games.at(-1);
  if (!present || games.length !== part) return null;
  const receiptKey = rememberRecord.events
    .filter((event) => event.player === receipt.you)
    .flatMap((event) => event.cards ?? []);
  if (!fresh) receiptKey.push(...(receipt.named ?? []));
  present.push(...markersOf(rememberRecord.events, receipt.you));
  // Cards in our hand that no event named count as drawn: the record does not list them.
  if (dealt && update.view)
    present.push(...(update.view[receipt.you].hand.cards ?? []).filter((card) => !receiptKey.includes(card)));
  return { seq: update.seq, named: receiptKey, drew: games.flatMap((game, place) => (place ? [NEXT, ...game] : game)) };
}

function markersOf(events: Event[], you: SeatName): string[] {
  return events
    .filter((event) => event.player === you)
    .flatMap((event) => {
      if (event.event === "shuffled") return [SHUFFLED];
      if (event.event === "drew") return event.cards ?? [];
      return ["topped", "sunk", "reordered"].includes(event.event) ? [PUT] : [];
    });
}

/** Store the hash of the record of a finished game. */
export function rememberRecord(room: string, you: SeatName, over: GameOver): void {
  const receipt = latest(room, you);
  if (receipt?.terms && over.record_hash && !receipt.chains.includes(over.record_hash))
    store(room, receipt.terms.game, { ...receipt, chains: [...receipt.chains, over.record_hash] });
}

/** Return the result of the check, computed in a worker. */
export function checkInWorker(receipt: Receipt, opened: Opened): Promise<Line[]> {
  const worker = new Worker(new URL("./fair.worker.ts", import.meta.url), { type: "module" });
  return new Promise<Line[]>((done, failed) => {
    worker.onmessage = (event: MessageEvent<Line[]>) => done(event.data);
    worker.onerror = () => failed(new Error("worker"));
    worker.postMessage({ receipt, opened });
  }).finally(() => worker.terminate());
}

/** Return the receipt as a file for `blackpoker verify RECORD --receipt FILE`. */
export function receiptText(receipt: Receipt): string {
  const terms = receipt.terms;
  if (!terms) return "";
  const drawn = receipt.drew.filter((sign) => sign !== SHUFFLED && sign !== PUT);
  const lines = [
    "BlackPoker receipt 3",
    `room: ${terms.room}`,
    `game: ${terms.game}`,
    `regulation: ${terms.regulation}`,
    `edition: ${terms.edition}`,
    `start: ${terms.start}`,
    `commitment: ${terms.commitment}`,
    `seat p1: ${terms.seats[0]}`,
    `seat p2: ${terms.seats[1]}`,
    `seal p1: ${terms.seals[0]}`,
    `seal p2: ${terms.seals[1]}`,
    `you: ${receipt.you}`,
    `salt: ${JSON.stringify(receipt.salt)}`,
    `deck: ${JSON.stringify(receipt.deck)}`,
    `tries: ${Math.max(0, receipt.opened.length - 1)}`,
    `drew: ${drawn.join(" ")}`,
    ...receipt.chains.map((chain, place) => `chain ${place + 1}: ${chain}`),
  ];
  return lines.map((line) => line.trimEnd()).join("\n") + "\n";
}
