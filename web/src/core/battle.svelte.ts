// Who attacks, who blocks whom, and what that would come to. What is chosen is kept here; the result is the server's, and
// only the sentence it has answered for what is chosen now can be said.
import { cardAt, placeOf, type Preview } from "./draft_types";
import type { Ask, Clash, Drafted, OfferedWord } from "./protocol";
import { ServerError, type Room } from "./room.svelte";

const MOST_PREVIEWS = 24;

/** Who blocks whom, in the notation. */
function blocksText(parts: (readonly [string, readonly string[]])[]): string {
  return parts.map(([attacker, list]) => `${attacker}: ${list.join(" ")}`).join("; ");
}

/** The answer to who attacks or who blocks, in the notation. */
export function fightText(ask: Ask, attackers: string[], blocks: Record<string, string[]>): string {
  const parts = ask.kind === "blockers" ? Object.entries(blocks).filter(([, list]) => list.length) : [];
  if (parts.length) return blocksText(parts);
  const order = ask.kind === "attackers" ? ask.options.map((option) => option.word) : [];
  return order.filter((word) => attackers.includes(word)).join(" ") || "done";
}

export class Battle {
  attackers = $state.raw<string[]>([]);
  blocks = $state.raw<Record<string, string[]>>({});
  /** the attacker that is looked at */
  blocked = $state("");
  /** what each blocker would do to an attacker, alone or together with those that block it already */
  private preparation = $state.raw<{ attacker: string; blocks: Record<string, string[]>; previews: Preview[] } | null>(null);
  /** the line was cut before everything about the blockers was heard */
  private previewsMissing = false;
  problem = $state("");
  /** what the server says of it, and of which sentence */
  private evaluation = $state.raw<{ text: string; drafted: Drafted } | null>(null);
  private requestNumber = 0;

  constructor(private readonly room: Room) {}

  private get ask(): Ask | null {
    const ask = this.room.ask;
    return ask?.kind === "attackers" || ask?.kind === "blockers" ? ask : null;
  }
  /** the sentence that is chosen now */
  text = $derived.by<string>(() => (this.ask ? fightText(this.ask, this.attackers, this.blocks) : ""));
  clashes = $derived.by<Clash[]>(() => this.evaluation?.drafted.clashes ?? []);
  damage = $derived.by<Record<string, number>>(() => this.evaluation?.drafted.damage ?? {});
  /** who would lose, as far as this seat may know */
  lethal = $derived.by<string[]>(() => this.evaluation?.drafted.lethal ?? []);
  warnings = $derived.by<string[]>(() => this.evaluation?.drafted.warn ?? []);
  /** what is told is told of what is chosen now, and not of what was */
  known = $derived.by<boolean>(() => this.evaluation?.text === this.text);
  /** the words of the sentence that is shown; none while the server has not answered for it */
  words = $derived.by<string[]>(() => (this.known ? (this.evaluation?.drafted.words ?? []) : []));
  previews = $derived.by<Preview[]>(() => this.preparation?.previews ?? []);
  /** the previews are those of the attacker that is looked at, with those that block now */
  previewed = $derived.by<boolean>(() => this.preparation?.attacker === this.blocked && this.preparation.blocks === this.blocks);
  busy = $derived.by<boolean>(() => this.ask !== null && !this.problem && this.words.length === 0);
  begun = $derived.by<boolean>(() => this.attackers.length > 0 || this.blocking);
  blocking = $derived.by<boolean>(() => Object.values(this.blocks).some((list) => list.length > 0));

  /** A new prompt, or everything taken back. */
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
  /** The line is back: what had no answer is asked for again. */
  resume(): void {
    if (this.busy) this.begin();
    else if (this.previewsMissing) void this.preview();
  }

  /** An attacker or a blocker has been tapped. */
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
      this.blocks = { ...blocks, [attacker]: [option.word] }; // not together with those before: instead of them
      await this.evaluate();
    }
    await this.preview();
  }

  async selectAll(): Promise<void> {
    this.attackers = (this.ask?.options ?? []).map((option) => option.word).filter((word) => word !== "done");
    await this.evaluate();
  }

  /** What the fight comes to, from the engine; whether it refused. A line that is cut leaves what was chosen. */
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

  /** For the attacker that is looked at: what each possible blocker would do, with those that block it already. */
  async preview(): Promise<void> {
    const ask = this.ask;
    if (ask?.kind !== "blockers" || !this.blocked) return;
    const [attacker, blocks] = [this.blocked, this.blocks];
    let previewsMissing = false;
    const options = ask.options.filter((one) => one.word !== "done").slice(0, MOST_PREVIEWS);
    const found = await Promise.all(
      options.map(async (option): Promise<Preview[]> => {
        const rest = Object.entries(blocks).map(([of, list]) => [of, list.filter((word) => word !== option.word)] as const);
        const others = rest.filter(([of, list]) => of !== attacker && list.length);
        const chosen = blocks[attacker] ?? [];
        const together = [attacker, chosen.includes(option.word) ? chosen : [option.word]] as const;
        try {
          const drafted = await this.room.draft({ text: blocksText([...others, together]) });
          return [{ option, clash: drafted.clashes?.find((one) => one.attacker === attacker) }];
        } catch (error) {
          if (error instanceof ServerError) return []; // it cannot block this one
          previewsMissing = true;
          return [{ option, clash: undefined }];
        }
      }),
    );
    if (this.ask !== ask) return;
    this.previewsMissing = previewsMissing;
    this.preparation = { attacker, blocks, previews: found.flat() };
  }

  /** where the units lie that are chosen */
  places = $derived.by<string[]>(() => {
    const words = [...this.attackers, ...Object.values(this.blocks).flat()];
    return (this.ask?.options ?? []).filter((option) => words.includes(option.word)).map(placeOf);
  });
}
