// The attackers or blockers that are being chosen, and the projected result. The choice is kept here, the result comes
// from the server; only a move that the server has evaluated can be confirmed.
import { cardAt, placeOf, type Preview } from "./draft_types";
import type { Ask, Clash, Drafted, OfferedWord } from "./protocol";
import { ServerError, type Room } from "./room.svelte";

const MOST_PREVIEWS = 24;

/** Return the blockers of each attacker in the notation. */
function blocksText(parts: (readonly [string, readonly string[]])[]): string {
  return parts.map(([attacker, list]) => `${attacker}: ${list.join(" ")}`).join("; ");
}

/** Return the move in the notation. */
export function fightText(ask: Ask, attackers: string[], blocks: Record<string, string[]>): string {
  const parts = ask.kind === "blockers" ? Object.entries(blocks).filter(([, list]) => list.length) : [];
  if (parts.length) return blocksText(parts);
  const order = ask.kind === "attackers" ? ask.options.map((option) => option.word) : [];
  return order.filter((word) => attackers.includes(word)).join(" ") || "done";
}

export class Battle {
  attackers = $state.raw<string[]>([]);
  blocks = $state.raw<Record<string, string[]>>({});
  /** the selected attacker */
  blocked = $state("");
  /** projected results of each possible blocker for one attacker, alone or with the units that block it already */
  private preparation = $state.raw<{ attacker: string; blocks: Record<string, string[]>; previews: Preview[] } | null>(
    null,
  );
  /** the connection broke before all previews arrived */
  private previewsMissing = false;
  problem = $state("");
  /** the server's projection, and the move it belongs to */
  private evaluation = $state.raw<{ text: string; drafted: Drafted } | null>(null);
  private requestNumber = 0;

  constructor(private readonly room: Room) {}

  private get ask(): Ask | null {
    const ask = this.room.ask;
    return ask?.kind === "attackers" || ask?.kind === "blockers" ? ask : null;
  }
  /** the chosen move in the notation */
  text = $derived.by<string>(() => (this.ask ? fightText(this.ask, this.attackers, this.blocks) : ""));
  clashes = $derived.by<Clash[]>(() => this.evaluation?.drafted.clashes ?? []);
  damage = $derived.by<Record<string, number>>(() => this.evaluation?.drafted.damage ?? {});
  /** seats that would lose, as far as this seat may know */
  lethal = $derived.by<string[]>(() => this.evaluation?.drafted.lethal ?? []);
  warnings = $derived.by<string[]>(() => this.evaluation?.drafted.warn ?? []);
  /** the projection belongs to the current choice */
  known = $derived.by<boolean>(() => this.evaluation?.text === this.text);
  /** the tokens of the evaluated move; empty until the server has answered */
  words = $derived.by<string[]>(() => (this.known ? (this.evaluation?.drafted.words ?? []) : []));
  previews = $derived.by<Preview[]>(() => this.preparation?.previews ?? []);
  /** the previews belong to the selected attacker and the current blockers */
  previewed = $derived.by<boolean>(
    () => this.preparation?.attacker === this.blocked && this.preparation.blocks === this.blocks,
  );
  busy = $derived.by<boolean>(() => this.ask !== null && !this.problem && this.words.length === 0);
  begun = $derived.by<boolean>(() => this.attackers.length > 0 || this.blocking);
  blocking = $derived.by<boolean>(() => Object.values(this.blocks).some((list) => list.length > 0));

  /** Reset everything, for a new prompt or after a cancel. */
  clear(): void {
    this.attackers = [];
    this.blocks = {};
    this.problem = "";
    this.preparation = null;
    this.previewsMissing = false;
    this.evaluation = null;
    this.blocked = "";
    this.requestNumber++;
  }
  begin(): void {
    if (this.ask) void this.evaluate().then(() => this.preview());
  }
  /** Request what is missing after a reconnect. */
  resume(): void {
    if (this.busy) this.begin();
    else if (this.previewsMissing) void this.preview();
  }

