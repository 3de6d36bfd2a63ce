// The HTTP API. Errors contain a message in the reader's language.
import { BASE } from "./base_path";
import type { Problem } from "./protocol";
import { checkConnection } from "./connectivity.svelte";
import { settings } from "./settings.svelte";

export class ApiError extends Error {
  constructor(
    readonly problem: Problem,
    readonly status: number,
  ) {
    super(settings.lang === "ja" ? problem.ja : problem.en);
  }
}

/** the server did not answer: status 0 */
const OFFLINE: Problem = {
  code: "offline",
  ja: "サーバーにつながりません。通信を確かめて、もう一度お試しください。",
  en: "The server cannot be reached. Check the connection and try again.",
};

/** status codes of a proxy without its server */
const GATEWAY = [502, 504];

type Handler = (method: string, path: string, body: string) => Promise<Response>;
let handler: Handler | null = null;
/** Answer requests with this instead of the server: a static page runs its own engine. */
export function replaceServer(by: Handler): void {
  handler = by;
}

async function request(method: string, path: string, body?: unknown): Promise<Response> {
  const text = body === undefined ? null : JSON.stringify(body);
  if (handler) return handler(method, path, text ?? "");
  const answer = await fetch(BASE + path, {
    method,
    headers: text === null ? {} : { "content-type": "application/json" },
    body: text,
  }).catch(() => null);
  if (answer && !GATEWAY.includes(answer.status)) return answer;
  void checkConnection();
  throw new ApiError(OFFLINE, 0);
}

async function call<T>(method: string, path: string, body?: unknown): Promise<T> {
  const answer = await request(method, path, body);
  const data: unknown = await answer.json();
  if (!answer.ok) throw new ApiError(data as Problem, answer.status);
  return data as T;
}

export const get = <T>(path: string): Promise<T> => call<T>("GET", path);
/** Return a printable sheet as HTML. */
export async function sheet(path: string, body?: unknown): Promise<string> {
  const answer = await request(body === undefined ? "GET" : "POST", path, body);
  const text = await answer.text();
  if (!answer.ok) throw new ApiError(JSON.parse(text) as Problem, answer.status);
  return text;
}
export const post = <T>(path: string, body?: unknown): Promise<T> => call<T>("POST", path, body);
