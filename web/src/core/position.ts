// Text of a position for the board editor: reads entries of one line each, and rewrites only the line it changes. The
// format is docs/notation.md; the engine knows what the cards may do.
import { isCard } from "./cards";
import { EDITIONS, editionOf, partsOf, regulationText, type EditionId } from "./regulation";

export type SeatName = "p1" | "p2";

export const ZONES = ["hand", "life", "grave", "field", "bulwarks", "trumps"] as const;
export type Zone = (typeof ZONES)[number];
type Table = "" | SeatName;

/** A token of an entry: `S5+S9(d,new)`, `t:H4`, `+17`, `-`. */
export interface Word {
  text: string;
  cards: string[];
  marks: string[];
  /** of a trump: T face up, t face down */
  face: string;
}

const HEADER = /^\s*\[\s*(p[12])\s*\]\s*(?:#.*)?$/;
const ENTRY = /^\s*([a-z_0-9]+)\s*=\s*("[^"\\]*"|'[^']*'|\[(?:"[^"]*"|'[^']*'|[^\]#"'])*\]|[-+\w]+)\s*(#.*)?$/;
/** start of a list over several lines, as the program writes a stage */
const OPENED = /^(\s*[a-z_0-9]+\s*=\s*\[)\s*$/;
const LETTERS: Record<string, string> = { "♠": "S", "♡": "H", "♥": "H", "♢": "D", "♦": "D", "◇": "D", "♣": "C" };
/** default of an entry that is missing */
const DEFAULTS: Record<string, string> = { format: "master", turn: "p1", life: "20" };
const FILLERS = /^\+(\d+)$/;

interface Found {
  table: Table;
  key: string;
  value: string;
  note: string;
  line: number;
}

function entries(text: string): { found: Found[]; strange: boolean } {
  const found: Found[] = [];
  let strange = false;
  let table: Table = "";
  flat(text)
    .split("\n")
    .forEach((raw, line) => {
      if (/^\s*(?:#.*)?$/.test(raw)) return;
      const header = HEADER.exec(raw);
      const entry = ENTRY.exec(raw);
      if (header) table = header[1] as SeatName;
      else if (entry) found.push({ table, key: entry[1] ?? "", value: entry[2] ?? "", note: entry[3] ?? "", line });
      else strange = true;
    });
  return { found, strange };
}

/** Return the text with every list on one line. */
export function flat(text: string): string {
  const out: string[] = [];
  let open = false;
  for (const raw of text.split("\n")) {
    if (open) {
      out[out.length - 1] += raw.trim() + (raw.trim() === "]" ? "" : " ");
      if (raw.trim() === "]") {
        open = false;
        out[out.length - 1] = (out.at(-1) ?? "").replace(/,?\s*\]$/, "]");
      }
    } else {
      open = OPENED.test(raw);
      out.push(raw);
    }
  }
  return out.join("\n");
}

/** Return true if the editor can show everything in this text. */
export function readable(text: string): boolean {
  const { found, strange } = entries(text);
  return !strange && !found.some((one) => one.key === "saved");
}

export function entry(text: string, table: Table, key: string): string {
  const found = entries(text).found.find((one) => one.table === table && one.key === key);
  return found ? found.value.replace(/^["'](.*)["']$/, "$1") : (DEFAULTS[key] ?? "");
}

/** Return the text with this entry; an empty value removes it. Whole numbers have no quotes. */
export function withEntry(given: string, table: Table, key: string, value: string): string {
  const text = flat(given);
  const lines = text.trimEnd().split("\n");
  const { found } = entries(text);
  const old = found.find((one) => one.table === table && one.key === key);
  const line = `${key} = ${/^(\d+|true|false|\[.*\])$/.test(value) ? value : `"${value}"`}`;
  if (old) lines.splice(old.line, 1, ...(value ? [old.note ? `${line}  ${old.note}` : line] : []));
  else if (value) {
    const last = found.filter((one) => one.table === table).at(-1)?.line;
    const header = lines.findIndex((one) => HEADER.exec(one)?.[1] === table);
    if (last !== undefined) lines.splice(last + 1, 0, line);
    else if (!table) lines.unshift(line);
    else if (header >= 0) lines.splice(header + 1, 0, line);
    else lines.push("", `[${table}]`, line);
  }
  return lines.join("\n") + "\n";
}

export function format(text: string): string {
  return partsOf(entry(text, "", "regulation") || entry(text, "", "format")).format;
}

export function withFormat(text: string, id: string): string {
  const named = entry(text, "", "regulation");
  if (!named) return withEntry(text, "", "format", id);
  return withEntry(text, "", "regulation", regulationText({ ...partsOf(named), format: id }));
}

export function edition(text: string): EditionId {
  const named = entry(text, "", "edition");
  return EDITIONS.find((one) => one === named) ?? editionOf(entry(text, "", "regulation"));
}

/** Return the position in an edition; a regulation becomes its format alone. */
export function withEdition(text: string, id: EditionId): string {
  const known = id === "9" && format(text) === "extra" ? "master" : format(text); // a frame there
  const kept = withEntry(withEntry(text, "", "regulation", ""), "", "format", known);
  return withEntry(kept, "", "edition", id === EDITIONS[0] ? "" : id).replace(/^edition = (\d+)$/m, 'edition = "$1"');
}

export function word(text: string): Word {
  const found = /^(?:([Tt]):)?([^()]*)(?:\(([^()]*)\))?$/.exec(text);
  const parts = (found?.[2] ?? "")
    .split("+")
    .map((part) => part.toUpperCase().replace(/^./, (sign) => LETTERS[sign] ?? sign));
  return {
    text,
    cards: parts.every(isCard) ? parts : [],
    marks: (found?.[3] ?? "")
      .split(",")
      .map((mark) => mark.trim())
      .filter(Boolean),
    face: found?.[1] ?? "",
  };
}

function write({ cards, marks, face }: Word): string {
  return (face && `${face}:`) + cards.join("+") + (marks.length ? `(${marks.join(",")})` : "");
}

/** Return the tokens of a zone, without the number of unnamed cards of a life. */
export function words(text: string, seat: SeatName, zone: Zone): Word[] {
  const value = entry(text, seat, zone);
  if (zone === "life" && /^\d+$/.test(value)) return [];
  return value
    .split(/\s+/)
    .filter((one) => one && !(zone === "life" && FILLERS.test(one)))
    .map(word);
}

/** Return the number of unnamed cards in a life. */
export function fillers(text: string, seat: SeatName): number {
  const value = entry(text, seat, "life");
  return Number(/^\d+$/.test(value) ? value : (FILLERS.exec(value.split(/\s+/).at(-1) ?? "")?.[1] ?? 0));
}

export function withWords(text: string, seat: SeatName, zone: Zone, list: Word[], fill = fillers(text, seat)): string {
  const texts = list.map((one) => one.text);
  if (zone === "life") {
    if (!texts.length) texts.push(String(fill));
    else if (fill) texts.push(`+${fill}`);
  }
  return withEntry(text, seat, zone, texts.join(" "));
}

export function withCard(text: string, seat: SeatName, zone: Zone, card: string): string {
  const list = words(text, seat, zone);
  const open = zone === "grave" && list.at(-1)?.text === "-" ? list.length - 1 : list.length; // "-" stays the last token
  list.splice(open, 0, word(zone === "trumps" ? `t:${card}` : card));
  return withWords(text, seat, zone, list);
}

/** Return the unit driven or charged, or the trump face up or face down. */
export function turned(one: Word, zone: Zone): Word {
  if (zone === "trumps") return word(write({ ...one, face: one.face === "T" ? "t" : "T" }));
  const marks = one.marks.includes("d") ? one.marks.filter((mark) => mark !== "d") : ["d", ...one.marks];
  return word(write({ ...one, marks }));
}

/** A card or unit: seat, zone, index of the token. */
export interface Place {
  seat: SeatName;
  zone: Zone;
  at: number;
}

/** Return the places of the first card that a player has twice, or null. */
export function twice(text: string): { card: string; places: Place[] } | null {
  for (const seat of ["p1", "p2"] as const) {
    const lying = new Map<string, Place[]>();
    for (const zone of ZONES)
      for (const [at, { cards }] of words(text, seat, zone).entries())
        for (const card of cards) lying.set(card, [...(lying.get(card) ?? []), { seat, zone, at }]);
    for (const [card, places] of lying) if (places.length > 1) return { card, places };
  }
  return null;
}

/** Return the text without the card or unit at a place; of a unit with several cards, without the named one. */
export function without(text: string, { seat, zone, at }: Place, card = ""): string {
  return withWords(
    text,
    seat,
    zone,
    words(text, seat, zone).flatMap((one, n) => {
      if (n !== at) return [one];
      const last = one.cards.lastIndexOf(card);
      return last < 0 || one.cards.length === 1
        ? []
        : [word(write({ ...one, cards: one.cards.filter((_, m) => m !== last) }))];
    }),
  );
}

/** Return every placed card of a player, including the pack. */
export function placed(text: string, seat: SeatName): Set<string> {
  const pack = entry(text, seat, "pack").split(/\s+/).map(word);
  return new Set([...ZONES.flatMap((zone) => words(text, seat, zone)), ...pack].flatMap((one) => one.cards));
}

/** Add a mark to a unit, or remove it; a bonus replaces another bonus. */
export function marked(one: Word, mark: string): Word {
  const number = /^[+-]\d+$/;
  const kin = (other: string): boolean =>
    number.test(mark) ? number.test(other) : other.split(":")[0] === mark.split(":")[0];
  const had = one.marks.includes(mark);
  const marks = [...one.marks.filter((other) => !kin(other)), ...(had || mark === "+0" ? [] : [mark])];
  return word(write({ ...one, marks }));
}

/** Return a soldier with one more card. */
export function armed(one: Word, card: string): Word {
  return word(write({ ...one, cards: [...one.cards, card] }));
}

/** Return the tokens of a list: `["a", 'b']`. */
export function listed(text: string, table: Table, key: string): string[] {
  return [...entry(text, table, key).matchAll(/"([^"]*)"|'([^']*)'/g)].map((found) => found[1] ?? found[2] ?? "");
}
export function withList(text: string, table: Table, key: string, list: string[]): string {
  return withEntry(text, table, key, list.length ? `[${list.map((one) => `"${one}"`).join(", ")}]` : "");
}

/**
 * Return the position rebuilt card by card, as the editor does it. Entries without a place on the table (turn, stage,
 * used actions) are set as fields.
 */
export function rebuilt(given: string): string {
  const text = flat(given);
  const { found } = entries(text);
  let out = "[p1]\n\n[p2]\n";
  const LISTS = ["passed", "stage", "used"];
  const set = ({ table, key }: Found): string => {
    return LISTS.includes(key)
      ? withList(out, table, key, listed(text, table, key))
      : withEntry(out, table, key, entry(text, table, key));
  };
  for (const one of found) if (!one.table) out = set(one);
  for (const seat of ["p1", "p2"] as const) {
    for (const zone of ZONES) {
      for (const old of words(text, seat, zone)) {
        const at = words(out, seat, zone).length;
        if (old.text === "-") {
          out = withWords(out, seat, zone, [...words(out, seat, zone), old]);
          continue;
        }
        out = withCard(out, seat, zone, old.cards[0] ?? "");
        const change = (make: (one: Word) => Word): void => {
          out = withWords(
            out,
            seat,
            zone,
            words(out, seat, zone).map((one, n) => (n === at ? make(one) : one)),
          );
        };
        for (const card of old.cards.slice(1)) change((one) => armed(one, card));
        if (zone === "trumps" && old.face === "T") change((one) => turned(one, zone));
        for (const mark of old.marks)
          change((one) => (mark === "d" && zone !== "trumps" ? turned(one, zone) : marked(one, mark)));
      }
      if (zone === "life") out = withWords(out, seat, zone, words(out, seat, zone), fillers(text, seat));
    }
    for (const one of found) if (one.table === seat && !(ZONES as readonly string[]).includes(one.key)) out = set(one);
  }
  return out;
}

export function empty(text: string): string {
  return `format = "${format(text)}"\nturn = "p1"\n\n[p1]\nlife = 20\n\n[p2]\nlife = 20\n`;
}
