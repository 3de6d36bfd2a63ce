// The client of a room. It reconnects by itself, resumes the same prompt, and never submits a move twice.
import type {
  Prompt,
  AssistState,
  Caster,
  ChatLine,
  ClientMessage,
  Clock,
  PreviewResult,
  Error as Problem,
  EventView as GameEvent,
  Hint,
  LogEntry,
  MatchView,
  Offer,
  GameOver,
  RefusedAction,
  Refusals,
  RoomInfo,
  ServerMessage,
  TranscriptSignature,
  Update,
  Welcome,
} from "./protocol";
import type { BoardPlayer } from "./board_player";
import type { DraftQuery, FightQuery } from "./draft_types";
import * as fair from "./fair";
import { loadKey, rememberInviter, roomKey } from "./fair_keys";
import type { SeatName } from "./names";
import { collection } from "./collection.svelte";
import { t } from "./i18n.svelte";
import { settings } from "./settings.svelte";
import { wholeView, type View } from "./view";
import { openTransport, type Transport } from "./transport";

export class ServerError extends Error {
  constructor(readonly problem: Problem) {
    super(settings.lang === "ja" ? problem.ja : problem.en);
  }
  /** the prompt was answered meanwhile: no message is needed */
  get late(): boolean {
    return this.problem.code === "late";
  }
}

type Sent = { [K in ClientMessage["type"]]: Omit<Extract<ClientMessage, { type: K }>, "id"> }[ClientMessage["type"]];
/** A submitted move, with the attackers planned for it. */
interface Said {
  game: number;
  seq: number;
  words: string[];
  plan: string[] | undefined;
}
type Waiter = { done: (message: ServerMessage) => void; failed: (error: Error) => void };

const MOST_LINES = 500;

export class Room {
  status = $state<"connecting" | "open" | "lost" | "refused">("connecting");
  info = $state.raw<RoomInfo | null>(null);
  you = $state<SeatName | null>(null);
  ask = $state.raw<Prompt | null>(null);
  askedAt = $state(0);
  waiting = $state<SeatName | null>(null);
  lines = $state.raw<LogEntry[]>([]);
  events = $state.raw<GameEvent[]>([]);
  clocks = $state.raw<Record<string, Clock>>({});
  clocksAt = $state(0);
  match = $state.raw<MatchView | null>(null);
  assist = $state.raw<AssistState | null>(null);
  offer = $state.raw<Offer | null>(null);
  /** the last offer that was accepted or declined */
  closedOffer = $state.raw<Offer | null>(null);
  /** those who cast or ask to; sent to the players and the host */
  casters = $state.raw<Caster[]>([]);
  /** our own handle, by which we can be named as a caster */
  ownHandle = $state("");
  /** true for a caster who sees both hands */
  casting = $state(false);
  chat = $state.raw<ChatLine[]>([]);
  /** number of chat lines that were on the screen */
  read = $state(0);
  results = $state.raw<GameOver[]>([]);
  practice = $state(false);
  /** changes when something arrives that a verdict on the shuffles depends on */
  evidence = $state(0);
  problem = $state("");
  game = 0;
  seq = -1;
  shownSeq = $state(-1);
  /** the actions that are not offered at a prompt, with the reasons; requested when they are shown */
  private reasons = $state.raw<{ ask: Prompt; refusals: RefusedAction[] } | null>(null);
  refusals = $derived.by<RefusedAction[]>(() => (this.reasons?.ask === this.ask ? (this.reasons?.refusals ?? []) : []));
  /** called when an update has been shown */
  after: ((update: Update) => void) | null = null;
  /** called for every accepted move of this client */
  onMove: ((seq: number, text: string) => void) | null = null;

