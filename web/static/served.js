// Service worker of a server's page: the whole page of one version, and what was read of the rules, lessons, puzzles and
// records. Games need the server: nothing of them is stored. The network comes first wherever it can answer, so that a new
// version of the server is seen at once; the files of the old version stay until its last tab is closed.
const VERSION = "VERSION";
const FILES = ["FILES"];
const scope = new URL(registration.scope).pathname;
const prefix = `blackpoker server ${scope} `;
const mine = prefix + VERSION;
const reading = `blackpoker reading ${scope}`;
// what may be read without a network; everything else is of a game, an account, or of this moment
const READABLE = /^api\/(rules|rulebook|quick-start|school|puzzles|regulations|levels|records)(\/|\?|$)/;
// more answers than this are not kept, the oldest go first
const MOST_ANSWERS = 400;
// a server that is busy is asked again this often
const MOST_REPEATS = 5;
// seconds until a stored answer replaces one that does not come
const PATIENCE = 4;

addEventListener("install", (event) => {
  const wanted = FILES.map((file) => new Request(file, /^assets\//.test(file) ? {} : { cache: "no-cache" }));
  event.waitUntil(caches.open(mine).then((cache) => cache.addAll(wanted)));
});

addEventListener("activate", (event) => {
  const old = caches.keys().then((names) => names.filter((name) => name.startsWith(prefix) && name !== mine));
  event.waitUntil(old.then((names) => Promise.all(names.map((name) => caches.delete(name)))).then(() => clients.claim()));
});

// The page names what it wants to be readable later; signing out removes what was read.
addEventListener("message", (event) => {
  if (event.data === "forget") event.waitUntil(caches.delete(reading));
  else if (Array.isArray(event.data)) event.waitUntil(keep(event.data));
});

/** The name of a stored answer: its address without the day, which changes an answer's order but not what can be read. */
function nameOf(address) {
  const url = new URL(address, registration.scope);
  url.searchParams.delete("day");
  return url.href;
}

/** Fetch these paths one after another, unless they are stored. */
async function keep(paths) {
  const cache = await caches.open(reading);
  for (const path of paths) {
    if (!READABLE.test(path) || (await cache.match(nameOf(path)))) continue;
    let answer = await fetch(path).catch(() => null);
    for (let again = 0; answer?.status === 429 && again < MOST_REPEATS; again += 1) {
      const seconds = Number(answer.headers.get("retry-after")) || 1;
      await new Promise((resolve) => setTimeout(resolve, Math.min(seconds, 30) * 1000));
      answer = await fetch(path).catch(() => null);
    }
    if (!answer) return;
    if (answer.ok) await cache.put(nameOf(path), answer);
  }
}

/** The network's answer, or null if it takes too long or there is no network. */
function fromNetwork(request) {
  const late = new Promise((resolve) => setTimeout(resolve, PATIENCE * 1000, null));
  return Promise.race([fetch(request).catch(() => null), late]);
}

/** A page: the server's own, else the stored one, which shows what it can. */
async function page(request) {
  const cache = await caches.open(mine);
  return (await fromNetwork(request)) ?? (await cache.match("./")) ?? fetch(request);
}

/** A file of the page: its name changes with its content. */
async function file(request) {
  const cache = await caches.open(mine);
  return (await cache.match(request, { ignoreSearch: true })) ?? fetch(request);
}

/** An answer that may be read later. */
async function readable(request) {
  const cache = await caches.open(reading);
  const answer = await fromNetwork(request);
  if (!answer) return (await cache.match(nameOf(request.url))) ?? fetch(request);
  if (answer.ok) {
    await cache.put(nameOf(request.url), answer.clone());
    const kept = await cache.keys();
    await Promise.all(kept.slice(0, Math.max(0, kept.length - MOST_ANSWERS)).map((one) => cache.delete(one)));
  }
  return answer;
}

addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== location.origin || !url.pathname.startsWith(scope)) return;
  const path = url.pathname.slice(scope.length);
  if (request.mode === "navigate") {
    if (!path.startsWith("api/") && path !== "metrics") event.respondWith(page(request));
  } else if (READABLE.test(path)) event.respondWith(readable(request));
  else if (FILES.includes(path)) event.respondWith(file(request));
});
