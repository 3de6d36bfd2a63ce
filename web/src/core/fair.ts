// Fair shuffles: the page creates its own salt, keeps what it is sent before and during the game, and checks the game when
// the server's secret is published (fair_check.ts, in a worker). The receipt is also read by `blackpoker verify`. A
// receipt is only ever extended; what contradicts it is an alarm.
import { BASE } from "./base_path";
import {
  NEXT,
  PUT,
  SHUFFLED,
  firstHash,
  roomTag,
  sealOf,
  termsHash,
  type Alarm,
  type Line,
  type Opened,
  type Receipt,
  type Terms,
} from "./fair_check";
import type { CheckAnswer, CheckRequest } from "./fair.worker";
import { inviterKey, isSigned, loadKey, signedText } from "./fair_keys";
import { read, remove, write } from "./fair_store";
import type { SeatName } from "./names";
import type { EventView, GameOver, Offer, RoomInfo, TranscriptSignature, Update } from "./protocol";
import { hex, sha256, unhex, utf8 } from "./sha256";

export type { Line, Receipt };

/** names of the stored receipts, oldest first */
const INDEX = "blackpoker.fair.receipts";
/** every deal for which a salt was opened and that may count: hash of the terms, and whether it finished */
const ATTEMPTS = "blackpoker.fair.attempts";
const MOST = 30;
const TRANSCRIPT_VERSION = 1;
const DIGEST_LENGTH = 12;
type Attempt = [terms: string, finished: 0 | 1];
/** A signature that is due. */
export interface DueSignature {
  part: number;
  count: number;
  data: Uint8Array;
}

/** the receipts of the games in play; another tab cannot change them */
const playing = new Map<string, Receipt>();
const receiptKey = (room: string, game: number, seat: SeatName): string =>
  `blackpoker.fair.receipt ${room}:${game}:${seat}`;

function store(room: string, game: number, receipt: Receipt): void {
  const key = receiptKey(room, game, receipt.you);
  if (receipt.parts.length) playing.set(key, receipt);
  const index = read<string[]>(INDEX) ?? [];
  if (index.at(-1) !== key) {
    const kept = [...index.filter((other) => other !== key), key];
    kept.splice(0, Math.max(0, kept.length - MOST)).forEach(remove);
    write(INDEX, kept);
  }
  write(key, receipt);
}

function find(room: string, game: number, seat: SeatName): Receipt | null {
  const key = receiptKey(room, game, seat);
  return playing.get(key) ?? read<Receipt>(key);
}

/**
 * Return the receipt of the last game for which this page revealed a salt in the room. The server does not choose it.
 */
export function latest(room: string, seat: SeatName): Receipt | null {
  const pattern = `blackpoker.fair.receipt ${room}:`;
  const games = (read<string[]>(INDEX) ?? [])
    .filter((key) => key.startsWith(pattern) && key.endsWith(`:${seat}`))
    .map((key) => Number(key.split(":").at(-2)))
    .sort((one, two) => two - one);
  return games.map((game) => find(room, game, seat)).find((receipt) => receipt?.terms) ?? null;
}

/** Return the receipt of a game at either seat, because the server must not choose which one is compared. */
export function receiptOf(room: string, game: number): Receipt | null {
  const seats: SeatName[] = ["p1", "p2"];
  return seats.map((seat) => find(room, game, seat)).find((receipt) => receipt?.terms) ?? null;
}

/** Create a salt for the next game and return its seal. */
export function seal(room: string, game: number, you: SeatName, deck: string): string {
  const salt = hex(crypto.getRandomValues(new Uint8Array(16)));
  playing.delete(receiptKey(room, game, you));
  store(room, game, {
    you,
    salt,
    deck,
    terms: null,
    tries: 0,
    parts: [],
    digests: [],
    named: [],
    drew: [],
    seq: -1,
    chains: [],
    results: [],
    signatures: {},
    expectedKey: inviterKey(room),
    alarms: [],
    missed: false,
    takenBack: 0,
    resigned: false,
    over: false,
  });
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
    keys: [info.p1.key ?? "", info.p2.key ?? ""],
  };
}

// -- deals that count --------------------------------------------------------------------------------------------------

let openedAt = -1;
let openedTerms = "";
let touchedAt = 0;
/** called at the next touch: a second salt is not opened while nobody is there */
let waiting: (() => void) | null = null;

