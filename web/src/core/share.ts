// Links that leave the page.
import { BASE, ORIGIN } from "./base_path";
import { get } from "./http";
import { t } from "./i18n.svelte";
import type { Health } from "./protocol";

export async function toClipboard(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false; // no permission, or no secure origin: the link is on the screen to be copied by hand
  }
}

/** The system's own sheet where there is one, with the picture where it takes one; else the clipboard. */
export async function share(url: string, picture = ""): Promise<boolean> {
  if (!navigator.share) return toClipboard(url);
  const files = picture ? await file(picture).catch(() => []) : [];
  const whole = { url, title: t("title"), files };
  await navigator.share(files.length && navigator.canShare(whole) ? whole : { url, title: t("title") }).catch(() => {});
  return true;
}
async function file(path: string): Promise<File[]> {
  const found = await fetch(path);
  return found.ok ? [new File([await found.blob()], "blackpoker.png", { type: "image/png" })] : [];
}

/** Where others find this server: somebody who opened the page on the server's own machine sees 127.0.0.1. */
export async function publicOrigin(): Promise<string> {
  if (!/^(127\.|localhost$|\[::1\]$)/.test(location.hostname)) return ORIGIN;
  const found = await get<Health>("/api/health").catch(() => null);
  return found?.network ? found.network + BASE : ORIGIN;
}
