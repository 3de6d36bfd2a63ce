// An exercise in progress: its room, its state, undo, and replay of the solution.
import type { PracticeAnswer } from "../../core/protocol";
import { Player } from "../../animation/player.svelte";
import { touch } from "../../sound/touch";
import { Room } from "../../core/room.svelte";
import { ExerciseTransport } from "./exercise_transport";

export class Exercise {
  room = $state.raw<Room | null>(null);
  state = $state<"open" | "done" | "astray">("open");
  text = $state("");
  moves = $state.raw<string[]>([]);
  /** the solution is being played */
  showing = $state(false);
  private path = "";

  /** `onChange` is called after every move, so that a reload can resume. */
  constructor(private onChange: (moves: string[], state: string) => void = () => {}) {}

  begin(path: string, moves: string[] = []): void {
    this.close();
    this.path = path;
    this.moves = moves;
    this.state = "open";
    this.text = "";
    this.room = new Room(
      "practice",
      new Player(),
      "p1",
      false,
      () => new ExerciseTransport(path, this.moves, (answer) => this.onAnswer(answer)),
    );
  }

  private onAnswer(answer: PracticeAnswer): void {
    const changed = answer.moves.length !== this.moves.length || answer.state !== this.state;
    this.moves = answer.moves;
    const judge = (): void => {
      const solved = answer.state === "done" && this.state !== "done";
      this.state = answer.state as "open" | "done" | "astray";
      if (solved && !this.showing) touch(this.path.startsWith("/api/puzzles") ? "solved" : "learned");
      this.text = answer.text;
      if (answer.state !== "open" && this.room) this.room.waiting = null; // over: no player is thinking
    };
    const player = this.room?.player;
    if (player?.busy && answer.state !== "open") {
      // finish the animation before the verdict
      const wait = setInterval(() => {
        if (player.busy && this.room?.player === player) return;
        clearInterval(wait);
        if (this.room?.player === player) judge();
      }, 60);
    } else judge();
    if (changed) this.onChange(answer.moves, answer.state);
  }

  /** Undo the last move. */
  back(): void {
    const moves = this.moves.slice(0, -1);
    this.begin(this.path, moves);
    this.onChange(moves, "open");
  }

  again(): void {
    this.begin(this.path, []);
    this.onChange([], "open");
  }

  /** Play moves one by one, to show a solution. */
  async show(sentences: string[]): Promise<void> {
    this.again();
    this.showing = true;
    const room = this.room;
    for (const text of sentences) {
      await waitForPrompt(room);
      await pause(700);
      if (this.room !== room || !room) break;
      try {
        await room.actText(text);
      } catch {
        break;
      }
    }
    this.showing = false;
  }

  close(): void {
    this.room?.close();
    this.room = null;
    this.showing = false;
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((done) => setTimeout(done, ms));
}

async function waitForPrompt(room: Room | null): Promise<void> {
  const startedAt = performance.now();
  let before = room?.ask ?? null;
  while (room && performance.now() - startedAt < 8000) {
    const now = room.ask;
    if (now && now === before && !room.answering && !room.player.busy) return;
    before = now;
    await pause(80);
  }
}
