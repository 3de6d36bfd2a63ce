// What the player is putting together: a request, or a choice; who fights is in battle.svelte.ts. The server puts the words
// together and answers with the whole sentence, what it says, costs and does: that answer alone is shown, and that alone is
// said. Taps are worked off one after the other, each seeing what the one before has come to.
import { Battle } from "./battle.svelte";
import { t } from "./i18n.svelte";
import { other, type SeatName } from "./names";
import type { Drafted, Mark, OfferedWord } from "./protocol";
import { ServerError, type Room } from "./room.svelte";
import { rules } from "./rules.svelte";
import { SINGLE_TAP, DEAD_MS, PAYMENT, placeOf, tokensIn, type DraftMode, type DraftToken } from "./draft_types";

export class Draft {
  /** what was tapped at a chance, and what the draft is made of */
  picked = $state.raw<string[]>([]);
  drafted = $state.raw<Drafted | null>(null);
  readonly battle: Battle;
  private refused = $state("");
  /** where it may hurt, the first tap only asks */
  confirming = $state(false);
  /** the same of an answer that is one word */
  confirmingWord = $state("");
  /** taps that have not been worked off */
  private waiting = $state(0);
  /** what was tapped while the line was cut, or had no answer when it was */
  private pendingWork: (() => Promise<void>) | null = null;
  private queue: Promise<void> = Promise.resolve();
  /** the run that what is being put together belongs to: taps of an earlier one do nothing any more */
  private generation = 0;
  private key = "";
  /** when what is asked now came on the screen */
  shownAt = -DEAD_MS;
  /** the turn was to be ended while there was still something to do: the next tap ends it */
  confirmingEnd = $state(false);
  /** what would lose the game was tapped: the next tap does it */
  confirmingPass = $state<"" | "pass" | "accept">("");
  /** a card that was tapped for an action that asks for one when it takes effect, and for that action alone */
  private plannedCard: { action: string; place: string } | null = null;
  /** the action that was tapped itself: a card it asks for only when it takes effect is then tapped for it */
  private tappedAction = "";
  /** the actions a guide advises now */
  advised = $state.raw<string[]>([]);
  /** a puzzle: nothing is recommended to who is to find it */
  silent = $state(false);

  constructor(readonly room: Room) {
    this.battle = new Battle(room);
  }

  get you(): SeatName {
    return this.room.you ?? "p1";
  }
  get rival(): SeatName {
    return other(this.you);
  }

  // -- what there is ---------------------------------------------------------------------------------------------------

  taken = $derived.by<DraftToken[]>(() => {
    const ask = this.room.ask;
    return ask && this.drafted ? tokensIn(this.drafted, ask, (option) => rules.title(option.action ?? option.word)) : [];
  });
  /** of several things those that were named, without what followed from them */
  private named = $derived.by<string[]>(() => this.taken.filter((one) => one.kind === this.room.ask?.kind).map((one) => one.word));
  doing = $derived.by<DraftMode>(() => {
    const ask = this.room.ask;
    if (!ask) return "wait";
    if (ask.kind === "chance") return this.taken.length ? "draft" : "action";
    if (ask.kind === "attackers") return "attack";
    if (ask.kind === "blockers") return "block";
    return "choice";
  });
  busy = $derived.by<boolean>(() => this.waiting > 0 || this.battle.busy);
  problem = $derived.by<string>(() => this.refused || this.battle.problem);

  /** the options that may be said next */
  options = $derived.by<OfferedWord[]>(() => (this.taken.length ? (this.drafted?.options ?? []) : (this.room.ask?.options ?? [])));
  kind = $derived.by<string>(() => (this.taken.length ? (this.drafted?.kind ?? "") : (this.room.ask?.kind ?? "")));
  prompt = $derived.by<string>(() => (this.taken.length && this.drafted?.prompt ? this.drafted.prompt : (this.room.ask?.prompt ?? "")));
  promptMarks = $derived.by<Mark[]>(() => (this.taken.length && this.drafted?.prompt ? this.drafted.marks : this.room.ask?.marks) ?? []);
  several = $derived.by<boolean>(() => this.room.ask?.several ?? false);
  complete = $derived.by<boolean>(() => this.drafted?.complete ?? false);
  canStop = $derived.by<boolean>(() => this.several && this.options.some((option) => option.word === "done"));
  /** the same, and of a choice that is made already all it could have been: a tap changes it */
  open = $derived.by<OfferedWord[]>(() => (this.complete && this.doing === "choice" ? (this.room.ask?.options ?? []) : this.options));

