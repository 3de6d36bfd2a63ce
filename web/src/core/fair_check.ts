// Check of a finished game: what this page saw before and during the game, compared with what was published after it.
// Every shuffle is computed again; `blackpoker verify` also replays the record and compares everything that was sent. The
// protocol is described in docs/fairness.md. Uses no DOM: it runs in a worker.
import { digest, hex, sha256, unhex, utf8 } from "./sha256";

export type Seat = "p1" | "p2";
export type Pair = [string, string];

/** The terms of a game, known before any salt is revealed. */
export interface Terms {
  room: string;
  game: number;
  regulation: string;
  edition: string;
  start: string;
  commitment: string;
  seats: Pair;
  seals: Pair;
  keys: Pair;
}

/** The transcript of a game of the match: number of events, and their running hash. */
export interface TranscriptPart {
  length: number;
  hash: string;
}

/**
 * Data of one game held by this page; it is only ever extended. `digests`: a short hash of each event of the match;
 * `named`: the own cards that events of the current game named; `drew` contains cards and markers (pile shuffled, pile
 * reordered, next game of the match); `alarms`: contradictions in what was sent.
 */
export interface Receipt {
  you: Seat;
  salt: string;
  deck: string;
  terms: Terms | null;
  tries: number;
  parts: TranscriptPart[];
  digests: string[];
  named: string[];
  drew: string[];
  seq: number;
  chains: string[];
  results: string[];
  signatures: Record<string, [number, string]>;
  /** key of the other player as the invitation named it */
  expectedKey: string;
  alarms: Alarm[];
  missed: boolean;
  takenBack: number;
  resigned: boolean;
  over: boolean;
}
export type Alarm = "rewritten" | "after_end" | "hand" | "signature" | "skipped";

export const SHUFFLED = "~";
export const PUT = "^";
export const NEXT = "/";

/** Return the entries of each game. */
export function gamesOf(drew: string[]): string[][] {
  const games: string[][] = [[]];
  for (const sign of drew) {
    if (sign === NEXT) games.push([]);
    else games.at(-1)!.push(sign);
  }
  return games;
}

/** Data the server publishes at the end. `records`: the games of the match as texts. */
export interface Opened {
  secret: string;
  salts: string[];
  decks: string[];
  records: string[];
}

export type CheckName =
  | Alarm
  | "promise"
  | "own"
  | "other"
  | "computer"
  | "terms"
  | "shuffles"
  | "decks"
  | "drew"
  | "result"
  | "record"
  | "unnamed"
  | "position"
  | "missed"
  | "taken"
  | "key"
  | "unsigned"
  | "tries"
  | "rules"
  | "none"
  | "unfinished"
  | "withheld";
export type Verdict = "proven" | "consistent" | "broken";
/** `good`: true, false, or null if it could not be compared. */
export interface Line {
  name: CheckName;
  good: boolean | null;
  count: number;
}

const CARDS = [..."SHDC"]
  .flatMap((suit) => ["A", ..."23456789", "10", ..."JQK"].map((rank) => suit + rank))
  .concat("JK", "JK2");
const SEATS: [Seat, Seat] = ["p1", "p2"];

export const sealOf = (seat: Seat, salt: string, deck: string): string =>
  hex(digest("blackpoker seal 3", seat, salt, deck));
export const roomTag = (room: string): string => hex(sha256(utf8(`blackpoker room 1\n${room}`))).slice(0, 16);
export const termsHash = (terms: Terms): string =>
  hex(
    digest(
      "blackpoker terms 4",
      terms.room,
      String(terms.game),
      terms.regulation,
      terms.edition,
      terms.start,
      terms.commitment,
      ...terms.seats,
      ...terms.seals,
      ...terms.keys,
    ),
  );

/** Return the hash of a transcript without events. */
export const firstHash = (terms: string, seat: Seat, part: number): string =>
  hex(digest("blackpoker transcript 1", terms, seat, String(part)));

const CODE_ROUNDS = 50_000;
const CODE_LETTERS = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ";

