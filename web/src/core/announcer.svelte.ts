// Announcements to screen readers: events as one polite message per act, and what needs an answer as an assertive one.
import { sentences } from "./spoken";

/** events this close together belong to one act, in ms */
const ACT_MS = 700;

export interface Announcement {
  text: string;
  /** changes with every announcement, so that an equal text is announced again */
  number: number;
}
const NONE: Announcement = { text: "", number: 0 };

class Announcer {
  polite = $state.raw<Announcement>(NONE);
  assertive = $state.raw<Announcement>(NONE);
  private pending: string[] = [];
  private timer = 0;
  private number = 0;
  /** the last announcement, which a key repeats */
  private last = "";

  /** Add sentences about what happened; they are announced together once the act is over. */
  events(lines: string[]): void {
    if (!lines.length) return;
    this.pending.push(...lines);
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => this.announceEvents(), ACT_MS);
  }

  /** Announce what needs an answer; events not announced yet come first, because it interrupts them. */
  prompt(text: string): void {
    const whole = sentences(...this.take(), text);
    if (!whole) return;
    this.last = whole;
    this.assertive = { text: whole, number: ++this.number };
  }

  /** Announce a text on request, without changing what is repeated. */
  inform(text: string): void {
    this.assertive = { text, number: ++this.number };
  }

  repeat(): void {
    if (this.pending.length) this.announceEvents();
    else if (this.last) this.inform(this.last);
  }

  clear(): void {
    clearTimeout(this.timer);
    this.pending = [];
  }

  private announceEvents(): void {
    const text = sentences(...this.take());
    if (!text) return;
    this.last = text;
    this.polite = { text, number: ++this.number };
  }

  private take(): string[] {
    clearTimeout(this.timer);
    const lines = this.pending;
    this.pending = [];
    return lines;
  }
}

/** the one announcer of the page; App renders its live regions */
export const announcer = new Announcer();
