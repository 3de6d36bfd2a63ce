// Fair shuffles: this page draws its own salt, keeps what it sees before and during the game, and checks everything when
// the secret is opened (fair_check.ts, in a worker). What it keeps is a receipt, which `blackpoker verify` reads too.
import { NEXT, PUT, SHUFFLED, gamesOf, roomTag, sealOf, termsHash, type Line, type Opened, type Receipt, type Terms } from "./fair_check";
import type { SeatName } from "./names";
import type { Event, Over, RoomInfo, Update } from "./protocol";
import { hex } from "./sha256";

export type { Line, Receipt };

const STORE = "blackpoker.fair";
const MOST = 30;
/** events of one update; where there are so many, earlier ones are missing */
const MOST_EVENTS = 400;
type All = [string, Receipt][];

function loadAll(): All {
  try {
    return JSON.parse(localStorage.getItem(STORE) ?? "[]") as All;
  } catch {
    return []; // private windows may refuse: then there is nothing to compare later
  }
}

const receiptKey = (room: string, game: number, seat: SeatName): string => `${room}:${game}:${seat}`;

/** Kept by room, game and seat, for all tabs of this browser: they are one player, who may hold both seats. */
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

/** Of the last game for which this page opened a salt in this room. Which one that is the server does not say. */
export function latest(room: string, seat: SeatName): Receipt | null {
  const prefix = `${room}:`;
  return loadAll().findLast(([id, one]) => id.startsWith(prefix) && one.you === seat && one.terms)?.[1] ?? null;
}

/** A new salt for the game to come; gives its seal. */
export function seal(room: string, game: number, you: SeatName, deck: string): string {
  const salt = hex(crypto.getRandomValues(new Uint8Array(16)));
  const opened = find(room, game, you)?.opened ?? [];
  store(room, game, { you, salt, deck, terms: null, opened, drew: [], seq: -1, noting: true, chains: [] });
  return sealOf(you, salt, deck);
}

/** Whether the seal a room shows at our seat is the one made here. */
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
    start: info.start ?? "",
    commitment: info.commitment ?? "",
    seats: [who(info.p1), who(info.p2)],
    seals: [info.p1.seal ?? "", info.p2.seal ?? ""],
  };
}

/** Both are ready: what our salt is opened for is kept first. */
export function openSalt(info: RoomInfo, you: SeatName): { salt: string; terms: string } | null {
  const receipt = find(info.id, info.game + 1, you);
  if (!receipt) return null;
  const terms = termsOf(info);
  const hash = termsHash(terms);
  store(info.id, info.game + 1, { ...receipt, terms, opened: receipt.opened.includes(hash) ? receipt.opened : [...receipt.opened, hash] });
  return { salt: receipt.salt, terms: hash };
}

/** What an update shows of our own pile. Where something was missed or taken back, what was noted until then stays. */
export function rememberUpdate(room: string, you: SeatName, update: Update): void {
  const receipt = latest(room, you);
  if (!receipt?.terms || !receipt.noting || receipt.chains.length) return;
  store(room, receipt.terms.game, { ...receipt, ...(withUpdate(receipt, receipt.terms.start === "deal", update) ?? { noting: false }) });
}

interface NewEvents {
  earlier: Event[];
  events: Event[];
  whole: boolean;
}

/** The events of an update, those of the game before it apart; null where something is missing between it and what we have. */
function newEvents(update: Update, seq: number): NewEvents | null {
  const { events = [], opens = 0 } = update;
  const whole = update.since === -1;
  const cut = events.length >= MOST_EVENTS;
  if (whole && cut && update.seq === seq) return { earlier: [], events: [], whole: false }; // looked at again: nothing is new
  if (update.practice || (cut && !(whole && opens)) || !(whole || update.since === seq)) return null;
  return { earlier: events.slice(0, opens), events: events.slice(opens), whole };
}

function withUpdate(receipt: Receipt, dealt: boolean, update: Update): Partial<Receipt> | null {
  const rememberRecord = newEvents(update, receipt.seq);
  if (!rememberRecord) return null;
  const part = update.part ?? 1;
  const before = gamesOf(receipt.drew);
  const games = rememberRecord.whole ? before.slice(0, part - 1) : before;
  const fresh = rememberRecord.whole || part > games.length;
  if (fresh && !rememberRecord.whole) games.at(-1)?.push(...markersOf(rememberRecord.earlier, receipt.you));
  if (fresh) games.push([]);
  const present = games.at(-1);
  if (!present || games.length !== part) return null;
  const receiptKey = rememberRecord.events.filter((event) => event.player === receipt.you).flatMap((event) => event.cards ?? []);
  if (!fresh) receiptKey.push(...(receipt.named ?? []));
  present.push(...markersOf(rememberRecord.events, receipt.you));
  // What is shown in our hand and was never told counts as drawn: the record will not have it.
  if (dealt && update.view) present.push(...(update.view[receipt.you].hand.cards ?? []).filter((card) => !receiptKey.includes(card)));
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

/** A game is over: the hash of its record is kept. */
export function rememberRecord(room: string, you: SeatName, over: Over): void {
  const receipt = latest(room, you);
  if (receipt?.terms && over.chain && !receipt.chains.includes(over.chain)) store(room, receipt.terms.game, { ...receipt, chains: [...receipt.chains, over.chain] });
}

/** The check, in a worker. */
export function checkInWorker(receipt: Receipt, opened: Opened): Promise<Line[]> {
  const worker = new Worker(new URL("./fair.worker.ts", import.meta.url), { type: "module" });
  return new Promise<Line[]>((done, failed) => {
    worker.onmessage = (event: MessageEvent<Line[]>) => done(event.data);
    worker.onerror = () => failed(new Error("worker"));
    worker.postMessage({ receipt, opened });
  }).finally(() => worker.terminate());
}

/** The receipt as a file, for `blackpoker verify RECORD --receipt FILE`. */
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
