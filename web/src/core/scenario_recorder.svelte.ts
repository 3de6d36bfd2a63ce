// Records the moves of a game where one person plays both seats, as the script of a scenario.
import type { SeatName } from "./names";
import type { Room } from "./room.svelte";

interface SavedScenario {
  position: string;
  script: string;
}

const TABLE = "blackpoker.table.";
const DESK = "blackpoker.desk";

/** Store the position a room was opened from, for this browser session. */
export function rememberPosition(room: string, position: string): void {
  sessionStorage.setItem(TABLE + room, position);
}
export function positionOf(room: string): string {
  return sessionStorage.getItem(TABLE + room) ?? "";
}

/** Store the scenario that the analysis screen shows next. */
export function openInAnalysis(kept: SavedScenario): void {
  sessionStorage.setItem(DESK, JSON.stringify(kept));
}
export function takeForAnalysis(): SavedScenario | null {
  const text = sessionStorage.getItem(DESK);
  sessionStorage.removeItem(DESK);
  return text ? (JSON.parse(text) as SavedScenario) : null;
}

export class ScenarioRecorder {
  private moves = new Map<number, string>();
  private refused = $state.raw<{ at: number; line: string }[]>([]);

  constructor(private readonly rooms: Record<SeatName, Room>) {
    for (const seat of ["p1", "p2"] as const) {
      rooms[seat].onMove = (seq, text) => this.moves.set(seq, `${seat}: ${text}`);
    }
  }

  /** Add a line for an action that is refused now. */
  illegal(seat: SeatName, action: string, ruling: string): void {
    const because = ruling ? ` because ${ruling}` : "";
    const entry = { at: this.rooms[seat].seq, line: `illegal ${seat} ${action}${because}` };
    if (!this.has(seat, action)) this.refused = [...this.refused, entry];
  }

  has(seat: SeatName, action: string): boolean {
    return this.refused.some(
      (one) => one.at === this.rooms[seat].seq && one.line.startsWith(`illegal ${seat} ${action}`),
    );
  }

  /** Return the script so far; automatic moves are written as passes. */
  script(): string {
    const passed = new Map<number, SeatName>();
    for (const seat of ["p1", "p2"] as const) {
      for (const line of this.rooms[seat].lines) if (line.automatic) passed.set(line.seq - 1, seat);
    }
    const out: string[] = [];
    const now = Math.max(this.rooms.p1.seq, this.rooms.p2.seq);
    for (let at = 0; at <= now; at++) {
      out.push(...this.refused.filter((one) => one.at === at).map((one) => one.line));
      const line = this.moves.get(at) ?? (passed.has(at) ? `${passed.get(at) ?? ""}: pass` : "");
      if (line && at < now) out.push(line);
    }
    return out.join("\n");
  }
}
