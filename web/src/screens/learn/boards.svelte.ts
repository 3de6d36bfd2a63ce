// Boards of puzzles, requested when they become visible, in batches of the server's limit.
import { post } from "../../core/http";
import type { View } from "../../core/protocol";

const AT_ONCE = 24;

class Boards {
  views = $state.raw<Record<string, View>>({});
  private requested = new Set<string>();

  request(ids: string[]): void {
    const fresh = ids.filter((id) => !this.requested.has(id));
    for (let from = 0; from < fresh.length; from += AT_ONCE) void this.fetch(fresh.slice(from, from + AT_ONCE));
  }

  private async fetch(puzzles: string[]): Promise<void> {
    for (const id of puzzles) this.requested.add(id);
    try {
      const found = await post<Record<string, View>>("/api/puzzles/boards", { puzzles });
      this.views = { ...this.views, ...found };
    } catch {
      for (const id of puzzles) this.requested.delete(id);
    }
  }
}

export const boards = new Boards();
