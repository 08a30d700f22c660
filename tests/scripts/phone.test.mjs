/* What every page of a player's decides: whether something waits on the phone, and what a failed poll means: phone.js. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Clock, database, load, same, settle, textStorage } from "./loading.mjs";

const element = (more = {}) => ({
  dataset: {}, hidden: false, textContent: "", setAttribute() {}, prepend() {}, hasAttribute: () => false, classList: { add() {} },
  ...more,
});

/* A page of a plan. `elements` by their ids; the scripts that it loads stand in `loaded`. */
const page = (given = {}) => {
  const clock = new Clock();
  const handlers = new Map();
  const listen = (name, does) => handlers.set(name, [...(handlers.get(name) ?? []), does]);
  const elements = { letters: element(), offline: element({ hidden: true }), live: element({ dataset: { version: "4" } }) };
  const found = { clock, elements, loaded: [], reloads: 0, renewed: 0, asked: [] };
  const letters = elements.letters;
  const storage = (texts) => Object.assign(textStorage(), texts);
  const fakes = {
    clock, letters, indexedDB: database(), navigator: {}, htmx: { trigger() {} }, scrollTo() {},
    sessionStorage: storage(given.sessionStorage), localStorage: storage(given.localStorage),
    location: { pathname: "/p/ABC234/NS1/", origin: "http://club.test", reload: () => { found.reloads += 1; } },
    addEventListener: listen,
    document: {
      currentScript: { src: "/static/js/phone.js?v=1" }, hidden: false, addEventListener: listen,
      documentElement: element(), querySelector: (query) => elements[query.slice(1)] ?? null,
      getElementById: (id) => elements[id] ?? null,
      createElement: () => element(),
      head: { append: (script) => { found.loaded.push(script.src); script.onload(); } },
    },
    ...given.fakes,
  };
  Object.assign(letters, { tell() {}, look: undefined });
  fakes.window = { addEventListener: listen };
  found.scope = load(["phone.js"], fakes);
  found.fire = (name, event = {}) => { for (const does of handlers.get(name) ?? []) does(event); };
  return found;
};
const silent = () => Object.assign(database(), { mode: "silent" });
/* A browser in which no store was ever made: asking makes one, which is given up. */
const noStore = () => ({
  open: () => {
    const asked = { transaction: { abort: () => queueMicrotask(() => asked.onerror()) } };
    queueMicrotask(() => asked.onupgradeneeded());
    return asked;
  },
});
const BOTH = ["/static/js/letters.js?v=1", "/static/js/waiting.js?v=1"];

test("what sends letters is loaded only where a letter may wait", async () => {
  const cases = [
    ["no store", { fakes: { indexedDB: noStore() } }, []],
    ["a store", { fakes: { indexedDB: database() } }, BOTH],
    ["a second copy", { fakes: { indexedDB: noStore() }, localStorage: { unsent: '[["k",{}]]' } }, BOTH],
    ["an empty list of copies", { fakes: { indexedDB: noStore() }, localStorage: { unsent: "[]" } }, []],
    ["a letter of the tab", { fakes: { indexedDB: noStore() }, sessionStorage: { letters: '[["k",{}]]' } }, BOTH],
    ["no IndexedDB at all", { fakes: { indexedDB: undefined } }, BOTH],
  ];
  for (const [words, given, loaded] of cases) {
    const found = page(given);
    found.scope.letters.look = undefined;
    found.fire("pageshow", {});
    await settle();
    same(found.loaded.slice(0, 1), loaded.slice(0, 1), words);
  }
});

test("a store that answers nothing is given up after four seconds, and what sends letters is loaded", async () => {
  const found = page({ fakes: { indexedDB: silent() } });
  found.fire("pageshow", {});
  await found.clock.pass(3_999);
  same(found.loaded, []);
  await found.clock.pass(1);
  assert.equal(found.loaded[0], BOTH[0]);
});

test("only an answer that is not our server's, or none, reads as no connection", () => {
  const ours = '<main class="phone" id="main">';
  const cases = [
    [403, ours, { isOffline: false, reloads: 1 }],
    [404, ours, { isOffline: false, reloads: 1 }],
    [410, ours, { isOffline: false, reloads: 1 }],
    [403, "<h1>Welcome to our Wi-Fi</h1>", { isOffline: true, reloads: 0 }],
    [410, "", { isOffline: true, reloads: 0 }],
    [429, ours, { isOffline: false, reloads: 0 }],
    [502, "<h1>Bad gateway</h1>", { isOffline: true, reloads: 0 }],
  ];
  for (const [status, responseText, expected] of cases) {
    const found = page();
    found.fire("htmx:responseError", { detail: { xhr: { status, responseText } } });
    same({ isOffline: !found.elements.offline.hidden, reloads: found.reloads }, expected, `${status} ${responseText}`);
  }
  for (const name of ["htmx:sendError", "htmx:timeout"]) {
    const found = page();
    found.fire(name);
    assert.equal(found.elements.offline.hidden, false, name);
  }
});

test("a table's page exchanges itself instead of being loaded anew", () => {
  const found = page({ fakes: { tables: { renew: () => { found.renewed += 1; } } } });
  found.fire("htmx:responseError", { detail: { xhr: { status: 403, responseText: 'id="main"' } } });
  same([found.renewed, found.reloads], [1, 0]);
});