/** Return the letters that both players see if they played under the same terms and were sent the same hashes. */
export function comparisonCode(receipt: Receipt): string {
  let hashed = digest("blackpoker code 1", receipt.terms ? termsHash(receipt.terms) : "", ...receipt.chains);
  for (let round = 0; round < CODE_ROUNDS; round++) hashed = sha256(hashed);
  const number = new DataView(hashed.buffer).getUint32(0);
  return [0, 1, 2, 3, 4, 5].map((place) => CODE_LETTERS[(number >>> (5 * place)) & 31]).join("");
}

/** Return the verdict of these lines: what could not be compared is no proof. */
export function verdictOf(lines: Line[]): Verdict {
  if (lines.some((line) => line.good === false)) return "broken";
  return lines.length && lines.every((line) => line.good) ? "proven" : "consistent";
}

/** Key stream of a seat: uniformly distributed numbers below a bound. */
class Stream {
  private at = 0;
  private block = -1;
  private words: DataView = new DataView(new ArrayBuffer(32));

  constructor(
    private readonly key: Uint8Array,
    private readonly number: number,
    private readonly seat: number,
  ) {}

  private word(): number {
    const block = this.at >> 3;
    if (block !== this.block) {
      const data = new Uint8Array(45);
      data.set(this.key);
      const view = new DataView(data.buffer);
      view.setUint32(32, this.number);
      data[36] = this.seat;
      view.setUint32(41, block);
      this.words = new DataView(sha256(data).buffer);
      this.block = block;
    }
    return this.words.getUint32((this.at++ & 7) * 4);
  }

  private below(n: number): number {
    const most = 2 ** 32 - (2 ** 32 % n);
    for (;;) {
      const word = this.word();
      if (word < most) return word % n;
    }
  }

  /** Return these cards shuffled by the stream, from the top. */
  shuffle(cards: string[]): string[] {
    const pile = cards.map((card) => CARDS.indexOf(card)).sort((one, two) => one - two);
    for (let i = pile.length - 1; i > 0; i--) {
      const j = this.below(i + 1);
      [pile[i], pile[j]] = [pile[j]!, pile[i]!];
    }
    return pile.reverse().map((card) => CARDS[card] ?? "?");
  }
}

/** Return the parts of a record that concern the shuffles. */
function read(text: string) {
  const lines = text.split("\n").map((line) => line.replace(/[ \t\r]+$/, ""));
  const facts = new Map<string, string>();
  for (const line of lines) {
    const found = /^# ([a-z0-9 ]+): ?(.*)$/.exec(line);
    if (found) facts.set(found[1]!, found[2]!);
  }
  const commands = lines.filter((line) => line && !line.startsWith("#"));
  const head = (name: string): string =>
    commands
      .find((line) => line.startsWith(`${name}:`))
      ?.slice(name.length + 1)
      .trim() ?? "";
  const start = commands.findIndex((line) => line.startsWith("start:"));
  const cards = (line: string): string[] =>
    line
      .slice(line.indexOf(":") + 1)
      .split(" ")
      .filter(Boolean);
  const shuffles = commands
    .slice(0, start)
    .filter((line) => line.startsWith("shuffle p"))
    .map((line) => ({ seat: line.slice(8, 10) as Seat, cards: cards(line) }));
  const position = commands.filter((line) => line.startsWith("|")).map((line) => line.slice(2));
  const from = head("start") === "deal" ? "deal" : hex(digest("blackpoker start 3", head("start"), ...position));
  return {
    facts,
    commands,
    head,
    shuffles,
    start: from,
    deck: (seat: Seat): string[] => cards(`:${head(`deck ${seat}`)}`),
  };
}
type Game = ReturnType<typeof read>;

const quote = (text: string | undefined): string | null => {
  try {
    const found: unknown = JSON.parse(text ?? '""');
    return typeof found === "string" ? found : null;
  } catch {
    return null;
  }
};

