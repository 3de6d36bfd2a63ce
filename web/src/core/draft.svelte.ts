// The move a player is composing: a request or a choice (attackers and blockers are in battle.svelte.ts). The server
// completes the tokens and returns the whole move with its text, cost and result; only that answer is shown and
// submitted. Taps are queued, so that each one sees the result of the one before.
import { untrack } from "svelte";
import { Battle, type FightTap } from "./battle.svelte";
import { t } from "./i18n.svelte";
import { other, type SeatName } from "./names";
import type { PreviewResult, RefusedAction, TextSpan, Option, RichText } from "./protocol";
import { ServerError, type Room } from "./room.svelte";
import { rules } from "./rules.svelte";
import {
  MINI_PACK,
  SINGLE_TAP,
  DEAD_MS,
  PAYMENT,
  placeOf,
  tokensIn,
  type DraftMode,
  type DraftToken,
} from "./draft_types";

export class Draft {
  /** places tapped at a chance; the draft is made of them */
  picked = $state.raw<string[]>([]);
  drafted = $state.raw<PreviewResult | null>(null);
  readonly battle: Battle;
  private refused = $state("");
  /** the first tap on a move with a warning only asks for confirmation */
  confirming = $state(false);
  /** the same for an answer of one token */
  confirmingWord = $state("");
  /** taps in the queue */
  private waiting = $state(0);
  /** the request of the current work: it has the whole selection, so sending it again changes nothing else */
  private requested: (() => Promise<unknown>) | null = null;
  /** what had no answer when the connection broke, in the order of the taps */
  private unanswered = $state.raw<(() => Promise<unknown>)[]>([]);
  private queue: Promise<void> = Promise.resolve();
  /** the draft that queued taps belong to; taps of an earlier one are ignored */
  private generation = 0;
  private key = "";
  /** time at which the current prompt appeared */
  shownAt = -DEAD_MS;
  /** ending the turn with useful actions left needs a second tap */
  confirmingEnd = $state(false);
  /** a pass or acceptance that loses the game needs a second tap */
  confirmingPass = $state<"" | "pass" | "accept">("");
  /** a card tapped in advance for an action that asks for one when it resolves */
  private plannedCard: { action: string; place: string } | null = null;
  /** the action that was tapped directly; a card tapped next is meant for it */
  private tappedAction = "";
  /** the actions the guide recommends now */
  advised = $state.raw<string[]>([]);
  /** a puzzle: no recommendations */
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

  // -- options and state ---------------------------------------------------------------------------------------------------

  taken = $derived.by<DraftToken[]>(() => {
    const ask = this.room.ask;
    return ask && this.drafted
      ? tokensIn(this.drafted, ask, (option) => rules.title(option.action ?? option.token))
      : [];
  });
  /** of several chosen things those that were named, without the consequences */
  private named = $derived.by<string[]>(() =>
    this.taken.filter((one) => one.kind === this.room.ask?.kind).map((one) => one.word),
  );
  doing = $derived.by<DraftMode>(() => {
    const ask = this.room.ask;
    if (!ask) return "wait";
    if (ask.kind === "chance") return this.taken.length ? "draft" : "action";
    if (ask.kind === "attackers") return "attack";
    if (ask.kind === "blockers") return "block";
    return "choice";
  });
  busy = $derived.by<boolean>(() => this.waiting > 0 || this.unanswered.length > 0);
  problem = $derived.by<string>(() => this.refused || this.battle.problem);

