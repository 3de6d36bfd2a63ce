// The log as people tell it: turn by turn, passes folded away, what was passed before what that allowed.
import type { SeatName } from "./names";
import type { Line } from "./protocol";

export interface Told {
  line: Line;
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

export function turns(lines: Line[]): Turn[] {
  const out: Turn[] = [{ number: 0, by: null, told: [], passes: [] }];
  // stable: what was passed by itself stands before what it allowed
  const auto = (line: Line): number => Number(line.auto ?? false);
  const ordered = lines
    .map((line, place) => ({ line, place }))
    .sort((a, b) => a.line.seq - b.line.seq || auto(b.line) - auto(a.line) || a.place - b.place);
  for (const { line } of ordered) {
    if (line.kind === "turn") {
      out.push({ number: line.turn ?? 0, by: line.by ?? null, told: [], passes: [] });
      continue;
    }
    const turn = out.at(-1);
    if (!turn) continue;
    if (line.kind === "passed") {
      const fold = (turn.told.at(-1) ?? turn).passes;
      // the same pass told twice: once as what happened, once why
      if (!fold.some((one) => one.seq === line.seq && (one.auto ?? false) !== (line.auto ?? false) && one.auto)) fold.push(line);
      continue;
    }
    turn.told.push({ line, passes: [] });
  }
  return out.filter((turn) => turn.told.length > 0 || turn.number > 0);
}
