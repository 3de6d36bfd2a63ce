// What the player is putting together: a request word by word, attackers, blockers, a choice. The words come from the
// server; this file only keeps which have been taken, and asks what may follow.
import { AT_ONCE, DEAD_MS, fightText, PAYMENT, placeOf, previews, takenOf, type Doing, type Preview, type Taken } from "./sentence";
import { t } from "./i18n.svelte";
import type { SeatName } from "./names";
import type { Clash, Drafted, Mark, Option } from "./protocol";
import { Denied, type Room } from "./room.svelte";
import { rules } from "./rules.svelte";

export class Draft {
  taken = $state.raw<Taken[]>([]);
  picked = $state.raw<string[]>([]);
  drafted = $state.raw<Drafted | null>(null);
  attackers = $state.raw<string[]>([]);
  /** attackers named before the attack resolves; only this seat and the server know them */
  plan = $state.raw<string[]>([]);
  blocks = $state.raw<Record<string, string[]>>({});
  blocked = $state("");
  clashes = $state.raw<Clash[]>([]);
  damage = $state.raw<Record<string, number>>({});
  /** who would lose, as far as this seat may know */
  lethal = $state.raw<string[]>([]);
  words = $state.raw<string[]>([]);
  /** the same in the notation */
  private text = "";
  problem = $state("");
  sure = $state(false);
  busy = $state(false);
  private key = "";
  private asked = 0;
  /** when what is asked now came on the screen */
  shownAt = -DEAD_MS;
  /** the turn was to be ended while there was still something to do: the next tap ends it */
  endSure = $state(false);
  /** attackers meant when the attack was asked for: they are chosen already when it comes to it */
  private wanted: string[] | "all" = [];
  /** a card that was tapped for an action that asks for one only when it takes effect */
  private meant: string[] = [];
  /** the actions a guide advises now */
  advised = $state.raw<string[]>([]);
  /** what each blocker alone would do to the attacker that is looked at */
  previews = $state.raw<Preview[]>([]);

  constructor(readonly room: Room) {}

  doing = $derived.by<Doing>(() => {
    const ask = this.room.ask;
    if (!ask) return "wait";
    if (ask.kind === "chance") return this.taken.length ? "draft" : "action";
    if (ask.kind === "attackers") return "attack";
    if (ask.kind === "blockers") return "block";
    return "choice";
  });

  get you(): SeatName {
    return this.room.you ?? "p1";
  }
  get rival(): SeatName {
    return this.you === "p1" ? "p2" : "p1";
  }

  /** the options that may be said next */
  options = $derived.by<Option[]>(() => {
    const ask = this.room.ask;
    if (!ask) return [];
    if (this.taken.length && this.drafted) return this.drafted.options ?? [];
    return ask.options;
  });

  kind = $derived.by<string>(() => {
    const ask = this.room.ask;
    if (!ask) return "";
    return this.taken.length && this.drafted ? (this.drafted.kind ?? "") : ask.kind;
  });

  prompt = $derived.by<string>(() => {
    const ask = this.room.ask;
    if (!ask) return "";
    if (this.taken.length && this.drafted?.prompt) return this.drafted.prompt;
    return ask.prompt ?? "";
  });

  promptMarks = $derived.by<Mark[]>(() => (this.taken.length && this.drafted?.prompt ? this.drafted.marks : this.room.ask?.marks) ?? []);

  several = $derived.by(() => this.room.ask?.several ?? false);
  complete = $derived(this.drafted?.complete ?? false);
  canStop = $derived(this.several && this.options.some((option) => option.word === "done"));

  /** the same, and of a choice that is made already all it could have been: a tap changes it */
  open = $derived.by<Option[]>(() => (this.complete && this.doing === "choice" && (!this.several || this.room.ask?.kind === "trumps") ? (this.room.ask?.options ?? []) : this.options));

