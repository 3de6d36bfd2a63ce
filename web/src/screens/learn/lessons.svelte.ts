// The lessons from the server, in the current language.
import { get } from "../../core/http";
import type { LessonPage, SchoolPage } from "../../core/protocol";
import { settings } from "../../core/settings.svelte";

class School {
  page = $state.raw<SchoolPage | null>(null);
  /** error message */
  problem = $state("");
  private lang = "";
  private coming: Promise<void> = Promise.resolve();

  load(): Promise<void> {
    const lang = settings.lang;
    if (this.lang !== lang) {
      this.lang = lang;
      this.coming = this.fetch(lang);
    }
    return this.coming;
  }

  private async fetch(lang: string): Promise<void> {
    try {
      this.page = await get<SchoolPage>(`/api/school?lang=${lang}`);
      this.problem = "";
    } catch (error) {
      this.lang = "";
      this.problem = (error as Error).message;
    }
  }

  lesson(id: string): Promise<LessonPage> {
    return get<LessonPage>(`/api/school/${id}?lang=${settings.lang}`);
  }
}

export const school = new School();