  /** places an action on offer can begin with */
  private starts = $derived.by<Set<string>>(() => {
    const offered = this.actions.filter((option) => option.word !== "attack");
    return new Set(offered.flatMap((option) => [...(option.starts ?? []), ...(option.takes ?? [])]));
  });
  /** my soldiers by where they lie, and the words for them */
  private soldiers = $derived.by<Map<string, string>>(() => {
    return new Map(this.room.view?.[this.you].soldiers.map((unit) => [`unit:${this.you}:${unit.place}`, unit.place]));
  });

  /** board places that may be tapped now */
  offered = $derived.by<Set<string>>(() => {
    const out = new Set<string>();
    if (this.canPlan) for (const place of this.soldiers.keys()) out.add(place);
    if (this.room.ask?.kind === "chance") {
      for (const place of this.starts) out.add(place);
      if (this.canAttack) for (const place of this.upright) out.add(place);
      if (this.doing === "draft" && !this.complete) for (const option of this.options) out.add(placeOf(option));
      for (const one of this.taken) {
        out.add(one.place);
        if (one.auto || one.kind === "target") for (const option of one.others) out.add(placeOf(option));
      }
      return out;
    }
    for (const option of this.open) out.add(placeOf(option));
    if (this.doing === "block") for (const clash of this.battle.clashes) out.add(`unit:${this.rival}:${clash.attacker}`);
    for (const one of this.taken) out.add(one.place);
    return out;
  });

  /** about to be paid, with the word for how */
  paid = $derived.by<Map<string, string>>(() => {
    const out = new Map<string, string>();
    if (this.doing !== "draft") return out;
    for (const one of this.taken) {
      if (PAYMENT.has(one.kind)) out.set(one.place, t(`pay_${one.kind as "bulwark" | "discard" | "sacrifice" | "source"}`));
    }
    return out;
  });
  /** what the draft is aimed at */
  aimed = $derived.by<string>(() => (this.doing === "draft" ? (this.taken.find((one) => one.kind === "target")?.place ?? "") : ""));

  chosen = $derived.by<Set<string>>(() => {
    const out = new Set<string>([...this.picked, ...this.battle.places]);
    for (const one of this.taken) out.add(one.place);
    if (this.battle.blocked) out.add(`unit:${this.rival}:${this.battle.blocked}`);
    if (this.canPlan) for (const place of this.soldiers.keys()) if (this.plans(place)) out.add(place);
    return out;
  });

  /** my attack waits on the stage: who attacks can be decided already */
  canPlan = $derived.by<boolean>(() => {
    const mine = this.room.view?.stage.some((item) => item.action === "attack" && item.controller === this.room.you) ?? false;
    return mine && (this.doing === "wait" || this.doing === "action");
  });
  private plans(place: string): boolean {
    const plan = this.room.plan;
    return plan[0] === "all" ? true : plan.includes(this.soldiers.get(place) ?? "");
  }
  private togglePlan(place: string): void {
    const words = [...this.soldiers].filter(([one]) => (one === place ? !this.plans(one) : this.plans(one)));
    this.room.setPlan(words.map(([, word]) => word));
  }

