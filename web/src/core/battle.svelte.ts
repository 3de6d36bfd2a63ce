// The attackers or blockers that are being chosen, and the projected result. The choice is kept here, the result comes
// from the server; only a move that the server has evaluated can be confirmed.
import { cardAt, placeOf, type Preview } from "./draft_types";
import type { Prompt, ForecastClash, PreviewResult, Option } from "./protocol";
import { ServerError, type Room } from "./room.svelte";

/** Return the blockers of each attacker in the notation. */
function blocksText(parts: (readonly [string, readonly string[]])[]): string {
  return parts.map(([attacker, list]) => `${attacker}: ${list.join(" ")}`).join("; ");
}

/** Return the move in the notation. */
export function fightText(ask: Prompt, attackers: string[], blocks: Record<string, string[]>): string {
  const parts = ask.kind === "blockers" ? Object.entries(blocks).filter(([, list]) => list.length) : [];
  if (parts.length) return blocksText(parts);
  const order = ask.kind === "attackers" ? ask.options.map((option) => option.token) : [];
  return order.filter((word) => attackers.includes(word)).join(" ") || "done";
}

export class Battle {
  attackers = $state.raw<string[]>([]);
  blocks = $state.raw<Record<string, string[]>>({});
  /** the selected attacker */
  blocked = $state("");
  problem = $state("");
  /** the server's projection, and the move it belongs to */
  private evaluation = $state.raw<{ text: string; drafted: PreviewResult } | null>(null);
  private requestNumber = 0;

  constructor(private readonly room: Room) {}

  private get ask(): Prompt | null {
    const ask = this.room.ask;
    return ask?.kind === "attackers" || ask?.kind === "blockers" ? ask : null;
  }
  /** the chosen move in the notation */
  text = $derived.by<string>(() => (this.ask ? fightText(this.ask, this.attackers, this.blocks) : ""));
  clashes = $derived.by<ForecastClash[]>(() => this.evaluation?.drafted.clashes ?? []);
  damage = $derived.by<Record<string, number>>(() => this.evaluation?.drafted.damage ?? {});
  /** seats that would lose, as far as this seat may know */
  lethal = $derived.by<string[]>(() => this.evaluation?.drafted.lethal_for ?? []);
  warnings = $derived.by<string[]>(() => this.evaluation?.drafted.warnings ?? []);
  /** the projection belongs to the current choice */
  known = $derived.by<boolean>(() => this.evaluation?.text === this.text);
  /** the tokens of the evaluated move; empty until the server has answered */
  words = $derived.by<string[]>(() => (this.known ? (this.evaluation?.drafted.tokens ?? []) : []));
  /** projected results of each possible blocker for one attacker, alone or with the units that block it already */
  previews = $derived.by<Preview[]>(() => {
    const clashes = new Map(this.evaluation?.drafted.blocks?.previews.map((one) => [one.token, one.clash]));
    return (this.ask?.options ?? []).flatMap((option) => {
      const clash = clashes.get(option.token);
      return clash ? [{ option, clash }] : []; // a unit without a clash cannot block this attacker
    });
  });
  /** the previews belong to the selected attacker and the current blockers */
  previewed = $derived.by<boolean>(() => this.known && this.evaluation?.drafted.blocks?.attacker === this.blocked);
  busy = $derived.by<boolean>(() => this.ask !== null && !this.problem && this.words.length === 0);
  begun = $derived.by<boolean>(() => this.attackers.length > 0 || this.blocking);
  blocking = $derived.by<boolean>(() => Object.values(this.blocks).some((list) => list.length > 0));

  /** Reset everything, for a new prompt or after a cancel. */
  clear(): void {
    this.attackers = [];
    this.blocks = {};
    this.problem = "";
    this.evaluation = null;
    this.blocked = "";
    this.requestNumber++;
  }
  begin(): void {
    if (this.ask) void this.evaluate();
  }
  /** Request what is missing after a reconnect. */
  resume(): void {
    if (this.busy || (this.blocked && !this.previewed)) this.begin();
  }

  /** Toggle an attacker or a blocker. */
  async tap(place: string, rival: string): Promise<void> {
    const ask = this.ask;
    if (!ask || cardAt(place)) return;
    const option = ask.options.find((one) => one.location === place);
    if (ask.kind === "attackers") {
      if (!option) return;
      const has = this.attackers.includes(option.token);
      this.attackers = has ? this.attackers.filter((one) => one !== option.token) : [...this.attackers, option.token];
      await this.evaluate();
      return;
    }
    const attacker = this.clashes.find((clash) => `unit:${rival}:${clash.attacker}` === place);
    if (attacker) {
      this.blocked = attacker.attacker;
      await this.evaluate();
    } else if (option && this.blocked) await this.toggle(option, this.blocked);
  }

  private async toggle(option: Option, attacker: string): Promise<void> {
    const before = this.blocks;
    const blocks: Record<string, string[]> = {};
    let had = "";
    for (const [key, list] of Object.entries(this.blocks)) {
      if (list.includes(option.token)) had = key;
      blocks[key] = list.filter((word) => word !== option.token);
    }
    if (had !== attacker) blocks[attacker] = [...(blocks[attacker] ?? []), option.token];
    this.blocks = blocks;
    if (had !== attacker) this.blocked = this.nextUnblocked(attacker);
    if (!(await this.evaluate()) || this.blocks !== blocks) return;
    const reason = this.problem;
    if (had !== attacker && (blocks[attacker]?.length ?? 0) > 1) {
      this.blocks = { ...blocks, [attacker]: [option.token] }; // the units cannot block together: replace the previous ones
      if (!(await this.evaluate())) return;
    }
    this.blocks = before; // an illegal block is not put together
    this.blocked = attacker;
    await this.evaluate();
    this.problem = reason;
  }

  /** Return the next attacker without a blocker, in the order of the list; this one if all are blocked. */
  private nextUnblocked(attacker: string): string {
    const order = this.clashes.map((clash) => clash.attacker);
    const at = order.indexOf(attacker) + 1;
    return [...order.slice(at), ...order.slice(0, at)].find((one) => !this.blocks[one]?.length) ?? attacker;
  }

  async selectAll(): Promise<void> {
    this.attackers = (this.ask?.options ?? []).map((option) => option.token).filter((word) => word !== "done");
    await this.evaluate();
  }

  /**
   * Request the projected result, for a block with that of each possible blocker of the selected attacker; return true if
   * the server refused the move. The choice survives a lost connection.
   */
  async evaluate(): Promise<boolean> {
    const ask = this.ask;
    if (!ask) return false;
    const [text, number] = [this.text, ++this.requestNumber];
    this.problem = "";
    try {
      const drafted = await this.room.draft(ask.kind === "blockers" ? { text, attacker: this.blocked } : { text });
      if (number !== this.requestNumber) return false;
      this.evaluation = { text, drafted };
      if (ask.kind === "blockers") this.blocked ||= drafted.blocks?.attacker ?? "";
      return false;
    } catch (error) {
      if (number !== this.requestNumber || !(error instanceof ServerError)) return false;
      this.problem = error.message;
      return true;
    }
  }

  /** board places of the chosen units */
  places = $derived.by<string[]>(() => {
    const words = [...this.attackers, ...Object.values(this.blocks).flat()];
    return (this.ask?.options ?? []).filter((option) => words.includes(option.token)).map(placeOf);
  });
}