  /** places an action on offer can begin with */
  private starts = $derived.by<Set<string>>(() => new Set(this.actions.filter((option) => option.word !== "attack").flatMap((option) => [...(option.starts ?? []), ...(option.takes ?? [])])));
  /** my soldiers by where they lie, and the words for them */
  private soldiers = $derived.by<Map<string, string>>(() => new Map(this.room.view?.[this.you].soldiers.map((unit) => [`unit:${this.you}:${unit.cards[0] ?? ""}`, unit.cards[0] ?? ""])));

  /** board places that may be tapped now */
  offered = $derived.by<Set<string>>(() => {
    const out = new Set<string>();
    const doing = this.doing;
    if (this.canPlan) for (const place of this.soldiers.keys()) out.add(place);
    if (this.room.ask?.kind === "chance") {
      for (const place of this.starts) out.add(place);
      if (this.canAttack) for (const place of this.upright) out.add(place);
      if (doing === "draft") {
        if (!this.complete) for (const option of this.options) out.add(placeOf(option));
        for (const one of this.taken) {
          out.add(one.place);
          if (one.auto || one.kind === "target") for (const other of one.others) out.add(placeOf(other));
        }
      }
      return out;
    }
    for (const option of this.open) out.add(placeOf(option));
    if (doing === "block") for (const clash of this.clashes) out.add(`unit:${this.rival}:${clash.attacker}`);
    for (const one of this.taken) out.add(one.place);
    return out;
  });

  /** about to be paid, with the word for how */
  paid = $derived.by<Map<string, string>>(() => {
    const out = new Map<string, string>();
    if (this.doing !== "draft") return out;
    for (const one of this.taken) {
      if (PAYMENT.has(one.kind)) out.set(one.place, t(`pay_${one.kind as "bulwark" | "discard" | "sacrifice"}`));
    }
    return out;
  });
  /** what the draft is aimed at */
  aimed = $derived.by<string>(() => {
    const one = this.taken.find((word) => word.kind === "target");
    return one && this.doing === "draft" ? one.place : "";
  });

  chosen = $derived.by<Set<string>>(() => {
    const out = new Set<string>(this.picked);
    for (const one of this.taken) out.add(one.place);
    for (const word of [...this.attackers, ...Object.values(this.blocks).flat()]) out.add(this.unitOf(word));
    if (this.blocked) out.add(`unit:${this.rival}:${this.blocked}`);
    if (this.canPlan) for (const word of this.plan) out.add(`unit:${this.you}:${word}`);
    return out;
  });

  /** my attack waits on the stage: who attacks can be decided already */
  canPlan = $derived.by<boolean>(() => {
    const view = this.room.view;
    const mine = view?.stage.some((item) => item.action === "attack" && item.controller === this.room.you);
    return (mine ?? false) && (this.doing === "wait" || this.doing === "action");
  });

  private togglePlan(word: string): void {
    this.plan = this.plan.includes(word) ? this.plan.filter((one) => one !== word) : [...this.plan, word];
    this.room.say({ type: "plan", attackers: this.plan });
  }

  /** where the unit of mine lies that a word of attackers or blockers names */
  private unitOf(word: string): string {
    return this.room.ask?.options.find((option) => option.word === word)?.place ?? "";
  }

