// Pieces of a text with marked spans: player names, links to rules, and the words between them.
import { inSecondPerson, OPENING, TRAILING, type SeatName } from "./names";
import type { TextSpan } from "./protocol";

/** `before` and `after`: bracket or punctuation that stays on the line of a link */
export interface RichPiece {
  text: string;
  key?: string;
  before?: string;
  after?: string;
}

/** Return the pieces of a text; names of players replace their spans, in the second person for the reader. */
export function richPieces(text: string, marks: TextSpan[], names?: Record<SeatName, string>): RichPiece[] {
  const out: RichPiece[] = [];
  let from = 0;
  for (const { start: at, end: to, ref: what } of marks) {
    const seat = what.startsWith("seat:");
    const lead = text.slice(from, at);
    const before = seat ? "" : (OPENING.exec(lead)?.[0] ?? "");
    if (lead.length > before.length) out.push({ text: lead.slice(0, lead.length - before.length) });
    const word = text.slice(at, to);
    if (seat) {
      const name = names?.[what.slice(5) as SeatName] ?? word;
      const phrase = name === "You" ? inSecondPerson(text.slice(to), at === 0) : { text: name, used: 0 };
      out.push({ text: phrase.text });
      from = to + phrase.used;
    } else {
      const after = TRAILING.exec(text.slice(to))?.[0] ?? "";
      out.push({ text: word, key: what, before, after });
      from = to + after.length;
    }
  }
  if (from < text.length) out.push({ text: text.slice(from) });
  return out;
}