  /** Toggle an attacker or a blocker. */
  async tap(place: string, rival: string): Promise<void> {
    const ask = this.ask;
    if (!ask || cardAt(place)) return;
    const option = ask.options.find((one) => one.place === place);
    if (ask.kind === "attackers") {
      if (!option) return;
      const has = this.attackers.includes(option.word);
      this.attackers = has ? this.attackers.filter((one) => one !== option.word) : [...this.attackers, option.word];
      await this.evaluate();
      return;
    }
    const attacker = this.clashes.find((clash) => `unit:${rival}:${clash.attacker}` === place);
    if (attacker) {
      this.blocked = attacker.attacker;
      await this.preview();
    } else if (option && this.blocked) await this.toggle(option, this.blocked);
  }

  private async toggle(option: OfferedWord, attacker: string): Promise<void> {
    const blocks: Record<string, string[]> = {};
    let had = "";
    for (const [key, list] of Object.entries(this.blocks)) {
      if (list.includes(option.word)) had = key;
      blocks[key] = list.filter((word) => word !== option.word);
    }
    if (had !== attacker) blocks[attacker] = [...(blocks[attacker] ?? []), option.word];
    this.blocks = blocks;
    const refused = await this.evaluate();
    if (refused && this.blocks === blocks && had !== attacker && (blocks[attacker]?.length ?? 0) > 1) {
      this.blocks = { ...blocks, [attacker]: [option.word] }; // the units cannot block together: replace the previous ones
      await this.evaluate();
    }
    await this.preview();
  }

  async selectAll(): Promise<void> {
    this.attackers = (this.ask?.options ?? []).map((option) => option.word).filter((word) => word !== "done");
    await this.evaluate();
  }

  /**
   * Request the projected result; return true if the server refused the move. The choice survives a lost connection.
   */
  async evaluate(): Promise<boolean> {
    const ask = this.ask;
    if (!ask) return false;
    const [text, number] = [this.text, ++this.requestNumber];
    this.problem = "";
    try {
      const drafted = await this.room.draft({ text });
      if (number !== this.requestNumber) return false;
      this.evaluation = { text, drafted };
      if (ask.kind === "blockers" && !this.blocked) this.blocked = this.clashes[0]?.attacker ?? "";
      return false;
    } catch (error) {
      if (number !== this.requestNumber || !(error instanceof ServerError)) return false;
      this.problem = error.message;
      return true;
    }
  }

  /** Request the projected result of each possible blocker of the selected attacker. */
  async preview(): Promise<void> {
    const ask = this.ask;
    if (ask?.kind !== "blockers" || !this.blocked) return;
    const [attacker, blocks] = [this.blocked, this.blocks];
    let previewsMissing = false;
    const options = ask.options.filter((one) => one.word !== "done").slice(0, MOST_PREVIEWS);
    const found = await Promise.all(
      options.map(async (option): Promise<Preview[]> => {
        const rest = Object.entries(blocks).map(
          ([of, list]) => [of, list.filter((word) => word !== option.word)] as const,
        );
        const others = rest.filter(([of, list]) => of !== attacker && list.length);
        const chosen = blocks[attacker] ?? [];
        const together = [attacker, chosen.includes(option.word) ? chosen : [option.word]] as const;
        try {
          const drafted = await this.room.draft({ text: blocksText([...others, together]) });
          return [{ option, clash: drafted.clashes?.find((one) => one.attacker === attacker) }];
        } catch (error) {
          if (error instanceof ServerError) return []; // this unit cannot block this attacker
          previewsMissing = true;
          return [{ option, clash: undefined }];
        }
      }),
    );
    if (this.ask !== ask) return;
    this.previewsMissing = previewsMissing;
    this.preparation = { attacker, blocks, previews: found.flat() };
  }

  /** board places of the chosen units */
  places = $derived.by<string[]>(() => {
    const words = [...this.attackers, ...Object.values(this.blocks).flat()];
    return (this.ask?.options ?? []).filter((option) => words.includes(option.word)).map(placeOf);
  });
}
