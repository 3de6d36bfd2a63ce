// Client of a tournament: loads its page once, then receives every change from the server.
import { partsOf, regulationText } from "../../core/regulation";
import { BASE } from "../../core/base_path";
import { get, post, ApiError } from "../../core/http";
import { rememberTournament } from "../../core/local_history";
import type {
  EntrantInfo,
  MyPart,
  RatingLadder,
  StandingRow,
  TableInfo,
  TournamentLive,
  TournamentPage,
} from "../../core/protocol";
import { t } from "../../i18n/tournament";

/** tables already visited: they are not opened again */
const visited = new Set<string>();

export class TournamentClient {
  page = $state.raw<TournamentPage | null>(null);
  live = $state.raw<TournamentLive | null>(null);
  mine = $state.raw<MyPart | null>(null);
  /** points of entrants with a rating */
  points = $state.raw(new Map<string, number>());
  problem = $state("");
  missing = $state(false);
  busy = $state(false);
  /** the server's time in seconds since 1970 */
  now = $state(Date.now() / 1000);
  private skew = 0;
  private socket: WebSocket | null = null;
  private timers: number[] = [];
  private closed = false;
  private pause = 500;

  entrants = $derived(new Map((this.page?.entrants ?? []).map((one) => [one.id, one])));
  rules = $derived(this.page?.rules);
  kind = $derived(this.page?.rules.kind ?? "swiss");
  me = $derived(this.mine?.id ?? "");
  line = $derived<StandingRow | undefined>(this.live?.lines.find((one) => one.id === this.me));
  /** tables without a result */
  open = $derived<TableInfo[]>((this.live?.tables ?? []).filter((one) => !one.outcome));
  /** time at which the result of the own finished table counts, plus a margin; otherwise 0 */
  countsAt = $derived((this.mine?.counts_at ?? 0) + 3 > this.now ? this.mine!.counts_at! : 0);
  table = $derived<TableInfo | undefined>(
    this.countsAt ? undefined : this.open.find((one) => this.me !== "" && (one.one === this.me || one.two === this.me)),
  );
  bye = $derived(
    this.me !== "" &&
      this.live?.phase === "running" &&
      (this.line?.run.endsWith("B") ?? false) &&
      this.line?.run.length === this.live.round,
  );

  constructor(readonly id: string) {
    this.timers.push(window.setInterval(() => (this.now = Date.now() / 1000 + this.skew), 1000));
    void this.load();
    this.connect();
  }

  close(): void {
    this.closed = true;
    this.timers.forEach((timer) => clearInterval(timer));
    this.socket?.close();
  }

  entrant(id: string): EntrantInfo {
    return this.entrants.get(id) ?? { id, name: "…" };
  }

  async load(): Promise<void> {
    try {
      const [page, mine] = await Promise.all([
        get<TournamentPage>(`/api/tournaments/${this.id}`),
        get<MyPart>(`/api/tournaments/${this.id}/mine`),
      ]);
      this.page = {
        ...page,
        host: page.host || t("tournament.nobody"),
        entrants: page.entrants.map((one) => ({ ...one, name: one.name || t("tournament.nobody") })),
      };
      this.mine = mine;
      if (page.rules.accounts && !this.points.size) void this.rate(page.rules.regulation ?? "");
      this.receive(page.live);
      this.remember();
      this.problem = "";
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) {
        this.missing = true;
        rememberTournament(this.id, false);
      } else this.problem = (error as Error).message;
    }
  }

  private remember(): void {
    rememberTournament(this.id, (this.mine?.id ?? "") !== "" && this.live?.phase !== "over");
  }

  private async rate(regulation: string): Promise<void> {
    const found = await get<RatingLadder>(
      `/api/ratings?format=${regulationText({ ...partsOf(regulation), frame: "", options: [] })}`,
    ).catch(() => null);
    this.points = new Map((found?.lines ?? []).map((one) => [one.player, one.points]));
  }

  /** Apply an update; reload the page where the update lacks something, e.g. results at the start of a round. */
  private receive(live: TournamentLive): void {
    const before = this.live;
    if (before && live.seq < before.seq) return;
    this.live = live;
    this.skew = live.now - Date.now() / 1000;
    this.now = live.now;
    const known = this.page;
    const news = live.phase === "open" && live.seq !== known?.live.seq; // an entrant submitted a deck
    if (
      known &&
      (news ||
        live.entrants !== known.entrants.length ||
        live.phase !== known.live.phase ||
        live.round !== known.live.round)
    )
      void this.load();
  }

  private connect(): void {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}${BASE}/ws/tournament?id=${this.id}`);
    this.socket = socket;
    socket.onmessage = (event) => {
      this.pause = 500;
      this.receive(JSON.parse(String(event.data)) as TournamentLive);
    };
    socket.onclose = () => {
      if (this.closed || this.missing) return;
      setTimeout(() => this.closed || (this.connect(), void this.load()), this.pause);
      this.pause = Math.min(8000, this.pause * 2);
    };
  }

  /** Return the room of the own table once, otherwise "". */
  takeNewRoom(): string {
    const room = this.table?.room ?? "";
    if (!room || visited.has(room)) return "";
    visited.add(room);
    return room;
  }

  async post(what: string, body?: unknown): Promise<void> {
    if (this.busy) return;
    this.busy = true;
    this.problem = "";
    try {
      this.mine = await post<MyPart>(`/api/tournaments/${this.id}/${what}`, body);
      await this.load();
    } catch (error) {
      this.problem = (error as Error).message;
    } finally {
      this.busy = false;
    }
  }
}