  /** actions on offer, those of the selected cards if any are */
  actions = $derived.by<Option[]>(() => (this.room.ask?.kind === "chance" ? this.room.ask.options : []).filter((option) => option.action && option.word !== "end"));
  /** the sensible ones first, those that only ask for a card last: the first is put together already */
  fitting = $derived.by<Option[]>(() => {
    const [only] = this.picked.length === 1 ? this.picked : [];
    const found = this.actions.filter((option) => this.picked.every((place) => option.starts?.includes(place)));
    if (only) found.push(...this.actions.filter((option) => option.takes?.includes(only)));
    return this.picked.length ? [...found].sort((a, b) => Number(this.isSensible(b)) - Number(this.isSensible(a))) : found;
  });
  /** the actions a thing can begin now */
  usesOf(place: string): string[] {
    return this.actions
      .filter((option) => option.starts?.includes(place) || option.takes?.includes(place))
      .map((option) => option.action ?? option.word);
  }
  /** an attack can be asked for now */
  canAttack = $derived.by<boolean>(() => this.actions.some((option) => option.word === "attack"));
  /** soldiers that may attack */
  upright = $derived.by<string[]>(() => this.actions.find((option) => option.word === "attack")?.starts ?? []);
  /** Gold: what a guide advises, or else what most would do before they go on. */
  sensible = $derived.by<Set<string>>(() => {
    const offered = this.room.ask?.kind === "chance" ? this.room.ask.options.filter((option) => option.action) : [];
    const advised = offered.filter((option) => this.advised.includes(option.action ?? ""));
    return new Set((advised.length ? advised : offered.filter((option) => option.useful === 2)).map((option) => option.word));
  });
  isSensible = (option: Option): boolean => this.sensible.has(option.word);
  /** something sensible is left before the turn ends */
  unfinished = $derived.by<boolean>(() => this.actions.some((option) => this.isSensible(option)));
  /** what is put together would change nothing: an attack with nobody, an answer that comes to nothing */
  vain = $derived.by<boolean>(() => this.doing === "draft" && !this.actions.find((option) => option.word === this.taken[0]?.word)?.useful);
  /** what is put together would weaken or cost a unit of mine */
  harms = $derived.by<boolean>(() => this.warnings.includes("own_unit"));
  canEnd = $derived.by(() => (this.room.ask?.options ?? []).some((option) => option.word === "end"));
  canPass = $derived.by(() => (this.room.ask?.options ?? []).some((option) => option.word === "pass"));

  /** A new prompt: nothing is put together yet. */
  reset(): void {
    const ask = this.room.ask;
    if (this.plan.length && !this.canPlan) {
      this.plan = [];
      this.room.say({ type: "plan", attackers: [] });
    }
    const key = ask ? `${this.room.game}/${ask.seq}` : "";
    if (key === this.key) return;
    this.key = key;
    this.shownAt = performance.now();
    this.clear();
    if (!ask) return;
    if (ask.kind === "attackers") {
      const words = ask.options.map((option) => option.word).filter((word) => word !== "done");
      const all = this.wanted === "all";
      this.attackers = all ? words : words.filter((word) => this.wanted.includes(word));
      this.wanted = [];
      if (all && words.length) {
        void this.room.act(words, ask.seq).catch(() => {}); // it has been said already who attacks
        return;
      }
    }
    const meant = ask.kind === "card" ? ask.options.find((option) => this.meant.includes(placeOf(option))) : undefined;
    this.meant = [];
    if (meant) return void this.room.act([meant.word], ask.seq).catch(() => {}); // which card has been said already
    if (ask.kind === "attackers" || ask.kind === "blockers") void this.forecast().then(() => this.preview());
    else if (ask.kind === "trumps" || (ask.kind !== "chance" && !ask.several && !AT_ONCE.has(ask.kind))) void this.suggest();
    this.wanted = [];
  }

  clear(): void {
    this.taken = [];
    this.picked = [];
    this.drafted = null;
    this.attackers = [];
    this.blocks = {};
    this.blocked = "";
    this.clashes = [];
    this.damage = {};
    this.lethal = [];
    this.words = [];
    this.problem = "";
    this.sure = false;
    this.endSure = false;
    this.previews = [];
  }

  cancel(): void {
    const fighting = this.doing === "attack" || this.doing === "block";
    this.clear();
    if (fighting) void this.forecast();
  }

  /** An action has been tapped: say it, the selected cards that fit, and what pays itself. */
  async start(option: Option): Promise<void> {
    this.sure = false;
    this.drafted = null;
    this.taken = [{ ...takenOf(option, "chance", []), label: rules.title(option.action ?? option.word) }];
    await this.go([...this.picked]);
  }

