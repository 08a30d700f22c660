/* What the service worker keeps, and what it answers without a network: sw.js. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Clock, load, same, settle } from "./loading.mjs";

const HOME = "http://club.test";
const TABLE = "/p/ABC234/table/1/";
const LIST = "/p/ABC234/";
const BOARD = `${TABLE}board/7/`;

/* The browser's caches, in the order in which they were opened first. */
const cacheStorage = () => {
  const stores = new Map();
  const pathOf = (request) => {
    const url = new URL(request.url ?? request, HOME);
    return url.pathname + url.search;
  };
  const plain = (path) => path.split("?")[0];
  const storeOf = (kept) => ({
    kept,
    match: async (request, { ignoreSearch = false } = {}) => {
      const path = pathOf(request);
      const key = [...kept.keys()].find((other) => (ignoreSearch ? plain(other) === plain(path) : other === path));
      return kept.get(key)?.clone();
    },
    put: async (request, answer) => { kept.set(pathOf(request), answer); },
    add: async (path) => { kept.set(path, new Response(`file ${path}`)); },
    addAll: async (paths) => { for (const path of paths) kept.set(path, new Response(`file ${path}`)); },
    delete: async (request) => kept.delete(pathOf(request)),
    keys: async () => [...kept.keys()].map((path) => ({ url: HOME + path })),
  });
  const open = async (name) => {
    if (!stores.has(name)) stores.set(name, new Map());
    return storeOf(stores.get(name));
  };
  const match = async (request, options) => {
    for (const kept of stores.values()) {
      const found = await storeOf(kept).match(request, options);
      if (found) return found;
    }
    return undefined;
  };
  return { stores, open, match, keys: async () => [...stores.keys()], delete: async (name) => stores.delete(name) };
};

const page = (words, options = {}) => {
  const text = `<html lang="en"><main id="main">${words}</main>`;
  const answer = new Response(text, { headers: { Date: new Date().toUTCString() }, ...options });
  Object.defineProperty(answer, "type", { value: "basic" });
  const { clone } = answer;
  answer.clone = () => Object.defineProperty(clone.call(answer), "type", { value: "basic" });
  return answer;
};

/* A worker of a version. `network` is what the server answers by path; nothing where the wire is cut. */
const worker = (version, caches = cacheStorage(), clock = new Clock()) => {
  const handlers = new Map();
  const found = { caches, clock, network: {}, letters: { left: 0 }, asked: [] };
  found.scope = load(["sw.js"], {
    clock, caches, VERSION: version, OF_TABLES: [`/static/js/tables.js?v=${version}`],
    FILES: [`/static/js/phone.js?v=${version}`, "/static/fonts/phone.woff2"],
    letters: { sendAll: async () => found.letters },
    location: { origin: HOME }, clients: { claim: async () => undefined }, skipWaiting: async () => undefined,
    addEventListener: (name, does) => handlers.set(name, does),
    fetch: async (request) => {
      const url = new URL(request.url ?? request, HOME);
      const answer = found.network?.[url.pathname];
      found.asked.push(url.pathname);
      if (answer === "never") return new Promise(() => undefined);
      if (!answer) throw new TypeError("no network");
      return answer();
    },
    Response: Object.assign(class extends Response {}, {
      error: () => "browser's error", redirect: (to, status) => `${status} to ${to}`,
    }),
  });
  const fire = async (name, event) => {
    let waits;
    handlers.get(name)({ waitUntil: (promise) => { waits = promise; }, ...event });
    await waits;
  };
  const messages = [];
  return Object.assign(found, {
    messages,
    install: () => fire("install", {}),
    activate: () => fire("activate", {}),
    tell: (data) => fire("message", { data, source: { postMessage: (told) => messages.push(told) } }),
    sync: (tag) => fire("sync", { tag }),
    /* What it answers to a request: nothing where the browser is to ask by itself. */
    answer: async (path, { mode = "navigate", method = "GET", wait = 0, origin = HOME } = {}) => {
      let given;
      handlers.get("fetch")({ request: { url: origin + path, mode, method }, respondWith: (value) => { given = value; } });
      if (!given) return undefined;
      let answer = "no answer yet";
      given.then((value) => { answer = value; }, (error) => { answer = error.message; });
      await settle();
      if (wait) await clock.pass(wait);
      return answer.text ? answer.text() : answer;
    },
  });
};
const keptIn = async ({ caches }) => [...caches.stores.get("bridgebuddy-pages")?.keys() ?? []].sort();
const cut = (found) => { found.network = null; };
const OF_TABLE = { [TABLE]: () => page("table"), [LIST]: () => page("list"), [BOARD]: () => page("board") };