  /** the options for the next token */
  options = $derived.by<Option[]>(() =>
    this.taken.length ? (this.drafted?.options ?? []) : (this.room.ask?.options ?? []),
  );
  kind = $derived.by<string>(() => (this.taken.length ? (this.drafted?.kind ?? "") : (this.room.ask?.kind ?? "")));
  /** the question of the next token; none is asked once several things have been chosen */
  prompt = $derived.by<string>(() => {
    if (this.taken.length && this.drafted?.prompt) return this.drafted.prompt;
    return this.complete && this.several ? t("draft_ready") : (this.room.ask?.prompt ?? "");
  });
  promptMarks = $derived.by<TextSpan[]>(
    () =>
      (this.taken.length && this.drafted?.prompt
        ? this.drafted.spans
        : this.complete && this.several
          ? []
          : this.room.ask?.spans) ?? [],
  );
  several = $derived.by<boolean>(() => this.room.ask?.multiple ?? false);
  complete = $derived.by<boolean>(() => this.drafted?.complete ?? false);
  canStop = $derived.by<boolean>(() => this.several && this.options.some((option) => option.token === "done"));
  /** the same; after a complete choice all its options, because a tap replaces the choice */
  open = $derived.by<Option[]>(() =>
    this.complete && this.doing === "choice" ? (this.room.ask?.options ?? []) : this.options,
  );

  /** places that start an available action */
  private starts = $derived.by<Set<string>>(() => {
    const offered = this.actions.filter((option) => option.token !== "attack");
    return new Set(
      offered.flatMap((option) => [...(option.start_locations ?? []), ...(option.cards_asked_later ?? [])]),
    );
  });
  /** own soldiers: place to token */
  private soldiers = $derived.by<Map<string, string>>(() => {
    return new Map(this.room.view?.[this.you].soldiers.map((unit) => [`unit:${this.you}:${unit.name}`, unit.name]));
  });

