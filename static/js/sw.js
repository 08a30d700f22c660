/* Keeps the last plan for the time without a network. VERSION, FILES and OF_TABLES stand before this text: the version
   is another one whenever a file changes, and with it the store of files. Pages of a session come from the network
   first, the files from their store first; those of tables' pages are fetched with the first of these, so that phones
   without result entry do not load them. Everything else (the director's pages, anything sent, anything with a question
   mark, anything that went wrong) is never kept. */
const STORE = `bridgebuddy-${VERSION}`;
const PAGES = "bridgebuddy-pages"; // a new version of the program keeps the pages of an evening
const PLAN = /^\/p\/[A-Z0-9]{6}\/([^/]+\/|table\/\d+\/((round\/\d+\/)?board\/\d+\/|pads\/)?)?$/i;
const OF_SESSION = /^\/p\/[A-Z0-9]{6}\//i;
const AT_TABLE = /^\/p\/[A-Z0-9]{6}\/table\/\d+\//i;
const NAMES = new Set([...FILES, ...OF_TABLES].map((address) => address.split("?")[0]));
const PATIENCE = 4000; // milliseconds until a copy is better than waiting

const after = (milliseconds) => new Promise((resolve) => { setTimeout(resolve, milliseconds); });

const keepFilesOfTables = async () => {
  const store = await caches.open(STORE);
  for (const name of OF_TABLES) if (!(await store.match(name))) await store.add(name);
};

const GONE = 410; // the code has ended: names are not read any more, here neither

const forget = async (path) => {
  const store = await caches.open(PAGES);
  const ofSession = path.split("/").slice(0, 3).join("/");
  for (const kept of await store.keys()) {
    if (new URL(kept.url).pathname.startsWith(`${ofSession}/`)) await store.delete(kept);
  }
};

/* A page of ours, not of a proxy in trouble: those have no such part. */
const isOurs = async (answer) => (await answer.text()).includes('id="main"');

const put = async (path, answer) => {
  if (answer.status === GONE) await forget(path);
  if (!answer.ok || answer.redirected || answer.type !== "basic" || !await isOurs(answer.clone())) return false;
  await (await caches.open(PAGES)).put(path, answer.clone());
  return true;
};

/* The kept page, marked as a copy: only so can it know that it may be old. */
const copy = async (path) => {
  const kept = await (await caches.open(PAGES)).match(path);
  if (!kept) return undefined;
  const headers = new Headers(kept.headers);
  for (const name of ["Content-Encoding", "Content-Length"]) headers.delete(name);
  return new Response((await kept.text()).replace("<html ", "<html data-copy "), { headers });
};

/* "Where do I play?" of a page's session: the fallback for pages not on this phone. */
const listOf = (path) => `${path.split("/").slice(0, 3).join("/")}/`;

const toList = async (path) => {
  const list = listOf(path);
  const isKept = list !== path && await (await caches.open(PAGES)).match(list);
  return isKept ? Response.redirect(list, 303) : undefined;
};

/* Where the keys of a board lead back to, and the list: whoever pressed a board at once has left its table's page
   before there was a worker to keep it. */
const keepAbove = async (path) => {
  const store = await caches.open(PAGES);
  for (const above of [AT_TABLE.exec(path)?.[0] ?? path, listOf(path)]) {
    if (!(await store.match(above))) await put(above, await fetch(above));
  }
};

const page = async (request, path) => {
  const network = fetch(request).then(async (answer) => { await put(path, answer); return answer; });
  network.catch(() => undefined); // the caller handles its error
  const answer = await Promise.race([network, after(PATIENCE)]).catch(() => undefined);
  if (answer && answer.status < 500) return answer;
  return (await copy(path)) ?? (await toList(path)) ?? network;
};

/* The kept plan or list of the session, for its other pages: better than the browser's error. */
const other = (request, path) => fetch(request)
  .catch(async () => (await copy(path)) ?? (await toList(path)) ?? Response.error());

/* A page kept by a version before names that version's files; without a network those of now are better than none. */
const kept = async (request, options) =>
  (await (await caches.open(STORE)).match(request, options)) ?? caches.match(request, options);
const file = async (request) => (await kept(request)) ?? fetch(request)
  .catch(async () => (await kept(request, { ignoreSearch: true })) ?? Response.error());

const WEEK = 7 * 24 * 60 * 60 * 1000;

/* Take over the pages of stores in which they lay beside the files, and let go of those older than a week. */
const takeOver = async (names) => {
  const pages = await caches.open(PAGES);
  for (const name of names) {
    const store = await caches.open(name);
    for (const request of await store.keys()) {
      const isPage = PLAN.test(new URL(request.url).pathname);
      if (isPage && !(await pages.match(request))) await pages.put(request, await store.match(request));
    }
  }
  for (const request of await pages.keys()) {
    const date = (await pages.match(request)).headers.get("Date");
    if (date && Date.now() - Date.parse(date) > WEEK) await pages.delete(request);
  }
};

self.addEventListener("install", (event) => {
  event.waitUntil(caches.open(STORE).then((store) => store.addAll(FILES)).then(() => self.skipWaiting()));
});

self.addEventListener("activate", (event) => {
  event.waitUntil((async () => {
    const ours = (await caches.keys()).filter((name) => name.startsWith("bridgebuddy-"));
    const older = ours.filter((name) => name !== STORE && name !== PAGES);
    await takeOver(older);
    // the kept pages were made with the files of the version before: its store is the last of the older ones
    for (const name of older.slice(0, -1)) await caches.delete(name);
    await self.clients.claim();
  })());
});

self.addEventListener("message", (event) => {
  const { keep: path, version, text } = event.data;
  if (path === "letters") event.waitUntil(keepFilesOfTables().catch(() => { /* the next page will try again */ }));
  if (!PLAN.test(path)) return;
  if (text) {
    const headers = { "Content-Type": "text/html; charset=utf-8", Date: new Date().toUTCString() };
    const page = new Response(text, { headers });
    event.waitUntil(caches.open(PAGES).then((store) => store.put(path, page)));
    return;
  }
  const files = AT_TABLE.test(path) ? keepFilesOfTables() : Promise.resolve();
  event.waitUntil(files.then(() => fetch(path)).then((answer) => put(path, answer)).then(
    async (isKept) => {
      if (!isKept) return;
      event.source.postMessage({ kept: path, version });
      await keepAbove(path).catch(() => { /* no network: the next change will try again */ });
    },
    () => { /* no network: the next change will try again */ },
  ));
});

/* The network is back, and no page of ours may be open: the browser tries waiting letters again later. */
self.addEventListener("sync", (event) => {
  // eslint-disable-next-line members/supported -- a browser that does not know the event sends none
  if (event.tag !== "letters") return;
  event.waitUntil(self.letters.sendAll().then(({ left }) => { if (left) throw new Error("letters are left"); }));
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== self.location.origin) return;
  if (request.mode === "navigate" && !url.search && PLAN.test(url.pathname)) {
    event.respondWith(page(request, url.pathname));
  } else if (request.mode === "navigate" && OF_SESSION.test(url.pathname)) {
    event.respondWith(other(request, url.pathname));
  } else if (NAMES.has(url.pathname)) event.respondWith(file(request));
});