/** Return true if the record has the terms that were shown before the game. */
function sameTerms(game: Game, terms: Terms): boolean {
  const { facts, head } = game;
  return (
    facts.get("fair") === "4" &&
    facts.get("room") === terms.room &&
    facts.get("game") === String(terms.game) &&
    head("regulation") === terms.regulation &&
    head("edition") === terms.edition &&
    game.start === terms.start &&
    facts.get("commitment") === terms.commitment &&
    SEATS.every(
      (seat, place) =>
        facts.get(`seat ${seat}`) === terms.seats[place] &&
        (facts.get(`seal ${seat}`) ?? "") === terms.seals[place] &&
        (facts.get(`key ${seat}`) ?? "") === terms.keys[place],
    )
  );
}

/** Return the result of a game in the words of the message `game_over`. */
function resultOf(game: Game): string {
  const [winner, reason] = game.head("result").split(" ");
  return `${winner} ${winner === "draw" && reason === "agreed" ? "draw" : reason}`;
}

/** Return true if every shuffle of a game comes from the key. */
function sameShuffles(game: Game, key: Uint8Array, part: number): boolean {
  const streams = { p1: new Stream(key, part, 0), p2: new Stream(key, part, 1) };
  return game.shuffles.every((one) => streams[one.seat].shuffle(one.cards).join(" ") === one.cards.join(" "));
}

/** Return true if the random decks of a game come from the key. */
function sameDecks(game: Game, key: Uint8Array, regulation: string): boolean {
  const wanted = Number(/random(\d+)/.exec(regulation)?.[1] ?? 0);
  return SEATS.every((seat, place) => {
    const all = new Stream(key, 0, place).shuffle(CARDS).reverse();
    const deck = game.deck(seat);
    const sorted = (cards: string[]): string =>
      cards
        .map((card) => CARDS.indexOf(card))
        .sort((one, two) => one - two)
        .join(" ");
    const first = sorted(all.slice(0, deck.length)) === sorted(deck);
    return wanted
      ? first && deck.length === wanted
      : first || sorted(all.slice(all.length - deck.length)) === sorted(deck);
  });
}

/** Return how many drawn cards are in the order of the shuffles; -1 if one is not. */
function draw(game: Game, you: Seat, drew: string[]): number {
  const piles = game.shuffles.filter((one) => one.seat === you).map((one) => one.cards);
  let pile: string[] | null = null; // the part of which the order is known
  let number = 0;
  let count = 0;
  for (const sign of drew) {
    if (sign === SHUFFLED) pile = piles[number++]?.slice() ?? [];
    else if (sign === PUT) pile = null;
    else if (pile) {
      const place = pile.indexOf(sign);
      if (place < 0) return -1;
      pile = pile.slice(place + 1); // the cards above it were moved elsewhere
      count += 1;
    }
  }
  return count;
}

/** Return true if the opponent's deck and salt match the seal; a computer has none. */
function broughtAsSealed(terms: Terms, seat: number, salt: string, deck: string): boolean {
  if (terms.seats[seat]!.startsWith("ai")) return !terms.seals[seat] && !salt && !deck;
  return sealOf(SEATS[seat]!, salt, deck) === terms.seals[seat];
}

/** Compare the cards drawn here with those of the record. */
function checkDrawn(receipt: Receipt, games: Game[]): Line[] {
  const counts = gamesOf(receipt.drew).map((drew, place) =>
    games[place] ? draw(games[place], receipt.you, drew) : -1,
  );
  const count = counts.reduce((sum, one) => sum + Math.max(0, one), 0);
  const good = counts.every((one) => one >= 0);
  return receipt.drew.length ? [{ name: "drew", good: good && count === 0 ? null : good, count }] : [];
}

