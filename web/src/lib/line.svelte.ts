// Whether the server can be reached, as far as the page can tell: what the browser says, and how the last request went.
export const line = $state<{ cut: boolean }>({ cut: !navigator.onLine });

addEventListener("offline", () => (line.cut = true));
addEventListener("online", () => (line.cut = false));
