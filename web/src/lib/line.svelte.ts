// Whether the server can be reached, as far as the page can tell: what the browser says, and how the last request went.
import { STATIC } from "./base";

// A static page asks nobody.
export const line = $state<{ cut: boolean }>({ cut: !STATIC && !navigator.onLine });

addEventListener("offline", () => (line.cut = !STATIC));
addEventListener("online", () => (line.cut = false));