function touched(event: globalThis.Event): void {
  if (!event.isTrusted) return;
  touchedAt = performance.now();
  const opens = waiting;
  waiting = null;
  opens?.();
}
addEventListener("pointerdown", touched, true);
addEventListener("keydown", touched, true);

function noteAttempt(terms: string): void {
  const all = read<Attempt[]>(ATTEMPTS) ?? [];
  if (!all.some(([other]) => other === terms)) write(ATTEMPTS, [...all, [terms, 0]]);
}

function finishAttempt(terms: string): void {
  const all = (read<Attempt[]>(ATTEMPTS) ?? []).map(([other, done]): Attempt => [other, other === terms ? 1 : done]);
  const last = all.findLastIndex(([, done]) => done);
  write(
    ATTEMPTS,
    all.filter(([, done], place) => !done || place === last),
  );
}

/** Return how many deals did not finish between the last finished game and this one. */
function unfinishedBefore(terms: string): number {
  const all = read<Attempt[]>(ATTEMPTS) ?? [];
  const place = all.findIndex(([other]) => other === terms);
  const before = place < 0 ? all : all.slice(0, place);
  return before.length - 1 - before.findLastIndex(([, done]) => done);
}

/**
 * Return our salt and the hash of the terms once both seats are ready; the terms and the attempt are stored first. A salt
 * is opened for one game only: null if it was opened before. "touch": a salt was opened since the last touch, and this
 * one waits for the next, at which `again` is called.
 */
export function openSalt(
  info: RoomInfo,
  you: SeatName,
  again: () => void,
): { salt: string; terms: string } | "touch" | null {
  const receipt = find(info.id, info.game + 1, you);
  if (!receipt) return null;
  const terms = termsOf(info);
  const hash = termsHash(terms);
  if (receipt.terms) return termsHash(receipt.terms) === hash ? { salt: receipt.salt, terms: hash } : null;
  if (openedAt > touchedAt && openedTerms !== hash) {
    waiting = again;
    return "touch";
  }
  openedAt = performance.now();
  openedTerms = hash;
  noteAttempt(hash);
  store(info.id, info.game + 1, { ...receipt, terms, tries: unfinishedBefore(hash) });
  return { salt: receipt.salt, terms: hash };
}

/** Note that a game began with our seal, but without our salt. */
export function noteMissingReveal(info: RoomInfo, you: SeatName): void {
  const receipt = find(info.id, info.game + 1, you);
  if (!receipt || receipt.terms || !isOwnSeal(info, you)) return;
  store(info.id, info.game + 1, { ...receipt, terms: termsOf(info), alarms: ["skipped"] });
}

// -- while the game is played ------------------------------------------------------------------------------------------

/** Change the receipt of the game in play. */
function change(room: string, you: SeatName, changed: (receipt: Receipt, terms: Terms) => void): Receipt | null {
  const receipt = latest(room, you);
  if (!receipt?.terms) return null;
  const copy = structuredClone(receipt);
  changed(copy, receipt.terms);
  store(room, receipt.terms.game, copy);
  return copy;
}

function alarm(receipt: Receipt, name: Alarm): void {
  if (!receipt.alarms.includes(name)) receipt.alarms.push(name);
}

/** Return JSON with sorted names and without null, as `blackpoker verify` writes an event. */
export function eventText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(eventText).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const fields = Object.entries(value)
    .filter(([, field]) => field !== null)
    .sort(([one], [two]) => (one < two ? -1 : 1));
  return `{${fields.map(([name, field]) => `${JSON.stringify(name)}:${eventText(field)}`).join(",")}}`;
}

/** Extend the transcript by an update; return the signatures that are due. */
export function rememberUpdate(room: string, you: SeatName, update: Update): DueSignature[] {
  let begins = false;
  let ownTurn = false;
  const receipt = change(room, you, (receipt, terms) => {
    if (terms.game !== update.game) return;
    begins = !receipt.parts.length;
    ownTurn = addUpdate(receipt, terms, update);
  });
  if (!receipt?.terms || receipt.terms.game !== update.game || receipt.terms.seats.some((seat) => seat !== "human"))
    return [];
  const due = begins ? [dueSignature(receipt, 1, 0, firstHash(termsHash(receipt.terms), you, 1))] : [];
  return ownTurn ? [...due, dueNow(receipt)] : due;
}

