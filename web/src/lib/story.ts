// The log as people tell it: turn by turn, passes folded away, what was passed before what that allowed.
import type { SeatName } from "./names";
import type { Line } from "./protocol";

export interface Told {
  text: string;
  /** whose doing it is, where the line begins with a name */
  by: SeatName | null;
  seq: number;
  /** what was passed after it, by hand or by itself */
  passes: Line[];
}
export interface Turn {
  /** 0: before the first turn */
  number: number;
  by: SeatName | null;
  told: Told[];
  /** passed before anything was told */
  passes: Line[];
}

const TURN = /^──\s*(?:turn\s+)?(\d+).*?[：:]\s*(.+?)\s*──$/;
const PASS = /^(?:(?:P[12]|あなた)はパスした。|P[12] passes\.|You pass\.)$/;

/** Whose doing a line is, by the name it begins with. */
function seatOf(name: string, you: SeatName): SeatName | null {
  const found = /^P([12])(?![0-9A-Za-z])/.exec(name);
  if (found) return `p${found[1] ?? "1"}` as SeatName;
  return /^(?:あなた|you\b|your\b)/i.test(name) ? you : null;
}

export function turns(lines: Line[], you: SeatName = "p1"): Turn[] {
  const out: Turn[] = [{ number: 0, by: null, told: [], passes: [] }];
  // stable: what was passed by itself stands before what it allowed
  const ordered = lines.map((line, place) => ({ line, place })).sort((a, b) => a.line.seq - b.line.seq || Number(b.line.auto ?? false) - Number(a.line.auto ?? false) || a.place - b.place);
  for (const { line } of ordered) {
    const found = TURN.exec(line.text);
    if (found) {
      out.push({ number: Number(found[1]), by: seatOf(found[2] ?? "", you), told: [], passes: [] });
      continue;
    }
    const turn = out.at(-1);
    if (!turn) continue;
    if (line.auto || PASS.test(line.text)) {
      const fold = (turn.told.at(-1) ?? turn).passes;
      // the same pass told twice: once as what happened, once why
      if (!fold.some((one) => one.seq === line.seq && (one.auto ?? false) !== (line.auto ?? false) && one.auto)) fold.push(line);
      continue;
    }
    turn.told.push({ text: line.text, by: seatOf(line.text, you), seq: line.seq, passes: [] });
  }
  return out.filter((turn) => turn.told.length > 0 || turn.number > 0);
}