  private socket: Transport | null = null;
  private waiters = new Map<number, Waiter>();
  private number = 0;
  private closed = false;
  private pause = 200;
  private timer = 0;
  /** submitted, not acknowledged by the server */
  private unacknowledged = $state.raw<Said | null>(null);
  /** retracted while offline; the server may have received it */
  private retracted: Said | null = null;
  /** attackers chosen before the attack resolves; known only to this seat and the server */
  plan = $state.raw<string[]>([]);
  /** the same, not acknowledged by the server */
  private planned: string[] | null = null;
  private accepted = -1;
  /** seq of the prompt with a submitted answer */
  private sent = $state(-1);
  /** id of the unacknowledged message with the plan */
  private planning = 0;
  private lastMessageAt = 0;
  private sealReplaced = false;
  /** `ready` is on its way: sending it again would create another seal and restart the exchange */
  private sendingReady = false;
  private revealedTerms = ""; // the terms for which our salt was revealed, on this connection
  private waitingInfo: RoomInfo | null = null; // the room before the game
  /** room and commitment of the last automatic `ready` */
  private readyKey = "";
  /** the game on the board */
  private shownGame = 0;
  /** the last view of this connection, to which the changes of the next update apply */
  private lastView: View | null = null;

  get view(): View | null {
    return this.player.view;
  }
  /** Return the result of the last game or match, until a new one starts. */
  get final(): GameOver | null {
    return this.results.find((one) => one.match_over && one.game === this.info?.game) ?? null;
  }

  /** Return true if the chat has unread lines. */
  get unread(): boolean {
    return this.chat.length > this.read && this.chat.at(-1)?.seat !== this.you;
  }
  /** Return true if the answer to the current prompt is on its way. */
  get answering(): boolean {
    return this.ask !== null && this.sent === this.ask.seq;
  }

  /** Return true if a move waits for the connection. */
  get waitingToSend(): boolean {
    return this.unacknowledged !== null && this.status !== "open";
  }

  constructor(
    public id: string,
    /** shows events one after the other until the board is up to date */
    readonly player: BoardPlayer,
    readonly seat: "any" | SeatName | "watch" | "caster" = "any",
    readonly autoReady = true,
    /** opens another transport than the server's WebSocket */
    private readonly connectTo: (() => Transport) | null = null,
  ) {
    rememberInviter(id, location.hash);
    if (seat !== "watch" && seat !== "caster") void loadKey(id);
    this.connect();
    addEventListener("online", this.reconnectNow);
    document.addEventListener("visibilitychange", this.reconnectNow);
  }

  close(): void {
    this.closed = true;
    this.player.clear();
    clearTimeout(this.timer);
    removeEventListener("online", this.reconnectNow);
    document.removeEventListener("visibilitychange", this.reconnectNow);
    this.socket?.close();
  }

  private reconnectNow = (): void => {
    if (this.status === "lost" && document.visibilityState === "visible") {
      clearTimeout(this.timer);
      this.pause = 200;
      this.connect();
    }
  };

  private connect(): void {
    const socket = this.connectTo?.() ?? openTransport(this.id);
    this.socket = socket;
    this.revealedTerms = "";
    this.lastView = null;
    socket.onopen = () => {
      const join = {
        type: "join" as const,
        room: this.id,
        seat: this.seat,
        lang: settings.lang,
        back: collection.back,
      };
      this.send(this.game ? { ...join, game: this.game, since: this.seq } : join, () => {});
    };
    socket.onmessage = (event) => {
      this.lastMessageAt = performance.now();
      this.receive(JSON.parse(String(event.data)) as ServerMessage);
    };
    socket.onclose = () => {
      if (this.socket !== socket) return;
      for (const waiter of this.waiters.values()) waiter.failed(new Error("lost"));
      this.waiters.clear();
      if (this.closed || this.status === "refused") return;
      this.status = "lost";
      this.timer = window.setTimeout(() => this.connect(), this.pause);
      this.pause = Math.min(this.pause * 1.6, 4000);
    };
  }

  /** Drop the connection and join again, e.g. in another language. */
  reconnect(): void {
    this.game = 0;
    this.seq = -1;
    this.lines = [];
    this.pause = 50;
    this.socket?.close();
  }

  private send(message: Sent, failed?: (error: Error) => void): Promise<ServerMessage> {
    const id = ++this.number;
    const socket = this.socket;
    return new Promise((done, fail) => {
      if (!socket || socket.readyState !== WebSocket.OPEN) {
        (failed ?? fail)(new Error("lost"));
        return;
      }
      this.waiters.set(id, { done, failed: failed ?? fail });
      socket.send(JSON.stringify({ ...message, id }));
    });
  }

  /** Send a message that is not answered, without an id: a signature of every turn is to be short. */
  private notify(message: Sent): void {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
  }