test("a page comes from the network first, and is kept for the time without one, marked as a copy", async () => {
  const found = worker("v1");
  found.network = OF_TABLE;
  assert.equal(await found.answer(TABLE), '<html lang="en"><main id="main">table</main>');
  cut(found);
  assert.equal(await found.answer(TABLE), '<html data-copy lang="en"><main id="main">table</main>');
});

test("a request that never ends is answered with the copy after four seconds", async () => {
  const found = worker("v1");
  found.network = OF_TABLE;
  await found.answer(TABLE);
  found.network = { [TABLE]: "never" };
  assert.equal(await found.answer(TABLE, { wait: 3_999 }), "no answer yet");
  assert.match(await found.answer(TABLE, { wait: 4_000 }), /data-copy/);
});

test("a server or a proxy in trouble is answered with the copy", async () => {
  const found = worker("v1");
  found.network = OF_TABLE;
  await found.answer(TABLE);
  found.network = { [TABLE]: () => page("trouble", { status: 500 }) };
  assert.match(await found.answer(TABLE), /data-copy.*table/);
  found.network = { [TABLE]: () => page("who are you?", { status: 403 }) };
  assert.match(await found.answer(TABLE), /who are you/);
});

test("only our own pages that are whole are kept, and only those of a plan or a table", async () => {
  const found = worker("v1");
  found.network = {
    [TABLE]: () => new Response("<h1>Welcome to our Wi-Fi</h1>"), [LIST]: () => page("error", { status: 404 }),
    [BOARD]: () => page("board"), "/p/ABC234/privacy/now/": () => page("privacy"), "/director/": () => page("desk"),
  };
  for (const path of [TABLE, LIST, BOARD, `${BOARD}?new=1`, "/p/ABC234/privacy/now/"]) await found.answer(path);
  assert.equal(await found.answer("/director/"), undefined);
  same(await keptIn(found), [BOARD]);
});

test("what is sent, what is another site's and what is no page of a session is the browser's own business", async () => {
  const found = worker("v1");
  assert.equal(await found.answer(TABLE, { method: "POST" }), undefined);
  assert.equal(await found.answer(TABLE, { method: "HEAD" }), undefined);
  assert.equal(await found.answer(TABLE, { mode: "cors" }), undefined);
  assert.equal(await found.answer(TABLE, { origin: "http://elsewhere.test" }), undefined);
  assert.equal(await found.answer("/static/js/other.js", { mode: "no-cors" }), undefined);
});

test("without a page of its own a session's list is shown, and without that the browser's error", async () => {
  const found = worker("v1");
  cut(found);
  assert.equal(await found.answer(TABLE), "no network");
  assert.equal(await found.answer(`${TABLE}?whose=`), "browser's error");
  found.network = OF_TABLE;
  await found.answer(LIST);
  cut(found);
  assert.equal(await found.answer(TABLE), `303 to ${LIST}`);
  assert.equal(await found.answer(`${TABLE}?whose=`), `303 to ${LIST}`);
});

test("a code that has ended removes its session's pages and no other's", async () => {
  const found = worker("v1");
  const other = "/p/XYZ789/";
  found.network = { ...OF_TABLE, [other]: () => page("another club") };
  for (const path of [TABLE, LIST, BOARD, other]) await found.answer(path);
  found.network = { [TABLE]: () => page("over", { status: 410 }) };
  assert.match(await found.answer(TABLE), /over/);
  same(await keptIn(found), [other]);
});