  /** actions on offer, those of the selected cards if any are */
  actions = $derived.by<OfferedWord[]>(() => (this.room.ask?.kind === "chance" ? this.room.ask.options : []).filter((option) => option.action && option.word !== "end"));
  /** the sensible ones first, those that only ask for a card last */
  fitting = $derived.by<OfferedWord[]>(() => {
    const [only] = this.picked.length === 1 ? this.picked : [];
    const found = this.actions.filter((option) => this.picked.every((place) => option.starts?.includes(place)));
    if (only) found.push(...this.actions.filter((option) => option.takes?.includes(only)));
    return this.picked.length ? [...found].sort((a, b) => Number(this.isSensible(b)) - Number(this.isSensible(a))) : found;
  });
  /** the actions a thing can begin now */
  usesOf(place: string): string[] {
    return this.actions.filter((option) => option.starts?.includes(place) || option.takes?.includes(place)).map((option) => option.action ?? option.word);
  }
  /** an attack can be asked for now */
  canAttack = $derived.by<boolean>(() => this.actions.some((option) => option.word === "attack"));
  /** soldiers that may attack */
  upright = $derived.by<string[]>(() => this.actions.find((option) => option.word === "attack")?.starts ?? []);
  /** soldiers that were tapped to attack, in the order of the field */
  striking = $derived.by<string[]>(() => (this.taken[0]?.word === "attack" ? [...this.soldiers].flatMap(([place, word]) => (this.picked.includes(place) ? [word] : [])) : []));
  /** the card that was tapped for an action that asks for one only when it takes effect */
  laid = $derived.by<string>(() => {
    const action = this.actions.find((option) => option.word === this.taken[0]?.word);
    return this.complete && this.taken.length === 1 ? (this.picked.find((place) => action?.takes?.includes(place)) ?? "") : "";
  });
  /** Gold: what a guide advises, or else what most would do before they go on. */
  sensible = $derived.by<Set<string>>(() => {
    const offered = this.room.ask?.kind === "chance" ? this.room.ask.options.filter((option) => option.action) : [];
    const advised = offered.filter((option) => this.advised.includes(option.action ?? ""));
    return new Set((advised.length ? advised : offered.filter((option) => option.useful === 2)).map((option) => option.word));
  });
  isSensible = (option: OfferedWord): boolean => !this.silent && this.sensible.has(option.word);
  /** something sensible is left before the turn ends */
  unfinished = $derived.by<boolean>(() => this.actions.some((option) => this.sensible.has(option.word)));
  warnings = $derived.by<string[]>(() => {
    if (this.doing === "attack" || this.doing === "block") return this.battle.warnings;
    return this.drafted?.complete ? (this.drafted.warn ?? []) : [];
  });
  /** what is put together would change nothing, or turn against its own side */
  doubtful = $derived.by<boolean>(() => this.warnings.some((name) => name === "vain" || name === "own_unit" || name === "lose"));
  canEnd = $derived.by<boolean>(() => (this.room.ask?.options ?? []).some((option) => option.word === "end"));
  canPass = $derived.by<boolean>(() => (this.room.ask?.options ?? []).some((option) => option.word === "pass"));
  canFill = $derived.by<boolean>(() => this.doing === "draft" && !this.complete);
  /** whether anything has been chosen yet */
  begun = $derived.by<boolean>(() => this.taken.length > 0 || this.battle.begun);
  ready = $derived.by<boolean>(() => {
    if (this.busy || this.room.waitingToSend) return false;
    if (this.doing === "draft") return this.complete;
    if (this.doing === "attack" || this.doing === "block") return this.battle.words.length > 0;
    return this.doing === "choice" && (this.complete || this.canStop);
  });

  // -- beginning and taking back -----------------------------------------------------------------------------------------

  /** What is asked may be another now: nothing is put together yet. The same again, after a line was cut, goes on. */
  reset(): void {
    const ask = this.room.ask;
    const key = ask ? `${this.room.game}/${ask.seq}` : "";
    if (key === this.key) {
      if (ask && this.room.status === "open") this.resume();
      return;
    }
    this.key = key;
    this.shownAt = performance.now();
    this.clear();
    if (!ask) return;
    const plannedCard = this.plannedCard;
    this.plannedCard = null;
    const resolving = this.room.view?.resolving;
    const question = plannedCard && ask.kind === "card" && resolving?.action === plannedCard.action && resolving.controller === this.you;
    const option = question ? ask.options.find((one) => one.place === plannedCard.place) : undefined;
    if (option) return void this.room.act([option.word], ask.seq).catch(() => {}); // it stood on the button which card
    if (ask.kind === "attackers" || ask.kind === "blockers") this.battle.begin();
    else if (ask.kind === "trumps" || (ask.kind !== "chance" && !ask.several && !SINGLE_TAP.has(ask.kind))) void this.suggest();
  }

  /** The line is back: what had no answer is asked for again. */
  private resume(): void {
    const pendingWork = this.pendingWork;
    this.pendingWork = null;
    if (pendingWork) void this.enqueue(pendingWork);
    this.battle.resume();
  }

  clear(): void {
    this.generation++;
    this.pendingWork = null;
    this.picked = [];
    this.drafted = null;
    this.refused = "";
    this.confirming = false;
    this.confirmingWord = "";
    this.confirmingEnd = false;
    this.confirmingPass = "";
    this.tappedAction = "";
    this.battle.clear();
  }

  cancel(): void {
    this.room.takeBack();
    this.plannedCard = null;
    const fighting = this.doing === "attack" || this.doing === "block";
    this.clear();
    if (fighting) this.battle.begin();
  }

  // -- working off taps --------------------------------------------------------------------------------------------------

  private enqueue(work: () => Promise<void>): Promise<void> {
    const generation = this.generation;
    this.waiting++;
    const turn = this.queue.then(async () => {
      try {
        if (generation === this.generation) await work();
      } catch (error) {
        if (generation !== this.generation) return;
        if (error instanceof ServerError) this.refused = error.late ? "" : error.message;
        else this.pendingWork = work;
      } finally {
        this.waiting--;
      }
    });
    this.queue = turn;
    return turn;
  }

