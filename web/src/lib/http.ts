// The HTTP API. A refusal is told in the reader's language.
import type { Problem } from "./protocol";
import { line } from "./line.svelte";
import { settings } from "./settings.svelte";

export class Refused extends Error {
  constructor(
    readonly problem: Problem,
    readonly status: number,
  ) {
    super(settings.lang === "ja" ? problem.ja : problem.en);
  }
}

/** nobody answered: a status of 0 */
const OFFLINE: Problem = {
  code: "offline",
  ja: "サーバーにつながりません。通信を確かめて、もう一度お試しください。",
  en: "The server cannot be reached. Check the connection and try again.",
};

async function call<T>(method: string, path: string, body?: unknown): Promise<T> {
  let answer: Response;
  try {
    answer = await fetch(path, {
      method,
      headers: body === undefined ? {} : { "content-type": "application/json" },
      body: body === undefined ? null : JSON.stringify(body),
    });
  } catch {
    line.cut = true;
    throw new Refused(OFFLINE, 0);
  }
  line.cut = false;
  const data: unknown = await answer.json();
  if (!answer.ok) throw new Refused(data as Problem, answer.status);
  return data as T;
}

export const get = <T>(path: string): Promise<T> => call<T>("GET", path);
export const post = <T>(path: string, body: unknown): Promise<T> => call<T>("POST", path, body);
