/* What the table's phone works out by itself: tables.js. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { Clock, load, same, settle } from "./loading.mjs";

const TABLE = "/p/ABC234/table/1/";

/* An element with what the script asks of it. */
const element = (more = {}) => ({
  dataset: {}, hidden: false, textContent: "", childNodes: [], classList: { toggle() {} }, attributes: new Map(),
  setAttribute(name, value) { this.attributes.set(name, value); }, removeAttribute(name) { this.attributes.delete(name); },
  append() {}, focus() {}, querySelector: () => null, replaceChildren() {}, replaceWith() {}, ...more,
});

/* A tap on the link to a question of the board. */
const tapOn = (question, { at: [clientX, clientY] = [100, 100], detail = 1 } = {}) => {
  const link = { origin: "http://club.test", pathname: TABLE, dataset: { question } };
  return {
    clientX, clientY, detail, target: { closest: (query) => (query === "a[href]" ? link : null) },
    preventDefault() {}, stopImmediatePropagation() { this.isStopped = true; },
  };
};

/* A page of a table in a scope of its own; `elements` by what the script calls them. */
const page = (elements = {}, more = {}, isCopy = false) => {
  const clock = new Clock();
  const handlers = new Map();
  const listen = (name, does) => handlers.set(name, [...(handlers.get(name) ?? []), does]);
  const found = { clock, isCopy, elements: { main: element({ dataset: { at: TABLE } }), ...elements }, gone: [], triggered: [] };
  const letters = {
    tell() {}, look() {}, remember() {}, recall: () => undefined, waiting: async () => [],
    ask: async (address) => { found.gone.push(address); }, ...more.letters,
  };
  found.scope = load(["tables.js"], {
    clock, letters, addEventListener: listen, isSecureContext: true, scrollTo() {}, navigator: {},
    location: { href: `http://club.test${TABLE}`, pathname: TABLE, origin: "http://club.test" },
    htmx: { process() {}, trigger: (where, name) => found.triggered.push([where, name]) },
    leaving: { isPlain: () => true, refuse() {}, text: () => "" },
    document: {
      querySelector: (query) => found.elements[query] ?? null, querySelectorAll: () => [],
      addEventListener: listen, body: element(), documentElement: { hasAttribute: () => found.isCopy },
    },
    ...more.scope,
  });
  found.fire = (name, event = {}) => {
    for (const does of handlers.get(name) ?? []) if (!event.isStopped) does(event);
    return event;
  };
  return found;
};

test("the phone's points of every contract are the server's", () => {
  const { points } = page().scope.tables;
  const scores = JSON.parse(readFileSync(process.env.SCORES, "utf8"));
  assert.equal(scores.length, 35 * 3 * 2 * 14);
  for (const [level, strain, dbl, vulnerable, tricks, score] of scores) {
    for (const by of "NESW") {
      const expected = "NS".includes(by) ? score : -score;
      const made = points(tricks, { level: String(level), strain, dbl, by }, vulnerable);
      assert.equal(made, expected, `${level}${strain}${dbl} ${by} ${tricks} ${vulnerable}`);
    }
  }
});

const live = (attributes = {}) => element({ dataset: { version: "17-4-abc", ...attributes } });
const PADS = { text: JSON.stringify({ pads: { [`${TABLE}board/7/`]: "keys" }, coming: "next" }) };

test("the copies of boards never wait for a worker that does not become ready", async () => {
  for (const serviceWorker of [undefined, { ready: new Promise(() => undefined) }]) {
    const asked = [];
    const letters = { ask: async (address) => { asked.push(address); return PADS; } };
    const found = page({ "#live": live() }, { letters, scope: { navigator: { serviceWorker } } });
    await settle();
    same(asked, [`${TABLE}pads/`]);
    same([...found.scope.tables.keys()], [`${TABLE}board/7/`, `${TABLE}pads/`]);
  }
});

test("a worker that is ready is given the copies", async () => {
  const given = [];
  const ready = Promise.resolve({ active: { postMessage: (told) => given.push(told) } });
  page({ "#live": live() }, { letters: { ask: async () => PADS }, scope: { navigator: { serviceWorker: { ready } } } });
  await settle();
  same(given, [
    { keep: `${TABLE}board/7/`, version: "", text: "keys" }, { keep: `${TABLE}pads/`, version: "", text: "next" },
  ]);
});

test("when a result has been sent the page asks anew, also a page that asks no more by itself", async () => {
  const running = page({ "#live": live(), "#live[hx-get]": element() });
  running.fire("letters-sent");
  same(running.triggered, [["#live", "look"]]);

  const over = page({ "#live": live() });
  await settle();
  over.gone.length = 0;
  over.fire("letters-sent");
  await settle();
  same(over.triggered, []);
  same(over.gone, [`http://club.test${TABLE}`]);

  const elsewhere = page();
  elsewhere.fire("letters-sent");
  await settle();
  same([elsewhere.triggered, elsewhere.gone], [[], []]);
});

test("the copy of a session that is over looks for the page of now until there is one; a page that asks does not", async () => {
  const over = { "#live": live(), "#live:not([hx-get])": live() };
  for (const [elements, isCopy, asked] of [[over, true, 2], [over, false, 0], [{ "#live": live() }, true, 0]]) {
    const found = page(elements, {}, isCopy);
    await settle();
    found.gone.length = 0;
    await found.clock.pass(9999);
    same(found.gone, []);
    await found.clock.pass(1);
    await found.clock.pass(10000);
    same(found.gone, Array(asked).fill(`http://club.test${TABLE}`));
  }
});

test("a second tap at the spot answers nothing that has come there; a tap elsewhere, later or by a key does", async () => {
  const question = element({ querySelector: () => element() });
  for (const [wait, second, isIgnored] of [
    [0, {}, true], [699, { at: [120, 120] }, true], [0, { at: [100, 140] }, false], [0, { detail: 0 }, false],
    [700, {}, false],
  ]) {
    const found = page({ "#lead": question });
    found.fire("click", tapOn("#lead"));
    await found.clock.pass(wait);
    const { isStopped = false } = found.fire("click", tapOn("#lead", second));
    assert.equal(isStopped, isIgnored, JSON.stringify([wait, second]));
  }
});

test("a page that waits for the other side asks nothing while another page is on its way", () => {
  const answer = element({ id: "answer" });
  const isHeld = (found, target = answer) => {
    let held = false;
    found.fire("htmx:beforeRequest", { target, preventDefault: () => { held = true; } });
    return held;
  };
  const found = page({ "#answer": answer }, { scope: { fetch: () => new Promise(() => {}) } });
  same([isHeld(found), found.triggered], [false, []]);

  found.fire("click", { defaultPrevented: false, ...tapOn(undefined) });

  same(found.triggered, [["#answer", "htmx:abort"]]);
  found.elements["main[aria-busy]"] = found.elements.main;
  same([isHeld(found), isHeld(found, element({ id: "live" }))], [true, false]);
});