  /** What these words come to: the answer is shown if it is still wanted. */
  private async show(words: string[], picks: string[] = [], fill = false): Promise<Drafted | null> {
    const generation = this.generation;
    this.confirming = false;
    this.refused = "";
    const drafted = await this.room.draft({ words, picks, fill });
    if (generation !== this.generation) return null;
    this.drafted = drafted;
    return drafted;
  }

  /** An action has been tapped: say it, the selected cards that fit, and what pays itself. */
  start(option: OfferedWord): Promise<void> {
    return this.enqueue(async () => {
      this.tappedAction = option.word;
      await this.show([option.word], this.picked, true);
    });
  }

  /** A thing has been tapped: what it can do stands beside it, the first of it that is worth it is put together already. */
  private async select(place: string): Promise<void> {
    const before = this.picked;
    const again = before.includes(place);
    this.tappedAction = "";
    this.drafted = null;
    this.confirmingEnd = false;
    this.confirmingPass = "";
    this.picked = again ? [] : [place];
    if (again) return;
    if (before.length) {
      this.picked = [...before, place]; // together with the one before, where something takes both
      if ((await this.show([], this.picked, true))?.words.length) return;
      this.picked = [place];
    }
    const advised = this.fitting.find((option) => this.advised.includes(option.action ?? ""));
    await this.show(advised ? [advised.word] : [], this.picked, true);
  }

  /** A thing is aimed at another: the first of its actions that can have that target. */
  aim(from: string, to: string): Promise<void> {
    return this.enqueue(async () => {
      this.drafted = null;
      this.picked = [from];
      const drafted = await this.show([], [from, to], true);
      if (drafted && !drafted.words.length) await this.show([], [from], true);
    });
  }

  /** Take back from this word on, and choose it by hand. */
  reopen(place: number): Promise<void> {
    return this.enqueue(() => this.reopened(place));
  }
  private async reopened(place: number): Promise<void> {
    if (place <= 0) this.clear();
    else await this.show(this.taken.slice(0, place).map((one) => one.word));
  }
  back(): Promise<void> {
    return this.enqueue(async () => {
      const place = this.taken.findLastIndex((one, index) => index > 0 && !one.auto);
      await this.reopened(Math.max(0, place));
    });
  }

  /** Something on the board, or a word in the list, has been tapped. */
  tap(place: string): Promise<void> {
    if (this.room.waitingToSend) return Promise.resolve();
    if (this.doing === "attack" || this.doing === "block") {
      this.confirming = false;
      return this.battle.tap(place, this.rival);
    }
    if (this.canPlan && this.soldiers.has(place) && !this.starts.has(place)) {
      this.togglePlan(place);
      return Promise.resolve();
    }
    return this.enqueue(() => this.tapped(place));
  }
  private async tapped(place: string): Promise<void> {
    if (this.doing === "action") return this.select(place);
    if (this.doing !== "draft" && this.doing !== "choice") return;
    const before = this.taken.findIndex((one) => one.place === place);
    const option = this.options.find((one) => placeOf(one) === place);
    if (option && !this.complete) return this.took(option);
    if (this.doing === "choice") {
      if (before < 0) await this.swap(place);
      else if (this.several) await this.dropped(before);
    } else if (before >= 0 && !this.picked.includes(place)) await this.reopened(before);
    else if (this.takes(place)) this.picked = this.picked.includes(place) ? [] : [place];
    else if (!(await this.instead(place))) await this.select(place);
  }
  /** The action that was tapped will ask for a card, and this can be it. */
  private takes(place: string): boolean {
    const [action, more] = this.taken;
    return this.complete && !more && action?.word === this.tappedAction && !!this.actions.find((option) => option.word === this.tappedAction)?.takes?.includes(place);
  }

  /** Another payment, target or key than the one that was proposed. */
  private async instead(place: string): Promise<boolean> {
    for (const [index, one] of this.taken.entries()) {
      const option = one.others.find((each) => placeOf(each) === place);
      if (!option || index === 0 || (one.kind === "key" && !one.auto)) continue;
      const rest = this.taken.slice(index + 1).filter((word) => word.word !== option.word);
      const words = this.taken.slice(0, index).map((word) => word.word);
      await this.show([...words, option.word], rest.map((word) => word.place).filter((each) => each !== ""), true);
      return true;
    }
    return false;
  }

  /** Another choice when the sentence is complete already: instead of it, or of the first of several things. */
  private async swap(place: string): Promise<void> {
    const option = this.complete ? this.room.ask?.options.find((one) => placeOf(one) === place) : undefined;
    if (!option) return;
    const kept = this.several ? this.named.slice(1) : [];
    await this.show([...kept, option.word]);
  }

