// The rules reference: names and texts of all rules, from the definitions on the server.
import { get } from "./http";
import type { OpponentLevel, Regulations, RulePage } from "./protocol";
import { settings, type Lang } from "./settings.svelte";

class Rules {
  pages = $state.raw<RulePage[]>([]);
  lang = $state<Lang | "">("");
  byId = $derived(new Map(this.pages.map((page) => [`${page.kind}:${page.id}`, page])));
  private trumps = $derived(this.pages.filter((page) => page.kind === "trump"));
  regulations = $state.raw<Regulations | null>(null);
  opponents = $state.raw<OpponentLevel[]>([]);
  levels = $derived(this.opponents.map((one) => one.id));

  private async load(): Promise<void> {
    const lang = settings.lang;
    if (this.lang === lang) return;
    this.lang = lang;
    try {
      const pages = await get<RulePage[]>(`/api/rules?lang=${lang}`);
      if (settings.lang === lang) this.pages = pages;
    } catch (error) {
      this.lang = "";
      throw error;
    }
  }

  /** Chapters and rulings, loaded on demand; retried while the server is busy. */
  book = $state.raw<RulePage[]>([]);
  private bookLang: Lang | "" = "";

  async loadBook(): Promise<void> {
    const lang = settings.lang;
    if (this.bookLang === lang) return;
    this.bookLang = lang;
    for (let wait = 1000; ; wait *= 2) {
      try {
        const pages = await get<RulePage[]>(`/api/rulebook?lang=${lang}`);
        if (settings.lang === lang) this.book = pages;
        return;
      } catch (error) {
        if (wait > 8000) {
          this.bookLang = "";
          throw error;
        }
        await new Promise((done) => setTimeout(done, wait));
      }
    }
  }

  private async loadChoices(): Promise<void> {
    if (this.regulations) return;
    const [regulations, opponents] = await Promise.all([
      get<Regulations>("/api/regulations"),
      get<OpponentLevel[]>("/api/levels"),
    ]);
    this.regulations = regulations;
    this.opponents = opponents;
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

  /** return true if a unit of this character and these cards may attack in the turn it entered. */
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

  /** Return a regulation's text with names: マスター+ランダム40. */
  regulation(text: string): string {
    const all = this.regulations;
    if (!all) return text;
    const parts = [...all.formats, ...all.frames, ...all.options];
    return text
      .split("+")
      .map((id) => parts.find((part) => part.id === id)?.[settings.lang] ?? id)
      .join("+");
  }
}

export const rules = new Rules();
