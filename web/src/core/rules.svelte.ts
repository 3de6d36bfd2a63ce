// The rules reference: names and texts of all rules, from the definitions on the server.
import { untrack } from "svelte";
import { get } from "./http";
import { t } from "./i18n.svelte";
import type { OpponentLevel, RegulationPart, Regulations, RulePage } from "./protocol";
import { EDITIONS, editionOf, partsOf, type EditionId, type RegulationParts } from "./regulation";
import { settings } from "./settings.svelte";

class Rules {
  /** editions of the games on screen, the last one on top; without one, the edition chosen in the settings applies */
  private shown = $state.raw<{ edition: EditionId }[]>([]);
  edition = $derived(this.shown.at(-1)?.edition ?? editionOf(settings.regulation));
  pages = $state.raw<RulePage[]>([]);
  /** language and edition of the pages */
  private source = $state("");
  byId = $derived(new Map(this.pages.map((page) => [`${page.kind}:${page.id}`, page])));
  private trumps = $derived(this.pages.filter((page) => page.kind === "trump"));
  private regulationsOf = $state.raw<Partial<Record<EditionId, Regulations>>>({});
  private fetched = new Set<EditionId>();
  regulations = $derived(this.regulationsOf[this.edition] ?? null);
  /** what actions come with: the formats, then the frames that bring some */
  sources = $derived<RegulationPart[]>([
    ...(this.regulations?.formats ?? []),
    ...(this.regulations?.frames ?? []).filter((frame) => this.pages.some((page) => page.since === frame.id)),
  ]);
  opponents = $state.raw<OpponentLevel[]>([]);
  levels = $derived(this.opponents.map((one) => one.id));

  /** Use an edition while a component shows a game of it; return what ends that. */
  show(edition: EditionId): () => void {
    const one = { edition };
    untrack(() => (this.shown = [...this.shown, one]));
    return () => (this.shown = this.shown.filter((other) => other !== one));
  }

  private get query(): string {
    return `lang=${settings.lang}${this.edition === EDITIONS[0] ? "" : `&edition=${this.edition}`}`;
  }

  private async load(): Promise<void> {
    const source = this.query;
    if (this.source === source) return;
    this.source = source;
    try {
      const pages = await get<RulePage[]>(`/api/rules?${source}`);
      if (this.query === source) this.pages = pages;
    } catch (error) {
      this.source = "";
      throw error;
    }
  }

  /** Chapters and rulings, loaded on demand; retried while the server is busy. */
  book = $state.raw<RulePage[]>([]);
  private bookSource = "";

  async loadBook(): Promise<void> {
    const source = this.query;
    if (this.bookSource === source) return;
    this.bookSource = source;
    for (let wait = 1000; ; wait *= 2) {
      try {
        const pages = await get<RulePage[]>(`/api/rulebook?${source}`);
        if (this.query === source) this.book = pages;
        return;
      } catch (error) {
        if (wait > 8000) {
          this.bookSource = "";
          throw error;
        }
        await new Promise((done) => setTimeout(done, wait));
      }
    }
  }

  async loadRegulations(edition: EditionId): Promise<void> {
    if (this.fetched.has(edition)) return;
    this.fetched.add(edition);
    try {
      const found = await get<Regulations>(`/api/regulations${edition === EDITIONS[0] ? "" : `?edition=${edition}`}`);
      this.regulationsOf = { ...this.regulationsOf, [edition]: found };
    } catch (error) {
      this.fetched.delete(edition);
      throw error;
    }
  }

  private async loadChoices(): Promise<void> {
    const levels = this.opponents.length ? this.opponents : get<OpponentLevel[]>("/api/levels");
    await this.loadRegulations(this.edition);
    this.opponents = await levels;
  }

  /** error message of the data every screen needs; "" while it loads */
  problem = $state("");
  async loadAll(): Promise<void> {
    try {
      await Promise.all([this.load(), this.loadChoices()]);
      this.problem = "";
    } catch (error) {
      this.problem = (error as Error).message;
    }
  }

  action(id: string): RulePage | undefined {
    return this.byId.get(`action:${id.replace(/@$/, "")}`);
  }

  /** Return the step of a turn an action belongs to: draw, attack, block, judgement, end; "" for any other. */
  stepOf(id: string): string {
    return this.action(id)?.step ?? "";
  }

  /** R-82: return true if a unit of this character and these cards may attack in the turn it entered. */
  hasHaste(character: string, cards: string[]): boolean {
    const page = this.byId.get(`character:${character}`);
    return !!page?.haste || (page?.haste_with ?? []).some((card) => cards.includes(card));
  }

  title(id: string): string {
    return this.action(id)?.title ?? id;
  }

  /** Return the trump of a card. */
  trumpOf(card: string): RulePage | undefined {
    return this.trumps.find((page) => page.card === card);
  }

  /** Return the effect of a trump and of the actions it allows. */
  doesOf(trump: RulePage): string {
    const actions = (trump.allows ?? []).map((id) => this.lineOf(id)).filter(Boolean);
    return [trump.short || trump.clauses.join(" "), ...actions].join(" ");
  }

  /** Return an action's effect in one line; `theirs`: worded for the opponent. */
  lineOf(id: string, theirs = false): string {
    const page = this.action(id);
    return (theirs && page?.theirs) || (page?.clauses[0] ?? "");
  }

  opponent(id: string): OpponentLevel | undefined {
    return this.opponents.find((one) => one.id === id);
  }

  levelName(id: string): string {
    return this.opponent(id)?.[settings.lang] ?? id;
  }

  /** Return a computer opponent's style in one line. */
  levelLine(id: string): string {
    return this.opponent(id)?.[`line_${settings.lang}`] ?? "";
  }

  /** Return the regulations of an edition; the first call fetches them. */
  private partsIn(edition: EditionId): Regulations | undefined {
    void this.loadRegulations(edition).catch(() => {});
    return this.regulationsOf[edition];
  }

  /** Return the parts of a regulation, as far as its edition is loaded. */
  find(text: string): RegulationParts & { formatPart?: RegulationPart; framePart?: RegulationPart } {
    const parts = partsOf(text);
    const all = this.partsIn(parts.edition);
    const found: ReturnType<typeof this.find> = { ...parts };
    const format = all?.formats.find((one) => one.id === parts.format);
    const frame = all?.frames.find((one) => one.id === parts.frame);
    if (format) found.formatPart = format;
    if (frame) found.framePart = frame;
    return found;
  }

  /** Return a regulation's text with names: マスター+ランダム40. Another edition than the default one is named too. */
  regulation(text: string): string {
    const { edition, format, frame, options } = partsOf(text);
    const all = this.partsIn(edition);
    if (!all) return text;
    const parts = [...all.formats, ...all.frames, ...all.options];
    const names = [format, frame, ...options]
      .filter(Boolean)
      .map((id) => parts.find((part) => part.id === id)?.[settings.lang] ?? id)
      .join("+");
    return edition === EDITIONS[0] ? names : [t("edition_n", edition), names].filter(Boolean).join(" ");
  }
}

export const rules = new Rules();