  private receive(message: ServerMessage): void {
    this.handle(message);
    const id = "id" in message ? (message.id ?? 0) : 0;
    const waiter = this.waiters.get(id);
    if (!waiter) return;
    this.waiters.delete(id);
    if (message.type === "error") waiter.failed(new ServerError(message));
    else waiter.done(message);
  }

  private handle(message: ServerMessage): void {
    switch (message.type) {
      case "welcome":
        this.onWelcome(message);
        break;
      case "room":
        this.info = message.room;
        this.readyIfAlone();
        this.revealIfDue();
        break;
      case "update":
        this.lastView = wholeView(message, this.lastView);
        this.update(this.lastView ? { ...message, view: this.lastView } : message);
        break;
      case "assist_settings":
        this.onAssistState(message);
        break;
      case "offer":
        this.onOffer(message);
        break;
      case "chat":
        this.chat = [...this.chat.slice(-99), message];
        break;
      case "game_over":
        this.onGameOver(message);
        break;
      case "casters":
        this.casters = message.casters;
        break;
      case "signature":
        this.onSignature(message);
        break;
      case "paused":
        this.problem = message.paused ? ((settings.lang === "ja" ? message.ja : message.en) ?? "") : "";
        break;
      case "error":
        this.onError(message);
        break;
    }
  }

  private onOffer(message: Offer): void {
    if (this.you) fair.rememberOffer(this.id, this.you, message);
    this.offer = message.state === "open" ? message : null;
    this.closedOffer = message.state === "open" ? null : message;
  }
  private onSignature(message: TranscriptSignature): void {
    if (this.you) void fair.rememberSignature(this.id, this.you, message).then(() => (this.evidence += 1));
  }
  private onAssistState(message: AssistState): void {
    this.assist = message;
    if (message.id && message.id === this.planning) this.planned = null;
    if (!this.planned) this.plan = message.planned_attackers ?? [];
  }
  private onGameOver(message: GameOver): void {
    if (this.you) this.sign(fair.rememberResult(this.id, this.you, message));
    this.evidence += 1;
    this.ask = this.waiting = null; // no prompt is shown during the last blow
    // use our own game number: a game that the server renumbers later has ended too, and is checked
    const lastMessageAt: GameOver = { ...message, game: this.info?.game ?? message.game };
    this.player.push({
      events: [],
      view: message.view ?? null,
      due: false,
      since: this.seq,
      done: () => {
        this.results = [
          ...this.results.filter((old) => old.record_id !== lastMessageAt.record_id || !old.record_id),
          lastMessageAt,
        ];
      },
    }); // the result is shown after the last blow
  }
  private onError(message: Problem): void {
    const closed = ["no_room", "no_watching", "full", "no_guest", "taken"].includes(message.code) && !this.info;
    if (closed) this.status = "refused";
    if (closed || !message.id) this.problem = settings.lang === "ja" ? message.ja : message.en;
  }

  private onWelcome(message: Welcome): void {
    const back = this.status === "lost";
    this.status = "open";
    this.pause = 200;
    this.problem = "";
    this.info = message.room;
    if (message.room.id !== this.id) {
      this.id = message.room.id; // redirected by a quick match
      history.replaceState(history.state, "", `/room/${this.id}`);
    }
    this.you = (message.seat ?? null) as SeatName | null;
    this.accepted = message.last_answered;
    this.ownHandle = message.handle ?? "";
    this.casting = message.caster ?? false;
    if (message.room.tournament) this.submittedDeck = message.deck ?? "";
    this.chat = [];
    this.offer = null; // the server sends open offers again
    const retracted = this.retracted;
    this.retracted = null;
    if (retracted?.game === message.room.game && message.last_answered >= retracted.seq)
      this.problem = t("too_late_back");
    if (this.planned) this.setPlan(this.planned);
    if (!back && this.you) {
      void this.send({ type: "assist_settings", mode: settings.mode, stops: settings.stops }).catch(() => {});
    }
    this.readyIfAlone();
    this.revealIfDue();
  }

  /** Send `ready` without a button against a computer, in a quick match, and for a rematch. */
  private readyIfAlone(): void {
    const info = this.info;
    if (!this.autoReady || !info || !this.you || info.phase !== "waiting") return;
    const mine = info[this.you];
    const rival = info[this.you === "p1" ? "p2" : "p1"];
    const wanted = `${info.id} ${info.commitment}`;
    if (
      (rival.kind === "ai" || info.settings.quick || info.tournament || info.game) &&
      !mine.ready &&
      this.readyKey !== wanted
    ) {
      this.readyKey = wanted;
      this.ready(this.submittedDeck);
    }
  }