  /** A thing has been tapped: what it can do stands beside it, the first of it is put together already. */
  private async select(place: string): Promise<void> {
    if (this.picked.includes(place)) {
      this.clear();
      return;
    }
    const before = this.picked;
    this.clear();
    if (before.length) {
      this.picked = [...before, place]; // together with the one before, where something takes both
      for (const option of this.fitting) {
        await this.start(option);
        if (option.word === "attack" || this.picked.every((one) => this.taken.some((word) => word.place === one))) return;
      }
      this.clear();
    }
    this.picked = [place];
    for (const option of this.fitting) {
      await this.start(option);
      if (!this.harms) return; // the first that does not turn against its own side
    }
    if (this.harms && this.fitting[0]) await this.start(this.fitting[0]);
  }

  /** A thing is aimed at another: the first of its actions that can have that target. */
  async aim(from: string, to: string): Promise<void> {
    this.clear();
    this.picked = [from];
    const first = this.fitting[0];
    for (const option of this.fitting) {
      await this.start(option);
      const at = this.taken.findIndex((one) => one.kind === "target" && one.others.some((other) => other.place === to));
      const other = this.taken[at]?.others.find((one) => one.place === to);
      if (other) return this.replace(at, other);
    }
    if (first) await this.start(first);
  }

  /** Everybody attacks, as far as they may. */
  async attackAll(): Promise<void> {
    if (!this.canAttack) return;
    this.wanted = "all";
    await this.room.act(["attack"]).catch(() => {});
  }

  /** Ask what can follow; take what is selected and, for the rest, what most would say: a tap on anything else that
   *  glows changes it. `manual`: the place not to fill. */
  private async go(picks: string[] = [], manual = -1): Promise<void> {
    const key = this.key;
    this.busy = true;
    this.problem = "";
    try {
      for (;;) {
        const drafted = await this.room.draft(this.taken.map((one) => one.word));
        if (key !== this.key) return;
        this.drafted = drafted;
        if (drafted.complete || this.room.ask?.kind !== "chance") return;
        const options = drafted.options ?? [];
        const kind = drafted.kind ?? "";
        const pick = options.find((option) => picks.includes(placeOf(option)));
        let next: Option | undefined = pick;
        if (pick) picks = picks.filter((place) => place !== placeOf(pick));
        let auto = false;
        if (!next && this.taken.length !== manual) {
          const proposed = drafted.proposal?.[this.taken.length];
          next = options.find((option) => option.word === proposed) ?? (options.length === 1 ? options[0] : undefined);
          auto = true;
        }
        if (!next) return;
        this.taken = [...this.taken, { ...takenOf(next, kind, options), auto }];
      }
    } catch (error) {
      if (error instanceof Denied) this.problem = error.message;
      this.taken = this.taken.slice(0, -1);
    } finally {
      this.busy = false;
    }
  }

  /** Take back from this word on, and choose it by hand. */
  async reopen(place: number): Promise<void> {
    this.sure = false;
    this.taken = this.taken.slice(0, place);
    if (!this.taken.length) {
      this.clear();
      return;
    }
    await this.go([], place);
  }

  async back(): Promise<void> {
    let place = this.taken.length - 1;
    while (place > 0 && this.taken[place]?.auto) place--;
    await this.reopen(place);
  }

  /** Something on the board, or a word in the list, has been tapped. */
  async tap(place: string): Promise<void> {
    const doing = this.doing;
    const soldier = this.soldiers.get(place);
    if (this.canPlan && soldier && !this.starts.has(place)) {
      this.togglePlan(soldier);
      return;
    }
    if (doing === "action") {
      await this.select(place);
      return;
    }
    if (doing === "attack") {
      const option = this.room.ask?.options.find((one) => one.place === place);
      if (!option) return;
      const has = this.attackers.includes(option.word);
      this.attackers = has ? this.attackers.filter((one) => one !== option.word) : [...this.attackers, option.word];
      await this.forecast();
      return;
    }
    if (doing === "block") {
      await this.tapBlock(place);
      return;
    }
    if (doing !== "draft" && doing !== "choice") return;
    const before = this.taken.findIndex((one) => one.place === place);
    const option = this.options.find((one) => placeOf(one) === place);
    if (option && !this.complete) await this.take(option);
    else if (doing === "choice") {
      if (before < 0) await this.swap(place);
      else if (this.several) await this.drop(before);
    } else if (before >= 0 && !this.picked.includes(place)) await this.reopen(before);
    else if (!(await this.instead(place))) await this.select(place);
  }

