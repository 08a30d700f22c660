/* Keeps what a player saw last: pages under /p/ from the network first, static files from the store first.
   Anything else (the director's pages, anything posted, anything that went wrong) is none of its business. */
const STORE = "bridgebuddy-{{ version }}";

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => {
  event.waitUntil((async () => {
    for (const name of await caches.keys()) if (name.startsWith("bridgebuddy-") && name !== STORE) await caches.delete(name);
    await self.clients.claim();
  })());
});

const isPage = (url) => url.pathname.startsWith("/p/");
const isStatic = (url) => url.pathname.startsWith("/static/");
const keep = async (address, answer) => { if (answer.ok && answer.status === 200 && !answer.redirected) await (await caches.open(STORE)).put(address, answer.clone()); };

self.addEventListener("message", (event) => {
  if (!event.data || !Array.isArray(event.data.keep)) return;
  event.waitUntil(Promise.all(event.data.keep.map(async (address) => {
    const url = new URL(address, self.location.origin);
    if (url.origin !== self.location.origin || !(isPage(url) || isStatic(url))) return;
    try { await keep(url.origin + url.pathname, await fetch(url, { credentials: "same-origin" })); } catch { /* next time */ }
  })));
});

const fromNetwork = async (request, url) => {
  const address = url.origin + url.pathname;
  const isFragment = request.headers.get("HX-Request") === "true";
  try {
    const answer = await fetch(request);
    // a fragment is no page: when it brought something new, fetch the page itself for later
    if (isFragment) { if (answer.status === 200) fetch(address, { credentials: "same-origin" }).then((page) => keep(address, page)).catch(() => {}); }
    else await keep(address, answer);
    return answer;
  } catch (error) {
    const kept = isFragment ? undefined : await caches.match(address);
    if (kept) return kept;
    throw error;
  }
};

const fromStore = async (request, url) => {
  const address = url.origin + url.pathname;
  const kept = await caches.match(address);
  const fresh = fetch(request).then(async (answer) => { await keep(address, answer); return answer; });
  if (kept) { fresh.catch(() => {}); return kept; }
  return fresh;
};

self.addEventListener("fetch", (event) => {
  const url = new URL(event.request.url);
  if (event.request.method !== "GET" || url.origin !== self.location.origin) return;
  if (isPage(url)) event.respondWith(fromNetwork(event.request, url));
  else if (isStatic(url)) event.respondWith(fromStore(event.request, url));
});