function dueSignature(receipt: Receipt, part: number, count: number, transcript: string): DueSignature {
  const terms = receipt.terms ? termsHash(receipt.terms) : "";
  return { part, count, data: signedText(terms, receipt.you, part, count, transcript) };
}

function dueNow(receipt: Receipt): DueSignature {
  const last = receipt.parts.at(-1)!;
  return dueSignature(receipt, receipt.parts.length, last.length, last.hash);
}

function beginPart(receipt: Receipt, terms: Terms, part: number): void {
  if (part <= receipt.parts.length) return;
  if (receipt.parts.length) receipt.drew.push(NEXT);
  receipt.parts.push({ length: 0, hash: firstHash(termsHash(terms), receipt.you, part) });
  receipt.named = [];
}

/** Return the number of the first event of an update; null if the update does not follow what was sent before. */
function startOf(receipt: Receipt, update: Update, last: number): number | null {
  const { first_event: first = 0, match_game: part = 1 } = update;
  const known = receipt.digests.length;
  const whole = update.since < 0 || first > 0;
  if (part > receipt.parts.length + 1) return null;
  if (!whole) return update.since === last ? known : null;
  return first > known ? null : first;
}

/** Extend a receipt; return true if a turn of its seat has begun. The same rules are in `Receipt.add_update`. */
function addUpdate(receipt: Receipt, terms: Terms, update: Update): boolean {
  const { events = [], previous_events: opens = 0, match_game: part = 1 } = update;
  const last = receipt.seq;
  receipt.seq = update.seq;
  if (receipt.takenBack || receipt.missed) return false;
  const known = receipt.digests.length;
  const start = startOf(receipt, update, last);
  if (start === null) {
    receipt.missed = true;
    return false;
  }
  if (start + events.length < known) {
    alarm(receipt, "rewritten");
    return false;
  }
  let ownTurn = false;
  for (const [number, event] of events.entries()) {
    if (number === opens) beginPart(receipt, terms, part);
    if (!addEvent(receipt, event, start + number)) return false;
    ownTurn ||= start + number >= known && event.event === "turn" && event.player === receipt.you;
  }
  beginPart(receipt, terms, part);
  const hand = update.view?.[receipt.you].hand.cards ?? [];
  if (terms.start === "deal" && hand.some((card) => !receipt.named.includes(card))) alarm(receipt, "hand");
  return ownTurn;
}

/** Add an event, or compare it with what was sent before; return false after an alarm. */
function addEvent(receipt: Receipt, event: EventView, number: number): boolean {
  const text = utf8(eventText(event));
  const short = hex(sha256(text)).slice(0, DIGEST_LENGTH);
  const part = receipt.parts.at(-1);
  const known = number < receipt.digests.length;
  if (known && receipt.digests[number] === short) return true;
  if (known || receipt.over || !part) {
    alarm(receipt, receipt.over && !known ? "after_end" : "rewritten");
    return false;
  }
  part.hash = hex(sha256(new Uint8Array([...unhex(part.hash), ...text])));
  part.length += 1;
  receipt.digests.push(short);
  if (event.player === receipt.you) {
    receipt.named.push(...(event.cards ?? []));
    receipt.drew.push(...markersOf(event));
  }
  return true;
}

function markersOf(event: EventView): string[] {
  if (event.event === "shuffled") return [SHUFFLED];
  if (event.event === "drew") return event.cards ?? [];
  return ["topped", "sunk", "reordered"].includes(event.event) ? [PUT] : [];
}

/** Keep the result of a game and the hash of its record; return the signatures that are due. */
export function rememberResult(room: string, you: SeatName, over: GameOver): DueSignature[] {
  let ends = false;
  const receipt = change(room, you, (receipt, terms) => {
    if (terms.game !== over.game) return;
    const result = `${over.winner} ${over.reason}`;
    const place = receipt.chains.indexOf(over.record_hash ?? "");
    if (place >= 0) {
      if (receipt.results[place] !== result) alarm(receipt, "rewritten");
    } else if (receipt.over) alarm(receipt, "after_end");
    else {
      receipt.chains.push(over.record_hash ?? "");
      receipt.results.push(result);
      ends = receipt.over = over.match_over;
    }
    if (!ends) return;
    finishAttempt(termsHash(terms));
    openedAt = -1;
  });
  if (!ends || !receipt?.terms || !receipt.parts.length) return [];
  return receipt.terms.seats.every((seat) => seat === "human") ? [dueNow(receipt)] : [];
}