  /** Another payment, target or key than the one that was proposed. */
  private async instead(place: string): Promise<boolean> {
    for (const [index, one] of this.taken.entries()) {
      const option = one.others.find((other) => placeOf(other) === place);
      if (!option || index === 0 || (one.kind === "key" && !one.auto)) continue;
      await this.replace(index, option);
      return true;
    }
    return false;
  }

  /** One word of the draft by another; what came after it stays, as far as it can. */
  private async replace(index: number, option: Option): Promise<void> {
    const one = this.taken[index];
    if (!one) return;
    const rest = this.taken.slice(index + 1).filter((word) => word.word !== option.word);
    this.sure = false;
    this.taken = [...this.taken.slice(0, index), takenOf(option, one.kind, one.others)];
    await this.go(rest.map((word) => word.place));
  }

  /** Another choice when the sentence is complete already: instead of the last word, or of the trump chosen first. */
  private async swap(place: string): Promise<void> {
    const ask = this.room.ask;
    if (!ask || this.doing !== "choice" || (this.several && ask.kind !== "trumps")) return;
    const option = ask.options.find((one) => placeOf(one) === place);
    if (!option) return;
    this.taken = this.several ? this.taken.slice(1) : [];
    this.drafted = null;
    await this.take(option);
  }

  async take(option: Option): Promise<void> {
    const ask = this.room.ask;
    if (!ask) return;
    this.sure = false;
    if (this.doing === "choice" && AT_ONCE.has(ask.kind)) {
      await this.room.act([option.word]).catch(() => {});
      return;
    }
    if (option.word === "done") {
      await this.confirm();
      return;
    }
    if (this.doing === "choice" && this.complete && !this.several) this.taken = [];
    this.taken = [...this.taken, takenOf(option, this.kind, this.options)];
    await this.go();
  }

  /** Leave out one of several things. */
  async drop(place: number): Promise<void> {
    const rest = this.taken.filter((_, index) => index !== place);
    this.taken = rest;
    this.drafted = null;
    if (rest.length) await this.go();
  }

  private async tapBlock(place: string): Promise<void> {
    const attacker = this.clashes.find((clash) => `unit:${this.rival}:${clash.attacker}` === place);
    if (attacker) {
      this.blocked = attacker.attacker;
      await this.preview();
      return;
    }
    const option = this.room.ask?.options.find((one) => one.place === place);
    if (!option || !this.blocked) return;
    const blocks: Record<string, string[]> = {};
    let had = "";
    for (const [key, list] of Object.entries(this.blocks)) {
      if (list.includes(option.word)) had = key;
      blocks[key] = list.filter((word) => word !== option.word);
    }
    if (had !== this.blocked) {
      blocks[this.blocked] = [...(blocks[this.blocked] ?? []), option.word];
    }
    this.blocks = blocks;
    await this.forecast();
    if (this.problem && had !== this.blocked && (blocks[this.blocked]?.length ?? 0) > 1) {
      this.blocks = { ...blocks, [this.blocked]: [option.word] }; // not together with those before: instead of them
      await this.forecast();
    }
  }

  /** Take the ready default of a choice. */
  async suggest(): Promise<void> {
    const ask = this.room.ask;
    if (!ask?.proposal?.length) return;
    this.taken = ask.proposal.flatMap((word) => {
      const option = word === "done" ? undefined : ask.options.find((one) => one.word === word);
      return option ? [takenOf(option, ask.kind, ask.options)] : [];
    });
    if (this.taken.length) await this.go();
  }

  canFill = $derived.by<boolean>(() => this.doing === "draft" && !this.complete && (this.drafted?.proposal?.length ?? 0) > this.taken.length);

