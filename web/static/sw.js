// Keeps the whole page for days without a network: all files of one version, in a cache of their own. A new version is
// fetched whole beside it and takes over when nobody uses the old one any more, or when somebody asks for it.
const VERSION = "VERSION";
const FILES = ["FILES"];
const scope = new URL(registration.scope).pathname;
const prefix = `blackpoker ${scope} `;
const mine = prefix + VERSION;

addEventListener("install", (event) => {
  const wanted = FILES.map((file) => new Request(file, /^(assets|engine|data)\//.test(file) ? {} : { cache: "no-cache" }));
  event.waitUntil(caches.open(mine).then((cache) => cache.addAll(wanted)));
});

addEventListener("activate", (event) => {
  const old = caches.keys().then((names) => names.filter((name) => name.startsWith(prefix) && name !== mine));
  event.waitUntil(old.then((names) => Promise.all(names.map((name) => caches.delete(name)))).then(() => clients.claim()));
});

addEventListener("message", (event) => event.data === "now" && skipWaiting());

/** From the cache; what is not of the page comes from the network. */
async function answer(request, file) {
  const cache = await caches.open(mine);
  return (await cache.match(file, { ignoreSearch: true })) ?? fetch(request);
}

addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== location.origin || !url.pathname.startsWith(scope)) return;
  const path = url.pathname.slice(scope.length);
  if (request.mode === "navigate") {
    const home = path === "" || path === "index.html";
    const room = `${scope}?go=${encodeURIComponent(`/${path}${url.search}`)}`;
    event.respondWith(home ? answer(request, "./") : Response.redirect(room));
  } else if (path === "static.json") event.respondWith(fetch(request).catch(() => answer(request, path)));
  else event.respondWith(answer(request, request));
});
