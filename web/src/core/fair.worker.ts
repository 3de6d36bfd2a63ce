// Worker that checks a game, so that the page stays responsive: the comparisons of fair_check.ts, and on demand the whole
// check by the Python of `blackpoker verify`, if this page has the verifier (web/static.py --verifier).
import { check, comparisonCode, type Line, type Opened, type Receipt } from "./fair_check";

export interface CheckRequest {
  receipt: Receipt;
  /** the receipt as a file */
  text: string;
  opened: Opened | null;
  /** path of the verifier; "": only the comparisons */
  verifier: string;
}
export interface CheckAnswer {
  lines: Line[] | null;
  code: string;
  /** the verdict of the verifier on each game, in both languages; null if it was not asked, or is not there */
  verified: Verified[] | null;
}
export interface Verified {
  verdict: "proven" | "consistent" | "broken";
  ja: string;
  en: string;
}
interface Python {
  unpackArchive(archive: ArrayBuffer, format: string, options: { extractDir: string }): void;
  runPython(code: string): unknown;
  pyimport(name: string): { verify_texts(record: string, receipt: string): string };
}

async function load(path: string): Promise<Python | null> {
  const answer = await fetch(`${path}blackpoker.pack`);
  if (!answer.ok || !answer.body) return null;
  const archive = new Response(answer.body.pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
  const { loadPyodide } = (await import(/* @vite-ignore */ `${path}pyodide.mjs`)) as {
    loadPyodide: (options: { indexURL: string }) => Promise<Python>;
  };
  const python = await loadPyodide({ indexURL: path });
  const site = python.runPython("import sysconfig; sysconfig.get_path('purelib')") as string;
  python.unpackArchive(await archive, "zip", { extractDir: site });
  return python;
}

async function verify(request: CheckRequest): Promise<Verified[] | null> {
  const { opened, text, verifier } = request;
  if (!verifier || !opened?.records.length) return null;
  const python = await load(verifier);
  const module = python?.pyimport("blackpoker.server.fairness.page_verifier");
  return module ? opened.records.map((record) => JSON.parse(module.verify_texts(record, text)) as Verified) : null;
}

onmessage = async (event: MessageEvent<CheckRequest>) => {
  const { receipt, opened } = event.data;
  const lines = opened ? check(receipt, opened) : null;
  const verified = await verify(event.data).catch(() => null);
  postMessage({ lines, code: comparisonCode(receipt), verified } satisfies CheckAnswer);
};