  /** The rest of a request as most people would say it; every word can still be changed. */
  async fill(): Promise<void> {
    const proposal = this.drafted?.proposal ?? [];
    while (this.doing === "draft" && !this.complete) {
      const at = this.taken.length;
      const option = this.options.find((one) => one.word === proposal[at]);
      if (!option) return;
      this.taken = [...this.taken, takenOf(option, this.kind, this.options)];
      await this.go();
    }
  }

  /** For the attacker that is looked at: what each possible blocker alone would do. */
  private async preview(): Promise<void> {
    const ask = this.room.ask;
    if (ask?.kind !== "blockers" || !this.blocked) return;
    const [key, attacker] = [this.key, this.blocked];
    const found = await previews(this.room, ask.options, this.blocks, attacker, () => this.key === key && this.blocked === attacker);
    if (found) this.previews = found;
  }

  /** What the fight comes to, from the engine. */
  async forecast(): Promise<void> {
    const ask = this.room.ask;
    if (!ask) return;
    const key = this.key;
    const text = fightText(ask, this.attackers, this.blocks);
    this.busy = true;
    const number = ++this.asked;
    try {
      const drafted = await this.room.draft([], text);
      if (key !== this.key || number !== this.asked) return;
      this.clashes = drafted.clashes ?? [];
      this.damage = drafted.damage ?? {};
      this.lethal = drafted.lethal ?? [];
      this.words = drafted.words;
      this.text = text;
      this.problem = "";
      if (ask.kind === "blockers" && !this.blocked) this.blocked = this.clashes[0]?.attacker ?? "";
    } catch (error) {
      this.words = [];
      if (error instanceof Denied) this.problem = error.message;
    } finally {
      if (number === this.asked) this.busy = false;
    }
  }

  ready = $derived.by<boolean>(() => {
    if (this.busy) return false;
    switch (this.doing) {
      case "draft":
        return this.complete;
      case "attack":
      case "block":
        return this.words.length > 0;
      case "choice":
        return this.complete || this.canStop;
      default:
        return false;
    }
  });

  /** whether anything has been chosen yet */
  begun = $derived.by<boolean>(() => this.taken.length > 0 || this.attackers.length > 0 || Object.values(this.blocks).some((list) => list.length > 0));

  warnings = $derived.by<string[]>(() => (this.drafted?.complete ? (this.drafted.warn ?? []) : []));

  /** 確定. Where it may hurt, the first tap only asks. */
  async confirm(): Promise<void> {
    const ask = this.room.ask;
    if (!ask || !this.ready) return;
    if (this.doing === "attack" || this.doing === "block") {
      await this.room.act(this.words, ask.seq, this.text).catch(() => {});
      return;
    }
    if (this.warnings.length && !this.sure) {
      this.sure = true;
      return;
    }
    if (this.taken[0]?.word === "attack" && this.picked.length) {
      // soldiers were tapped first: they attack, and nobody is asked again
      const order = [...this.soldiers].flatMap(([place, word]) => (this.picked.includes(place) ? [word] : []));
      this.wanted = order;
      this.room.say({ type: "plan", attackers: order });
    }
    if (this.doing === "draft") this.meant = this.picked.filter((place) => !this.taken.some((one) => one.place === place));
    const words = this.drafted?.words ?? this.taken.map((one) => one.word);
    await this.room.act(this.taken.length ? words : ["done"]).catch(() => {});
  }

  /** All that may attack are chosen. */
  async everybody(): Promise<void> {
    this.attackers = (this.room.ask?.options ?? []).map((option) => option.word).filter((word) => word !== "done");
    await this.forecast();
  }

  /** The whole answer without anything chosen: nobody attacks, nobody blocks. */
  async none(): Promise<void> {
    await this.room.act(["done"], this.room.ask?.seq, "done").catch(() => {});
  }

  async pass(): Promise<void> {
    if (this.canPass) await this.room.act(["pass"]).catch(() => {});
  }

  /** The turn ends; if something is left that most would do, it is asked once. */
  async end(): Promise<void> {
    if (!this.canEnd) return;
    if (this.unfinished && !this.endSure) {
      this.clear();
      this.endSure = true;
      return;
    }
    await this.room.act(["end"]).catch(() => {});
  }
}
