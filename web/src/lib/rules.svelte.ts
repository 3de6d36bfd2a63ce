// The rules reference: every name and text of a rule comes from here, that is from the definitions.
import { get } from "./http";
import { sign } from "./names";
import type { Opponent, Regulations, RulePage } from "./protocol";
import { settings, type Lang } from "./settings.svelte";

export interface Cost {
  /** one letter each: B, L, D, S; ways apart with / */
  signs: string;
  words: string;
}

class Rules {
  pages = $state.raw<RulePage[]>([]);
  lang = $state<Lang | "">("");
  byId = $derived(new Map(this.pages.map((page) => [`${page.kind}:${page.id}`, page])));
  private trumps = $derived(this.pages.filter((page) => page.kind === "trump"));
  regulations = $state.raw<Regulations | null>(null);
  opponents = $state.raw<Opponent[]>([]);
  levels = $derived(this.opponents.map((one) => one.id));
  /** action and trump titles, longest first, for links in the log */
  titles = $derived(
    this.pages
      .filter((page) => page.title.length > 1)
      .map((page) => ({ title: page.title, key: `${page.kind}:${page.id}` }))
      .sort((a, b) => b.title.length - a.title.length),
  );

  async load(): Promise<void> {
    const lang = settings.lang;
    if (this.lang === lang) return;
    this.lang = lang;
    const pages = await get<RulePage[]>(`/api/rules?lang=${lang}`);
    if (settings.lang === lang) this.pages = pages;
  }

  /** Chapters and rulings, fetched when somebody reads them; a busy server is asked again. */
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

  async loadChoices(): Promise<void> {
    if (this.regulations) return;
    const [regulations, opponents] = await Promise.all([
      get<Regulations>("/api/regulations"),
      get<Opponent[]>("/api/levels"),
    ]);
    this.regulations = regulations;
    this.opponents = opponents;
  }

  action(id: string): RulePage | undefined {
    return this.byId.get(`action:${id.replace(/@$/, "")}`);
  }

  title(id: string): string {
    return this.action(id)?.title ?? id;
  }

  /** The trump a card is. */
  trumpOf(card: string): RulePage | undefined {
    const text = sign(card);
    return this.trumps.find((page) => page.facts.some((fact) => fact.text === text));
  }

  /** The signs of what an action costs, and the words for them. */
  costOf(id: string): Cost | null {
    const fact = this.action(id)?.facts.find((one) => one.text.startsWith("$"));
    const found = fact ? /^\$(\S+?)\s*[（(](.*)[）)]$/.exec(fact.text) : null;
    return found ? { signs: found[1] ?? "", words: found[2] ?? "" } : null;
  }

  /** What an action does, in a line. */
  lineOf(id: string): string {
    return this.action(id)?.clauses[0] ?? "";
  }

  opponent(id: string): Opponent | undefined {
    return this.opponents.find((one) => one.id === id);
  }

  levelName(id: string): string {
    return this.opponent(id)?.[settings.lang] ?? id;
  }

  /** How a computer opponent plays, in a line. */
  levelLine(id: string): string {
    return this.opponent(id)?.[`line_${settings.lang}`] ?? "";
  }

  /** A regulation's text with names: マスター+ランダム40. */
  regulation(text: string): string {
    const all = this.regulations;
    if (!all) return text;
    const parts = [...all.formats, ...all.frames, ...all.options];
    return text
      .split("+")
      .map((id) => parts.find((part) => part.id === id)?.[settings.lang] ?? id)
      .join("+");
  }

  /** The pieces of a log line; those that name a rule carry its key. */
  pieces(text: string): { text: string; key?: string }[] {
    for (const { title, key } of this.titles) {
      const at = text.indexOf(title);
      if (at < 0) continue;
      const before = text.slice(0, at);
      const after = text.slice(at + title.length);
      if (/[A-Za-z]$/.test(before) || /^[a-z]/.test(after)) continue;
      return [...(before ? [{ text: before }] : []), { text: title, key }, ...(after ? [{ text: after }] : [])];
    }
    return [{ text }];
  }
}

export const rules = new Rules();
