// The choices before a game: opponent and rules. They start with the last ones.
import { STATIC } from "../../core/base_path";
import { post } from "../../core/http";
import type { Created, Paired } from "../../core/protocol";
import { partsOf, regulationText, type EditionId } from "../../core/regulation";
import { go } from "../../core/router.svelte";
import { rules } from "../../core/rules.svelte";
import { chooseEdition, saveSettings, settings, thinkingMs, type Temper } from "../../core/settings.svelte";
import { rememberOwnRoom } from "../../core/own_rooms";

export type OpponentKind = "ai" | "friend" | "anybody" | "both";
/** a static page has no online opponents */
export const WAYS: OpponentKind[] = STATIC ? ["ai", "both"] : ["ai", "friend", "anybody", "both"];
/** minutes on the clock, and minimum ms to respond */
export const CLOCKS = [0, 5, 10, 20];
export const WINDOWS = [1200, 400, 0, 5000];
/** seconds to respond outside the own turn; 0: no limit */
export const LIMITS = [60, 180, 600, 0];
/** seconds of spectator delay, and kinds of chat */
export const DELAYS = [0, 60, 180, 300];
export const CHATS: ("free" | "phrases")[] = ["free", "phrases"];
/** styles of computer players that search ahead */
export const TEMPERS: Temper[] = ["", "attacking", "patient"];

export class Choice {
  who = $state<OpponentKind>("ai");
  level = $state(settings.level);
  temper = $state(settings.temper);
  regulation = $state(settings.regulation);
  minutes = $state(settings.minutes);
  windowMs = $state(settings.windowMs);
  limit = $state(60);
  listed = $state(false);
  delay = $state(0);
  chat = $state<"free" | "phrases">("free");
  /** needs an account */
  rated = $state(false);
  busy = $state(false);
  problem = $state("");

  private parts = $derived(partsOf(this.regulation));
  edition = $derived(this.parts.edition);
  format = $derived(this.parts.format);
  frame = $derived(this.parts.frame);
  options = $derived(this.parts.options);
  private legal = $derived(rules.regulations?.legal ?? []);
  /** unchanged since the last game */
  last = $derived(
    this.regulation === settings.regulation && (this.who !== "ai" || this.level === settings.level) && settings.played,
  );

  constructor(who: OpponentKind, level = "") {
    this.who = who;
    this.level = level || this.level;
  }

  /** Return the legal regulation nearest to this one, or "" if there is none. */
  near(format: string, frame: string, options: string[] = this.options): string {
    const same = this.withFrame(format, frame);
    return same.find((text) => partsOf(text).options.join("+") === options.join("+")) ?? same[0] ?? "";
  }

  private withFrame(format: string, frame: string): string[] {
    return this.legal.filter((text) => partsOf(text).format === format && partsOf(text).frame === frame);
  }

  /** Choose the edition of the whole page, and its last regulation. */
  setEdition(id: EditionId): void {
    chooseEdition(id);
    this.regulation = settings.regulation;
  }

  setFormat(id: string): void {
    this.regulation =
      this.near(id, this.frame) || this.legal.find((text) => partsOf(text).format === id) || this.regulation;
  }

  setFrame(id: string): void {
    this.regulation = this.near(this.format, id) || this.regulation;
  }

  /** Legal options of the format and frame as texts: "", "preset2", "preset2+pack". */
  choices = $derived(this.withFrame(this.format, this.frame).map((text) => partsOf(text).options.join("+")));

  setOptions(text: string): void {
    this.regulation = regulationText({ ...this.parts, options: text.split("+") });
  }

  async start(): Promise<void> {
    if (this.busy) return;
    this.busy = true;
    this.problem = "";
    Object.assign(settings, {
      regulation: this.regulation,
      minutes: this.minutes,
      windowMs: this.windowMs,
      played: true,
    });
    if (this.who === "ai") Object.assign(settings, { level: this.level, temper: this.temper });
    saveSettings();
    try {
      go(await this.createGame());
    } catch (error) {
      this.problem = (error as Error).message;
    } finally {
      this.busy = false;
    }
  }

  /** Create the game and return its path. */
  private async createGame(): Promise<string> {
    const { regulation } = this;
    if (this.who === "anybody") {
      const found = await post<Paired>("/api/quick", { regulation, rated: this.rated });
      rememberOwnRoom(found.room);
      return found.path;
    }
    const human = this.who !== "ai";
    const made = await post<Created>("/api/rooms", {
      regulation,
      opponent: human ? "human" : this.level,
      ...(!human && rules.opponent(this.level)?.thinks ? { temper: this.temper } : {}),
      clock: {
        bank: this.who === "both" ? 0 : this.minutes * 60,
        each: 10,
        chance: this.who === "friend" ? this.limit : 60,
        grace: 60,
      },
      window_ms: this.who === "friend" ? this.windowMs : this.who === "both" ? 0 : thinkingMs(),
      ...(this.who === "friend" ? { listed: this.listed, spectator_delay: this.delay, chat: this.chat } : {}),
    });
    if (this.who === "both") return `/both/${made.room.id}`;
    if (human) rememberOwnRoom(made.room.id);
    return made.path;
  }
}
