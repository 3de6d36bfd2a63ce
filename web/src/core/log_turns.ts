// The log grouped by turns, without manual passes; automatic passes are listed at the head of a turn.
import type { SeatName } from "./names";
import type { LogEntry } from "./protocol";

export interface Turn {
  /** 0: before the first turn */
  number: number;
  /** in a match: the title of the game that starts here */
  game?: string;
  by: SeatName | null;
  lines: LogEntry[];
  /** automatic passes, with their reason and stop */
  passes: LogEntry[];
}

export function turns(lines: LogEntry[]): Turn[] {
  const out: Turn[] = [{ number: 0, by: null, lines: [], passes: [] }];
  for (const line of lines) {
    if (line.kind === "turn") {
      out.push({ number: line.turn ?? 0, by: line.player ?? null, lines: [], passes: [] });
      continue;
    }
    if (line.kind === "game") {
      out.push({ number: 0, game: line.text, by: null, lines: [], passes: [] });
      continue;
    }
    const turn = out.at(-1);
    if (!turn) continue;
    if (line.kind !== "passed") turn.lines.push(line);
    else if (line.automatic) turn.passes.push(line);
  }
  return out.filter((turn) => turn.lines.length > 0 || turn.number > 0 || turn.game);
}