  /** the submitted deck as text; "": the frame's own deck; undefined: the deck chosen for these rules */
  submittedDeck: string | undefined;

  ready(deck = settings.decks[this.info?.settings.regulation ?? ""] ?? ""): void {
    if (this.sendingReady) return;
    this.sendingReady = true;
    this.submittedDeck = deck;
    const key = roomKey(this.id);
    if (key === undefined) void loadKey(this.id).then((made) => this.sendReady(deck, made?.public ?? ""));
    else this.sendReady(deck, key?.public ?? "");
  }

  private sendReady(deck: string, key: string): void {
    const seal = fair.seal(this.id, (this.info?.game ?? 0) + 1, this.you ?? "p1", deck);
    this.send({ type: "ready", deck, seal, key }).then(
      () => (this.sendingReady = false),
      (error: Error) => {
        this.sendingReady = false;
        this.problem = error.message;
        if (deck) this.ready("");
      },
    );
  }

  /** Store the terms and reveal our salt once both seats are ready and sealed. */
  private revealIfDue(): void {
    const info = this.info;
    if (info?.phase === "waiting") this.waitingInfo = info;
    if (!info || !this.you || info.phase !== "waiting" || !info[this.you].ready) return;
    if (!fair.isOwnSeal(info, this.you)) {
      if (!this.sealReplaced) this.ready(); // sealed by another browser, which has the salt
      this.sealReplaced = true;
    } else if (info.p1.ready && info.p2.ready) {
      const opened = fair.openSalt(info, this.you, () => this.revealIfDue());
      if (opened === "touch") this.problem = t("fair_touch");
      else if (!opened) this.ready(this.submittedDeck); // the salt served another game
      if (!opened || opened === "touch" || opened.terms === this.revealedTerms) return; // once is enough, also while the other seat is slow
      this.revealedTerms = opened.terms;
      this.send({ type: "reveal", ...opened }).catch(() => {});
    }
  }

  private update(message: Update): void {
    const fresh = message.game !== this.game;
    if (!fresh && message.seq < this.seq) return; // older than the current state
    const again = !fresh && message.since >= 0 && message.since < this.seq; // part of it was received before
    if (fresh) {
      this.game = message.game;
      this.accepted = -1;
      this.unacknowledged = null;
      this.sent = -1;
    }
    if (this.you) {
      if (fresh && this.waitingInfo?.game === message.game - 1) fair.noteMissingReveal(this.waitingInfo, this.you);
      this.sign(fair.rememberUpdate(this.id, this.you, message));
    }
    this.seq = message.seq;
    this.clocks = message.clocks ?? {};
    this.clocksAt = performance.now();
    if (this.ask && this.ask.seq !== message.seq) this.ask = null; // answered, or too late
    const ask = message.prompt ?? null;
    const resend = this.resend(ask);
    const events = again ? [] : (message.events ?? []);
    const opening = this.isOpening(message, events);
    this.shownGame = message.game;
    this.player.push({
      events: message.since >= 0 || opening ? events : [],
      view: message.view ?? null,
      due: ask !== null && !resend,
      since: message.since,
      opening,
      done: () => this.show(again ? { ...message, events: [], lines: [] } : message, fresh, resend ? null : ask),
    });
  }

  /** Send signatures of what this page was sent, one after the other. */
  private sign(due: fair.DueSignature[]): void {
    const { info, you } = this;
    if (!info || !you || !due.length) return;
    void (async () => {
      for (const one of due) {
        const signed = await fair.sign(info, you, one);
        if (signed) this.notify({ type: "sign", ...signed });
      }
    })();
  }