  /** places that can be tapped now */
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
    if (this.doing === "block")
      for (const clash of this.battle.clashes) out.add(`unit:${this.rival}:${clash.attacker}`);
    for (const one of this.taken) out.add(one.place);
    return out;
  });

  /** places that the draft pays with, with the label of the payment */
  paid = $derived.by<Map<string, string>>(() => {
    const out = new Map<string, string>();
    if (this.doing !== "draft") return out;
    for (const one of this.taken) {
      if (PAYMENT.has(one.kind))
        out.set(one.place, t(`pay_${one.kind as "bulwark" | "discard" | "sacrifice" | "source"}`));
    }
    return out;
  });
  /** the target of the draft */
  aimed = $derived.by<string>(() =>
    this.doing === "draft" ? (this.taken.find((one) => one.kind === "target")?.place ?? "") : "",
  );

  chosen = $derived.by<Set<string>>(() => {
    const out = new Set<string>([...this.picked, ...this.battle.places]);
    for (const one of this.taken) out.add(one.place);
    if (this.battle.blocked) out.add(`unit:${this.rival}:${this.battle.blocked}`);
    if (this.canPlan) for (const place of this.soldiers.keys()) if (this.plans(place)) out.add(place);
    return out;
  });

  /** the own attack is on the stage: attackers can be chosen in advance */
  canPlan = $derived.by<boolean>(() => {
    const mine =
      this.room.view?.stage.some((item) => item.action === "attack" && item.controller === this.room.you) ?? false;
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

  /** available actions, limited to those of the selected cards */
  actions = $derived.by<Option[]>(() =>
    (this.room.ask?.kind === "chance" ? this.room.ask.options : []).filter(
      (option) => option.action && option.token !== "end",
    ),
  );
  /** the server's answer is about the current selection */
  private answered = $derived.by<boolean>(() => {
    const picks = this.drafted?.picks ?? [];
    return (
      this.drafted !== null && picks.length === this.picked.length && picks.every((one) => this.picked.includes(one))
    );
  });
  /** the actions that are possible with the whole selection: the server's list, and until it answers those of one place */
  fitting = $derived.by<Option[]>(() => {
    if (!this.picked.length) return [];
    const tokens = this.drafted?.actions ?? [];
    const last = this.picked.at(-1) ?? "";
    const found = this.answered
      ? this.actions
          .filter((option) => tokens.includes(option.token))
          .sort((a, b) => tokens.indexOf(a.token) - tokens.indexOf(b.token))
      : this.actions.filter((option) => this.usesPlace(option, last));
    return [...found].sort((a, b) => Number(this.isSensible(b)) - Number(this.isSensible(a)));
  });
  private usesPlace(option: Option, place: string): boolean {
    return !!option.start_locations?.includes(place) || !!option.cards_asked_later?.includes(place);
  }
  /** actions that could begin with the selection but cannot be requested now */
  refusedHere = $derived.by<RefusedAction[]>(() =>
    this.picked.length && this.answered ? (this.drafted?.refusals ?? []) : [],
  );
  /** names of the selected things */
  title = $derived.by<RichText | null>(() => (this.answered ? (this.drafted?.title ?? null) : null));
  /** Return the actions that a place can start now. */
  usesOf(place: string): string[] {
    return this.actions
      .filter((option) => this.usesPlace(option, place))
      .map((option) => option.action ?? option.token);
  }
  /** an attack can be requested now */
  canAttack = $derived.by<boolean>(() => this.actions.some((option) => option.token === "attack"));
  /** soldiers that can attack */
  upright = $derived.by<string[]>(
    () => this.actions.find((option) => option.token === "attack")?.start_locations ?? [],
  );
  /** soldiers tapped to attack, in the order of the field */
  striking = $derived.by<string[]>(() =>
    this.taken[0]?.word === "attack"
      ? [...this.soldiers].flatMap(([place, word]) => (this.picked.includes(place) ? [word] : []))
      : [],
  );
  /** the card tapped for an action that asks for it when it resolves */
  laid = $derived.by<string>(() => {
    const action = this.actions.find((option) => option.token === this.taken[0]?.word);
    return this.complete && this.taken.length === 1
      ? (this.picked.find((place) => action?.cards_asked_later?.includes(place)) ?? "")
      : "";
  });
  /** Gold marks: the guide's recommendation, else the actions most players would use first. */
  sensible = $derived.by<Set<string>>(() => {
    const offered = this.room.ask?.kind === "chance" ? this.room.ask.options.filter((option) => option.action) : [];
    const advised = offered.filter((option) => option.usefulness && this.advised.includes(option.action ?? ""));
    return new Set(
      (advised.length ? advised : offered.filter((option) => option.usefulness === 2)).map((option) => option.token),
    );
  });
  isSensible = (option: Option): boolean => !this.silent && this.sensible.has(option.token);
  /** a recommended action is left before the end of the turn */
  unfinished = $derived.by<boolean>(() => this.actions.some((option) => this.sensible.has(option.token)));
  warnings = $derived.by<string[]>(() => {
    if (this.doing === "attack" || this.doing === "block") return this.battle.warnings;
    return this.drafted?.complete ? (this.drafted.warnings ?? []) : [];
  });
  /** the move has no effect or hurts its own side */
  doubtful = $derived.by<boolean>(() =>
    this.warnings.some((name) => name === "vain" || name === "own_unit" || name === "lose"),
  );
  canEnd = $derived.by<boolean>(() => (this.room.ask?.options ?? []).some((option) => option.token === "end"));
  canPass = $derived.by<boolean>(() => (this.room.ask?.options ?? []).some((option) => option.token === "pass"));
  canFill = $derived.by<boolean>(() => this.doing === "draft" && !this.complete);
  /** something has been chosen */
  begun = $derived.by<boolean>(() => this.taken.length > 0 || this.battle.begun);
  ready = $derived.by<boolean>(() => {
    if (this.busy || this.room.waitingToSend) return false;
    if (this.doing === "draft") return this.complete;
    if (this.doing === "attack" || this.doing === "block") return this.battle.words.length > 0;
    return this.doing === "choice" && (this.complete || this.canStop);
  });

  // -- beginning and taking back -----------------------------------------------------------------------------------------

  /** Start over for a new prompt. The same prompt after a reconnect keeps the draft. */
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
    const question =
      plannedCard &&
      ask.kind === "card" &&
      resolving?.action === plannedCard.action &&
      resolving.controller === this.you;
    const option = question ? ask.options.find((one) => one.location === plannedCard.place) : undefined;
    if (option) return void this.room.act([option.token], ask.seq).catch(() => {}); // the button already named the card
    if (ask.kind !== "attackers" && ask.kind !== "blockers") this.drafted = ask.preview ?? null;
  }

  /** Request what is missing after a reconnect. */
  private resume(): void {
    const unanswered = untrack(() => this.unanswered);
    if (!unanswered.length) return;
    this.unanswered = [];
    for (const work of unanswered)
      void this.enqueue(async () => {
        await work();
      });
  }

  clear(): void {
    this.generation++;
    this.unanswered = [];
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
    this.clear();
  }

  // -- queue of taps ----------------------------------------------------------------------------------------------------

  private enqueue(work: () => Promise<void>): Promise<void> {
    const generation = this.generation;
    this.waiting++;
    const turn = this.queue.then(async () => {
      this.requested = null;
      try {
        if (generation !== this.generation) return;
        if (this.unanswered.length)
          this.unanswered = [...this.unanswered, work]; // its turn comes after a reconnect
        else await work();
      } catch (error) {
        if (generation !== this.generation) return;
        if (error instanceof ServerError) this.refused = error.late ? "" : error.message;
        else this.unanswered = [...this.unanswered, this.requested ?? work];
      } finally {
        this.waiting--;
      }
    });
    this.queue = turn;
    return turn;
  }

  /**
   * Request the projection of these tokens with this selection; return it unless the draft was reset meanwhile.
   * `preferred`: more places to use if possible.
   */
  private async show(
    words: string[],
    picks: string[] = this.picked,
    fill = false,
    preferred: string[] = [],
  ): Promise<PreviewResult | null> {
    const generation = this.generation;
    this.requested = () => this.show(words, picks, fill, preferred);
    this.confirming = false;
    this.refused = "";
    this.picked = picks;
    const drafted = await this.room.draft({ tokens: words, picks: [...picks, ...preferred], complete: fill });
    if (generation !== this.generation) return null;
    const used = drafted.picks ?? [];
    this.drafted = drafted;
    this.picked = picks.filter((place) => used.includes(place));
    return drafted;
  }

  /** Start a draft with a tapped action, the selected cards that fit, and automatic payment. */
  start(option: Option): Promise<void> {
    return this.enqueue(async () => {
      this.tappedAction = option.token;
      await this.show([option.token], this.picked, true);
    });
  }

  /** Select a place: list its actions and draft the first useful one. */
  private async select(place: string): Promise<void> {
    const before = this.picked;
    this.tappedAction = "";
    this.drafted = null;
    this.confirmingEnd = false;
    this.confirmingPass = "";
    if (before.includes(place)) {
      this.picked = [];
      return;
    }
    const advised = this.advisedFor(place);
    if (before.length) {
      const drafted = await this.show([], [...before, place], true); // the server keeps the last one if nothing uses all
      if (!drafted || !advised || drafted.picks?.some((one) => before.includes(one))) return;
    }
    await this.show(advised ? [advised.token] : [], [place], true);
  }
  /** Return the action the guide recommends for a place. */
  private advisedFor(place: string): Option | undefined {
    return this.actions.find((option) => this.advised.includes(option.action ?? "") && this.usesPlace(option, place));
  }

  /** Aim one thing at another: draft the first of its actions that accepts the target. */
  aim(from: string, to: string): Promise<void> {
    return this.enqueue(async () => {
      this.drafted = null;
      const drafted = await this.show([], [from, to], true);
      if (drafted && !drafted.picks?.includes(from)) await this.show([], [from], true);
    });
  }

  /** Remove the tokens from this one on, and choose it by hand. */
  reopen(place: number): Promise<void> {
    return this.enqueue(() => this.reopened(place));
  }
  private async reopened(place: number): Promise<void> {
    if (place <= 0) this.clear();
    else {
      const removed = this.taken.slice(place).map((one) => one.place);
      await this.show(
        this.taken.slice(0, place).map((one) => one.word),
        this.picked.filter((one) => !removed.includes(one)),
      );
    }
  }
  back(): Promise<void> {
    return this.enqueue(async () => {
      const place = this.taken.findLastIndex((one, index) => index > 0 && !one.auto);
      await this.reopened(Math.max(0, place));
    });
  }

  /** Handle a tap on the board or on a listed option. */
  tap(place: string): Promise<void> {
    if (this.room.waitingToSend) return Promise.resolve();
    if (this.doing === "attack" || this.doing === "block") {
      return this.fight(this.battle.press(place, this.rival));
    }
    if (this.canPlan && this.soldiers.has(place) && !this.starts.has(place)) {
      this.togglePlan(place);
      return Promise.resolve();
    }
    return this.enqueue(() => this.tapped(place));
  }
  /** Send a tap on the fight; its marks have changed already. */
  private fight(tap: FightTap | null): Promise<void> {
    if (!tap) return Promise.resolve();
    this.confirming = false;
    this.refused = "";
    return this.enqueue(async () => {
      const generation = this.generation;
      try {
        const answer = await this.room.draft(this.battle.query(tap));
        if (generation === this.generation) this.battle.receive(tap, answer);
      } catch (error) {
        if (error instanceof ServerError && generation === this.generation) this.battle.receive(tap, null);
        throw error;
      }
    });
  }
  /** Choose all attackers. */
  everybody(): Promise<void> {
    return this.fight(this.battle.pressAll());
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
  /** Return true if the tapped action will ask for a card and this can be it. */
  private takes(place: string): boolean {
    const [action, more] = this.taken;
    return (
      this.complete &&
      !more &&
      action?.word === this.tappedAction &&
      !!this.actions.find((option) => option.token === this.tappedAction)?.cards_asked_later?.includes(place)
    );
  }

  /** Replace the proposed payment, target or key; return true if the place was one of these. */
  private async instead(place: string): Promise<boolean> {
    for (const [index, one] of this.taken.entries()) {
      const option = one.others.find((each) => placeOf(each) === place);
      if (!option || index === 0 || (one.kind === "key" && !one.auto)) continue;
      const rest = this.taken.slice(index + 1).filter((word) => word.word !== option.token);
      const words = this.taken.slice(0, index).map((word) => word.word);
      await this.show(
        [...words, option.token],
        this.picked.filter((each) => each !== one.place),
        true,
        rest.map((word) => word.place).filter((each) => each !== ""),
      );
      return true;
    }
    return false;
  }

  /** Replace a complete choice, or the first of several chosen things. */
  private async swap(place: string): Promise<void> {
    const option = this.complete ? this.room.ask?.options.find((one) => placeOf(one) === place) : undefined;
    if (!option) return;
    const kept = this.several ? this.named.slice(1) : [];
    await this.show([...kept, option.token]);
  }

  take(option: Option): Promise<void> {
    return this.enqueue(() => this.took(option));
  }
  private async took(option: Option): Promise<void> {
    const ask = this.room.ask;
    if (!ask || this.room.waitingToSend) return;
    if (this.doing === "choice" && SINGLE_TAP.has(ask.kind)) {
      if (option.warnings?.includes("lose") && this.confirmingWord !== option.token) this.confirmingWord = option.token;
      else await this.room.act([option.token], ask.seq).catch(() => {});
      return;
    }
    if (option.token === "done") return this.confirm();
    const kept = this.doing === "choice" && this.complete && !this.several ? [] : this.taken.map((one) => one.word);
    const picks = this.kind === "key" ? [...this.picked, placeOf(option)] : this.picked;
    await this.show([...kept, option.token], picks, this.doing === "draft");
  }

  /** Remove one of several chosen things. */
  drop(place: number): Promise<void> {
    return this.enqueue(() => this.dropped(place));
  }
  private async dropped(place: number): Promise<void> {
    const pendingWork = this.taken[place]?.word;
    const rest = this.named.filter((word) => word !== pendingWork);
    if (rest.length) await this.show(rest);
    else this.drafted = null;
  }

  /** Use the server's proposal for a choice. */
  suggest(): Promise<void> {
    return this.enqueue(async () => {
      const words = (this.room.ask?.proposal ?? []).filter((word) => word !== "done");
      if (words.length) await this.show(words);
    });
  }

  /** Complete a request with the server's proposal; every token can still be changed. */
  fill(): Promise<void> {
    return this.enqueue(async () => {
      if (this.canFill)
        await this.show(
          this.taken.map((one) => one.word),
          this.picked,
          true,
        );
    });
  }

  // -- submitting --------------------------------------------------------------------------------------------------------

  /** 確定: submit exactly the move on screen. A move with a warning needs a second tap. */
  async confirm(): Promise<void> {
    const ask = this.room.ask;
    if (!ask || !this.ready) return;
    const fighting = this.doing === "attack" || this.doing === "block";
    if (this.warnings.length && !this.confirming && (!fighting || this.warnings.includes("lose"))) {
      this.confirming = true;
      return;
    }
    if (fighting) return this.submit(this.battle.words, this.battle.text);
    const words = this.drafted && this.taken.length ? this.drafted.tokens : ["done"];
    this.plannedCard = this.laid ? { action: words[0] ?? "", place: this.laid } : null;
    await this.submit(words, undefined, this.striking.length ? this.striking : undefined);
  }
  /** the cards kept in a draft (N-140), in the order of the picks */
  kept = $state.raw<string[]>([]);
  /** the prompt is a pick of a draft: one of three cards */
  drafting = $derived.by<boolean>(
    () => this.room.ask?.kind === "setup" && this.room.ask.options.length === MINI_PACK && !this.setAside,
  );
  /** cards have been taken out of the deck already */
  private setAside = $derived.by<boolean>(() => {
    const side = this.room.view?.[this.you];
    return !!side && (side.trumps.length > 0 || side.hand.count > 0 || (side.rare?.count ?? 0) > 0);
  });
  private async submit(words: string[], text?: string, plan?: string[]): Promise<void> {
    if (this.drafting) this.kept = [...this.kept, ...words.filter((word) => word !== "done")];
    await this.room.act(words, this.room.ask?.seq ?? -1, text ?? words.join(" "), plan).catch(() => {});
  }

  /** Attack with every soldier that may. */
  async attackAll(): Promise<void> {
    if (this.canAttack && !this.room.waitingToSend) await this.submit(["attack"], undefined, ["all"]);
  }
  /** Submit an empty answer: no attackers or no blockers. */
  async none(): Promise<void> {
    if (!this.room.waitingToSend) await this.submit(["done"]);
  }
  /** a pass loses the game, and another action is available */
  passLoses = $derived.by<boolean>(
    () => this.actions.length > 0 && (this.room.ask?.lethal_for ?? []).includes(this.you),
  );
  async pass(): Promise<void> {
    if (!this.canPass || this.room.waitingToSend || this.needsConfirmation("pass")) return;
    await this.submit(["pass"]);
  }
  /** 受けます: let the whole attack happen. If that loses the game, only this chance is passed. */
  async accept(): Promise<void> {
    if (this.room.waitingToSend || this.needsConfirmation("accept")) return;
    if (this.passLoses) await this.submit(["pass"]);
    else this.room.request({ type: "assist_settings", accept_combat: true });
  }
  /** Return true if the move would lose the game and was not confirmed by a second tap. */
  private needsConfirmation(what: "pass" | "accept"): boolean {
    if (!this.passLoses || this.confirmingPass === what) return false;
    this.clear();
    this.confirmingPass = what;
    return true;
  }
  /** ending the turn loses the game */
  endLoses = $derived.by<boolean>(
    () => this.room.ask?.options.find((option) => option.token === "end")?.warnings?.includes("lose") ?? false,
  );
  /** End the turn; ask once if useful actions are left or the game would be lost. */
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