  take(option: OfferedWord): Promise<void> {
    return this.enqueue(() => this.took(option));
  }
  private async took(option: OfferedWord): Promise<void> {
    const ask = this.room.ask;
    if (!ask || this.room.waitingToSend) return;
    if (this.doing === "choice" && SINGLE_TAP.has(ask.kind)) {
      if (option.warn?.includes("lose") && this.confirmingWord !== option.word) this.confirmingWord = option.word;
      else await this.room.act([option.word], ask.seq).catch(() => {});
      return;
    }
    if (option.word === "done") return this.confirm();
    const kept = this.doing === "choice" && this.complete && !this.several ? [] : this.taken.map((one) => one.word);
    await this.show([...kept, option.word], [], this.doing === "draft");
  }

  /** Leave out one of several things. */
  drop(place: number): Promise<void> {
    return this.enqueue(() => this.dropped(place));
  }
  private async dropped(place: number): Promise<void> {
    const pendingWork = this.taken[place]?.word;
    const rest = this.named.filter((word) => word !== pendingWork);
    if (rest.length) await this.show(rest);
    else this.drafted = null;
  }

  /** Take the ready default of a choice. */
  suggest(): Promise<void> {
    return this.enqueue(async () => {
      const words = (this.room.ask?.proposal ?? []).filter((word) => word !== "done");
      if (words.length) await this.show(words);
    });
  }

  /** The rest of a request as most people would say it; every word can still be changed. */
  fill(): Promise<void> {
    return this.enqueue(async () => {
      if (this.canFill) await this.show(this.taken.map((one) => one.word), [], true);
    });
  }

  // -- saying it ---------------------------------------------------------------------------------------------------------

  /** 確定: the very words that are shown, or nothing. Where it may hurt, the first tap only asks. */
  async confirm(): Promise<void> {
    const ask = this.room.ask;
    if (!ask || !this.ready) return;
    const fighting = this.doing === "attack" || this.doing === "block";
    if (this.warnings.length && !this.confirming && (!fighting || this.warnings.includes("lose"))) {
      this.confirming = true;
      return;
    }
    if (fighting) return this.submit(this.battle.words, this.battle.text);
    const words = this.drafted && this.taken.length ? this.drafted.words : ["done"];
    this.plannedCard = this.laid ? { action: words[0] ?? "", place: this.laid } : null;
    await this.submit(words, undefined, this.striking.length ? this.striking : undefined);
  }
  private async submit(words: string[], text?: string, plan?: string[]): Promise<void> {
    await this.room.act(words, this.room.ask?.seq ?? -1, text ?? words.join(" "), plan).catch(() => {});
  }

  /** Everybody attacks, as far as they may. */
  async attackAll(): Promise<void> {
    if (this.canAttack && !this.room.waitingToSend) await this.submit(["attack"], undefined, ["all"]);
  }
  /** The whole answer without anything chosen: nobody attacks, nobody blocks. */
  async none(): Promise<void> {
    if (!this.room.waitingToSend) await this.submit(["done"]);
  }
  /** whoever passes now loses the game, and there is something else to do */
  passLoses = $derived.by<boolean>(() => this.actions.length > 0 && (this.room.ask?.lethal ?? []).includes(this.you));
  async pass(): Promise<void> {
    if (!this.canPass || this.room.waitingToSend || this.needsConfirmation("pass")) return;
    await this.submit(["pass"]);
  }
  /** 受けます: the attack under way is let happen as a whole. Where that loses there is nothing left of it but this pass. */
  async accept(): Promise<void> {
    if (this.room.waitingToSend || this.needsConfirmation("accept")) return;
    if (this.passLoses) await this.submit(["pass"]);
    else this.room.request({ type: "assist", accept: true });
  }
  /** The first tap of what would lose the game only asks. */
  private needsConfirmation(what: "pass" | "accept"): boolean {
    if (!this.passLoses || this.confirmingPass === what) return false;
    this.clear();
    this.confirmingPass = what;
    return true;
  }
  /** ending the turn would lose the game */
  endLoses = $derived.by<boolean>(() => this.room.ask?.options.find((option) => option.word === "end")?.warn?.includes("lose") ?? false);
  /** The turn ends; if something is left that most would do, or it would lose, it is asked once. */
  async end(): Promise<void> {
    if (!this.canEnd || this.room.waitingToSend) return;
    if ((this.unfinished || this.endLoses) && !this.confirmingEnd) {
      this.clear();
      this.confirmingEnd = true;
      return;
    }
    await this.submit(["end"]);
  }
}