  /** Send an unacknowledged move again if the same prompt is open; return true if it was sent. */
  private resend(ask: Prompt | null): boolean {
    const unacknowledged = this.unacknowledged;
    if (
      !unacknowledged ||
      !ask ||
      unacknowledged.game !== this.game ||
      unacknowledged.seq !== ask.seq ||
      this.accepted >= ask.seq
    ) {
      this.unacknowledged = null;
      return false;
    }
    if (this.sent !== ask.seq)
      void this.act(unacknowledged.words, ask.seq, unacknowledged.words.join(" "), unacknowledged.plan).catch(() => {});
    return true;
  }
  /** Return true if the update contains a deal; each game of a match has one. */
  private isOpening(message: Update, events: GameEvent[]): boolean {
    const dealt = this.shownGame !== message.game || events.some((event) => event.event === "dealt");
    return dealt && (message.view?.turn_number ?? 9) <= 1 && !events.some((event) => event.event === "declared");
  }

  /** Set everything of an update besides the board, after its events were shown. */
  private show(message: Update, fresh: boolean, ask: Prompt | null): void {
    if (fresh) this.results = [];
    if (fresh || message.since < 0) this.lines = [];
    this.shownSeq = message.seq;
    this.lines = [...this.lines, ...(message.lines ?? [])].slice(-MOST_LINES);
    this.events = message.events ?? [];
    this.match = message.match ?? null;
    this.waiting = (message.waiting_for ?? null) as SeatName | null;
    this.practice = message.practice ?? false;
    if (ask && message.seq !== this.seq) return; // answered meanwhile
    this.ask = ask;
    this.askedAt = performance.now();
    this.after?.(message);
  }

  /** Request a hint against the computer; with `move` the recommended move. */
  async hint(move: boolean): Promise<Hint> {
    return (await this.send({ type: "hint", seq: this.ask?.seq ?? 0, with_move: move })) as Hint;
  }

  /** Answer the prompt with a whole move. */
  async act(words: string[], seq = this.ask?.seq ?? -1, text = words.join(" "), plan?: string[]): Promise<void> {
    const unacknowledged = this.unacknowledged;
    if (unacknowledged?.seq === seq && unacknowledged.game === this.game && this.status === "open" && this.sent === seq)
      return; // already on its way
    this.sent = seq;
    this.unacknowledged = { game: this.game, seq, words, plan };
    try {
      await this.send(
        plan ? { type: "move", seq, tokens: words, attackers: plan } : { type: "move", seq, tokens: words },
      );
      this.onMove?.(seq, text);
      this.accepted = seq;
      this.unacknowledged = null;
      if (this.ask?.seq === seq) this.ask = null;
    } catch (error) {
      this.sent = -1;
      if (error instanceof ServerError) {
        this.unacknowledged = null;
        this.problem = error.message;
      }
      throw error;
    }
  }

  /** Answer with a move in the notation. */
  async actText(text: string): Promise<void> {
    await this.send({ type: "move", seq: this.ask?.seq ?? 0, text });
  }

  /** Request the reasons why actions are not offered now. */
  async loadRefusals(): Promise<void> {
    const ask = this.ask;
    if (!ask || this.reasons?.ask === ask) return;
    const answer = (await this.send({ type: "refusals" })) as Refusals;
    this.reasons = { ask, refusals: answer.refusals ?? [] };
  }

  /** Retract a move that waits for the connection. */
  takeBack(): void {
    if (!this.waitingToSend) return;
    this.retracted = this.unacknowledged;
    this.unacknowledged = null;
    this.sent = -1;
  }

  /** Return the server's answer to a selection. */
  draft(what: DraftQuery | FightQuery): Promise<PreviewResult> {
    return this.send({ type: "preview", seq: this.ask?.seq ?? 0, ...what }) as Promise<PreviewResult>;
  }

  /** Choose the attackers before the attack resolves; sent again after a reconnect. */
  setPlan(words: string[]): void {
    this.plan = this.planned = words;
    this.send({ type: "plan_attack", attackers: words }).catch((error: Error) => {
      if (!(error instanceof ServerError)) return;
      this.problem = error.message;
      this.planned = null;
      this.plan = this.assist?.planned_attackers ?? []; // the server's state
    });
    this.planning = this.number;
  }

  request(message: Sent): void {
    if (message.type === "resign" && this.you) fair.rememberResignation(this.id, this.you);
    this.send(message).catch((error: Error) => {
      if (error instanceof ServerError) this.problem = error.message;
    });
  }

  async ping(): Promise<number> {
    const begun = performance.now();
    await this.send({ type: "ping" });
    return performance.now() - begun;
  }

  silentFor(): number {
    return performance.now() - this.lastMessageAt;
  }
}