/** Return what the receipt shows by itself, without a record. */
export function checkReceipt(receipt: Receipt): Line[] {
  const lines: Line[] = receipt.alarms.map((name) => ({ name, good: false, count: 0 }));
  const open = (name: CheckName, count = 0): void => void lines.push({ name, good: null, count });
  const terms = receipt.terms;
  if (!terms) return lines;
  const other = receipt.you === "p1" ? 1 : 0;
  if (terms.start !== "deal") open("position");
  if (receipt.takenBack) open("taken", receipt.takenBack);
  else if (receipt.missed || !receipt.digests.length) open("missed");
  if (terms.seats[other] === "human") {
    if (receipt.expectedKey && receipt.expectedKey !== terms.keys[other]) open("key");
    if (!Object.keys(receipt.signatures).length) open("unsigned");
  }
  if (receipt.tries) open("tries", receipt.tries);
  return lines;
}

export function check(receipt: Receipt, opened: Opened): Line[] {
  const terms = receipt.terms;
  if (!terms) return [];
  const mine = receipt.you === "p1" ? 0 : 1;
  const secret = unhex(opened.secret);
  const salts = [opened.salts[0] ?? "", opened.salts[1] ?? ""];
  const decks = [opened.decks[0] ?? "", opened.decks[1] ?? ""];
  const games = opened.records.map(read);
  const lines = checkReceipt(receipt);
  const add = (name: CheckName, good: boolean | null, count = 0): void => void lines.push({ name, good, count });
  const text = [...utf8("blackpoker commitment 1\n"), ...secret];
  add("promise", secret.length === 32 && hex(sha256(new Uint8Array(text))) === terms.commitment);
  add(
    "own",
    salts[mine] === receipt.salt &&
      decks[mine] === receipt.deck &&
      sealOf(receipt.you, receipt.salt, receipt.deck) === terms.seals[mine],
  );
  const other = 1 - mine;
  add(
    terms.seats[other]!.startsWith("ai") ? "computer" : "other",
    broughtAsSealed(terms, other, salts[other]!, decks[other]!),
  );
  const opens = (game: Game): boolean =>
    game.facts.get("secret") === opened.secret &&
    SEATS.every(
      (seat, place) =>
        quote(game.facts.get(`salt ${seat}`)) === salts[place] &&
        quote(game.facts.get(`deck ${seat}`)) === decks[place],
    );
  add(
    "terms",
    games.length > 0 &&
      games.every(
        (game, place) => sameTerms(game, terms) && opens(game) && game.facts.get("part") === String(place + 1),
      ),
  );
  const key = digest("blackpoker key 4", opened.secret, termsHash(terms), salts[0]!, salts[1]!);
  const shuffles = games.reduce((sum, game) => sum + game.shuffles.length, 0);
  const dealt = terms.start !== "deal" || games.every((game) => game.shuffles.length > 1);
  add("shuffles", dealt && games.every((game, place) => sameShuffles(game, key, place + 1)), shuffles);
  if (terms.start === "deal" && /\brandom/.test(terms.regulation))
    add(
      "decks",
      games.every((game) => sameDecks(game, key, terms.regulation)),
    );
  if (!receipt.takenBack) lines.push(...checkDrawn(receipt, games));
  add(
    "result",
    games.every((game, place) => resultOf(game) === receipt.results[place]),
  );
  const chain = (game: Game, place: number): string =>
    hex(
      digest(
        "blackpoker chain 4",
        opened.secret,
        place ? (receipt.chains[place - 1] ?? "") : "",
        termsHash(terms),
        String(place + 1),
        ...game.commands,
      ),
    );
  // The hash covers both names. After the deletion of an account it cannot be computed again: only the hash in the
  // record is compared.
  const anonymous = (game: Game): boolean =>
    SEATS.some((seat) => game.facts.get("name taken out") === seat && !game.head(seat));
  const commandOf = (game: Game, place: number): string =>
    anonymous(game) ? (game.facts.get("chain") ?? "") : chain(game, place);
  const same =
    games.length === receipt.chains.length &&
    games.every((game, place) => commandOf(game, place) === receipt.chains[place]);
  if (same && games.some(anonymous)) add("unnamed", null);
  else add("record", same);
  add("rules", null);
  return lines;
}