/** Count a take-back: the record does not contain what was taken back, so what follows is not compared. */
export function rememberOffer(room: string, you: SeatName, offer: Offer): void {
  if (offer.kind === "rewind" && offer.state === "accepted")
    change(room, you, (receipt) => void (receipt.takenBack += 1));
}

export function rememberResignation(room: string, you: SeatName): void {
  change(room, you, (receipt) => void (receipt.resigned = true));
}

/** Keep the last signature of the other seat. One of the terms alone is checked at once. */
export async function rememberSignature(room: string, you: SeatName, message: TranscriptSignature): Promise<void> {
  const part = message.part ?? 1;
  const receipt = change(room, you, (receipt) => {
    const [known] = receipt.signatures[part] ?? [0];
    if (message.count >= known) receipt.signatures[part] = [message.count, message.signature];
  });
  if (!receipt?.terms || message.count || part !== 1) return;
  const other = you === "p1" ? "p2" : "p1";
  const terms = termsHash(receipt.terms);
  const data = signedText(terms, other, 1, 0, firstHash(terms, other, 1));
  const good = await isSigned(receipt.terms.keys[you === "p1" ? 1 : 0], data, message.signature);
  if (good === false) change(room, you, (receipt) => alarm(receipt, "signature"));
}

/** Sign with the key of the room, if the room shows it for our seat. */
export async function sign(
  info: RoomInfo,
  you: SeatName,
  due: DueSignature,
): Promise<{ count: number; signature: string; part?: number } | null> {
  const key = await loadKey(info.id);
  if (!key || info[you].key !== key.public) return null;
  const signed = { count: due.count, signature: await key.sign(due.data) };
  return due.part > 1 ? { ...signed, part: due.part } : signed;
}

// -- after the game ----------------------------------------------------------------------------------------------------

/**
 * Return the result of the check and the code to compare, computed in a worker; without `opened` only the code. `whole`:
 * load the verifier, six megabytes, and replay the records.
 */
export function checkInWorker(receipt: Receipt, opened: Opened | null, whole = false): Promise<CheckAnswer> {
  const worker = new Worker(new URL("./fair.worker.ts", import.meta.url), { type: "module" });
  const verifier = whole ? `${location.origin}${BASE}/verifier/` : "";
  return new Promise<CheckAnswer>((done, failed) => {
    worker.onmessage = (event: MessageEvent<CheckAnswer>) => done(event.data);
    worker.onerror = () => failed(new Error("worker"));
    worker.postMessage({ receipt, text: receiptText(receipt), opened, verifier } satisfies CheckRequest);
  }).finally(() => worker.terminate());
}

/** Return the receipt as a file for `blackpoker verify RECORD --receipt FILE`. */
export function receiptText(receipt: Receipt): string {
  const terms = receipt.terms;
  if (!terms) return "";
  const lines = [
    "BlackPoker receipt 4",
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
    `key p1: ${terms.keys[0]}`,
    `key p2: ${terms.keys[1]}`,
    `you: ${receipt.you}`,
    `salt: ${JSON.stringify(receipt.salt)}`,
    `deck: ${JSON.stringify(receipt.deck)}`,
    `tries: ${receipt.tries}`,
    `invited by: ${receipt.expectedKey}`,
    `missed: ${Number(receipt.missed)}`,
    `taken back: ${receipt.takenBack}`,
    `resigned: ${Number(receipt.resigned)}`,
    `alarms: ${receipt.alarms.join(" ")}`,
    `events: ${TRANSCRIPT_VERSION}`,
    ...receipt.parts.map((part, place) => `transcript ${place + 1}: ${part.length} ${part.hash}`),
    ...receipt.results.map((result, place) => `result ${place + 1}: ${result}`),
    ...receipt.chains.map((chain, place) => `chain ${place + 1}: ${chain}`),
    ...Object.entries(receipt.signatures).map(([part, [count, text]]) => `signature ${part}: ${count} ${text}`),
  ];
  return lines.map((line) => line.trimEnd()).join("\n") + "\n";
}
