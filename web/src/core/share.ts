// Sharing of links.
import { BASE, ORIGIN } from "./base_path";
import { get } from "./http";
import { t } from "./i18n.svelte";
import type { Health } from "./protocol";

export async function toClipboard(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false; // no permission, or no secure origin: the link on the screen can be copied by hand
  }
}

/**
 * Open the system's share dialog, with the picture if it accepts files; otherwise copy the link. Return true on
 * success.
 */
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

/** Return the origin under which others reach this server: on the server's own machine the page runs at 127.0.0.1. */
export async function publicOrigin(): Promise<string> {
  if (!/^(127\.|localhost$|\[::1\]$)/.test(location.hostname)) return ORIGIN;
  const found = await get<Health>("/api/health").catch(() => null);
  return found?.network ? found.network + BASE : ORIGIN;
}
