// The lessons of an edition from the server, in the current language.
import { get } from "../../core/http";
import type { LessonPage, SchoolPage } from "../../core/protocol";
import { EDITIONS, editionOf, type EditionId } from "../../core/regulation";
import { settings } from "../../core/settings.svelte";

class School {
  page = $state.raw<SchoolPage | null>(null);
  /** error message */
  problem = $state("");
  /** what the page was asked for */
  private query = "";
  private coming: Promise<void> = Promise.resolve();

  /** Load the lessons of an edition; without one, of the chosen edition. */
  load(edition: EditionId = editionOf(settings.regulation)): Promise<void> {
    const query = `lang=${settings.lang}${edition === EDITIONS[0] ? "" : `&edition=${edition}`}`;
    if (this.query !== query) {
      this.query = query;
      this.coming = this.fetch(query);
    }
    return this.coming;
  }

  private async fetch(query: string): Promise<void> {
    try {
      const page = await get<SchoolPage>(`/api/school?${query}`);
      if (this.query !== query) return;
      this.page = page;
      this.problem = "";
    } catch (error) {
      if (this.query === query) this.query = "";
      this.problem = (error as Error).message;
    }
  }

  lesson(id: string): Promise<LessonPage> {
    return get<LessonPage>(`/api/school/${id}?lang=${settings.lang}`);
  }
}

export const school = new School();