test("the keys of boards that a page hands over are kept, and nothing that is no page of a table", async () => {
  const found = worker("v1");
  for (const path of [BOARD, `${TABLE}round/2/board/9/`, `${TABLE}pads/`, "/director/", "/p/ABC234/table/1/who/"]) {
    await found.tell({ keep: path, text: "<html >keys</html>" });
  }
  same(await keptIn(found), [`${TABLE}pads/`, BOARD, `${TABLE}round/2/board/9/`].sort());
  cut(found);
  assert.equal(await found.answer(BOARD), "<html data-copy >keys</html>");
});

test("a page that is to be kept is fetched with what leads back to it, and the page is told", async () => {
  const found = worker("v1");
  found.network = OF_TABLE;
  await found.tell({ keep: BOARD, version: "17" });
  same(await keptIn(found), [LIST, BOARD, TABLE].sort());
  same(found.messages, [{ kept: BOARD, version: "17" }]);
  assert.ok(found.caches.stores.get("bridgebuddy-v1").has("/static/js/tables.js?v=v1"));

  cut(found);
  await found.tell({ keep: BOARD, version: "18" });
  assert.equal(found.messages.length, 1);
});

test("a new version of the program keeps every page, with the files that they name", async () => {
  const first = worker("v1");
  await first.install();
  first.network = OF_TABLE;
  await first.tell({ keep: TABLE, version: "1" });
  await first.tell({ keep: BOARD, text: "<html >keys</html>" });
  const before = await keptIn(first);
  assert.equal(before.length, 3);

  const second = worker("v2", first.caches);
  await second.install();
  await second.activate();
  cut(second);

  same(await keptIn(second), before);
  for (const path of before) assert.match(await second.answer(path), /data-copy/);
  for (const version of ["v1", "v2"]) {
    const address = `/static/js/phone.js?v=${version}`;
    assert.equal(await second.answer(address, { mode: "no-cors" }), `file ${address}`);
  }
  assert.equal(await second.answer("/static/js/tables.js?v=v1", { mode: "no-cors" }), "file /static/js/tables.js?v=v1");
});

test("after two new versions a page opens with the files of now", async () => {
  const first = worker("v1");
  await first.install();
  await first.tell({ keep: BOARD, text: "<html >keys</html>" });
  let last = first;
  for (const version of ["v2", "v3"]) {
    last = worker(version, first.caches);
    await last.install();
    await last.activate();
  }
  cut(last);
  same(await last.caches.keys(), ["bridgebuddy-pages", "bridgebuddy-v2", "bridgebuddy-v3"].sort());
  assert.match(await last.answer(BOARD), /keys/);
  assert.equal(await last.answer("/static/js/phone.js?v=v1", { mode: "no-cors" }), "file /static/js/phone.js?v=v3");
});

test("pages that an older program kept beside its files are taken over, and pages older than a week let go", async () => {
  const caches = cacheStorage();
  const clock = new Clock();
  const old = await caches.open("bridgebuddy-old");
  const dated = (days) => page("table", { headers: { Date: new Date(clock.now - days * 864e5).toUTCString() } });
  await old.put(TABLE, dated(0));
  await old.put(BOARD, dated(6.9));
  await old.put(LIST, dated(7.1));
  await old.put("/static/js/phone.js?v=old", new Response("file"));
  await caches.open("somebody-elses");

  const found = worker("v2", caches, clock);
  await found.install();
  await found.activate();

  same(await keptIn(found), [TABLE, BOARD].sort());
  same((await caches.keys()).sort(), ["bridgebuddy-old", "bridgebuddy-pages", "bridgebuddy-v2", "somebody-elses"]);
});

test("the browser is told to try again as long as letters are left", async () => {
  const found = worker("v1");
  await found.sync("letters");
  found.letters = { left: 1 };
  await assert.rejects(found.sync("letters"), /letters are left/);
  await found.sync("somebody else's");
});
