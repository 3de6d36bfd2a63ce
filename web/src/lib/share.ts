// Links that leave the page.
import { t } from "./i18n.svelte";

export async function toClipboard(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false; // no permission, or no secure origin: the link is on the screen to be copied by hand
  }
}

/** The system's own sheet where there is one, else the clipboard. */
export async function share(url: string): Promise<boolean> {
  if (!navigator.share) return toClipboard(url);
  await navigator.share({ url, title: t("title") }).catch(() => {});
  return true;
}
