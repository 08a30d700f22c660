/* What becomes of a form that is sent at a table's phone, and of a page that is asked for: `submit` and `go` in tables.js. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Clock, load, same, settle } from "./loading.mjs";

const HOME = "http://club.test";
const TABLE = "/p/ABC234/table/1/";
const BOARD = `${TABLE}board/7/`;
const OVER = "/p/ABC234/NS1/";
const SENT = { is: "sent", to: `${BOARD}check/stored/` };
const NO_ANSWER = { is: "again", why: "net" };
const [SOON, LONG] = [4_000, 12_000];

const element = (more = {}) => ({
  dataset: {}, hidden: false, textContent: "", attributes: new Map(), childNodes: [], disabled: false,
  setAttribute(name, value) { this.attributes.set(name, value); }, removeAttribute(name) { this.attributes.delete(name); },
  focus() {}, querySelectorAll: () => [], cloneNode() { return this; }, replaceWith() {}, ...more,
});

/* A page of a table. `answers` is what the server says by address, `fate` what becomes of a letter; `events` notes in
   their order what the script does with letters. */
const page = ({ at = BOARD, answers = {}, fate = SENT, waiting = [], hasFormData = true } = {}) => {
  const handlers = new Map();
  const listen = (name, does) => handlers.set(name, [...(handlers.get(name) ?? []), does]);
  const found = { events: [], asked: [], refused: [], history: [], shown: [], left: [] };
  const elements = {
    main: element({ dataset: { at: TABLE, play: "70", about: "Table 1 · Board 7", event: "Tuesday Pairs" } }),
    "#letters": element(), "#offline": element({ hidden: true }),
  };
  const documentOf = (text) => ({
    title: text, body: { childNodes: [text] },
    querySelector: () => (text.startsWith("stranger") ? null : element()),
  });
  const note = (name) => async (letter) => { found.events.push([name, letter.key]); };
  const letters = {
    look() {}, tell: () => found.events.push(["tell"]), remember() {}, recall: () => undefined,
    newKey: () => "new", waiting: async () => waiting, remove: note("remove"),
    keep: async (letter) => { found.kept = letter; await note("keep")(letter); return letter; },
    attempt: async (letter) => { await note("attempt")(letter); return fate; },
    ask: async (address, options, patience) => {
      found.asked.push([address, patience]);
      const answer = answers[address];
      return typeof answer === "function" ? answer() : answer;
    },
  };
  class Fields extends Array {
    constructor(form) { super(); this.push(...form.fields); }
    append(name, value) { this.push([name, value]); }
  }
  const location = {
    href: HOME + at, pathname: at, origin: HOME, search: "", assign: (address) => found.left.push(String(address)),
  };
  found.scope = load(["tables.js"], {
    clock: new Clock(), letters, location, addEventListener: listen, isSecureContext: true, scrollTo() {}, navigator: {},
    htmx: { process() {}, trigger() {} }, FormData: hasFormData ? Fields : undefined,
    history: { pushState: (state, title, address) => found.history.push(String(address)) },
    leaving: {
      isPlain: () => true, text: (name) => name, refuse: (words) => found.refused.push(words),
      buttonOf: ({ submitter }) => submitter,
    },
    DOMParser: class { parseFromString(text) { return documentOf(text); } },
    document: {
      querySelector: (query) => elements[query] ?? null, querySelectorAll: () => [], addEventListener: listen,
      body: { replaceChildren: (...nodes) => found.shown.push(...nodes) }, documentElement: { outerHTML: "old page", hasAttribute: () => false },
    },
  });
  found.asked.length = 0;
  found.events.length = 0;
  const fire = async (name, event) => {
    const whole = { defaultPrevented: false, preventDefault() { this.defaultPrevented = true; }, ...event };
    await Promise.allSettled((handlers.get(name) ?? []).map(async (does) => does(whole)));
    await settle();
    return whole;
  };
  found.elements = elements;
  found.tap = (path) => {
    const link = { origin: HOME, pathname: path, href: HOME + path, dataset: {} };
    return fire("click", { detail: 0, target: { closest: (query) => (query === "a[href]" ? link : null) } });
  };
  found.send = ({ sends = "entry", ...more } = {}) => {
    const buttons = [element(), element()];
    const submitter = element({ name: "passed", value: "1", textContent: "All passed" });
    const form = element({
      dataset: { sends }, matches: () => Boolean(sends), fields: [["side", "ns"]], querySelector: () => null,
      querySelectorAll: () => buttons, getAttribute: () => `${BOARD}say/`, ...more,
    });
    found.buttons = buttons;
    return fire("submit", { target: form, submitter });
  };
  return found;
};
const answer = (path, text = "page", status = 200) => ({ address: HOME + path, text, status });
const at = (path, ...more) => ({ [HOME + path]: answer(path, ...more) });

// ── submit ──

test("a result is written down before it is sent, and the page that the server names is shown", async () => {
  const found = page({ answers: at(SENT.to, "stored") });
  const event = await found.send();

  assert.ok(event.defaultPrevented);
  same(found.events.slice(0, 2), [["keep", "new"], ["attempt", "new"]]);
  same([...new URLSearchParams(found.kept.body)], [["side", "ns"], ["passed", "1"], ["key", "new"]]);
  const { key, address, play, about, isEntry, said, is, why } = found.kept;
  same({ key, address, play, about, isEntry, said, is, why }, {
    key: "new", address: `${BOARD}say/`, play: "70", about: "Table 1 · Board 7", isEntry: true, said: "All passed",
    is: "again", why: "sending",
  });
  same([found.shown, found.history], [["stored"], [HOME + SENT.to]]);
});

test("a call is written down as no entry", async () => {
  const found = page();
  await found.send({ sends: "call" });
  assert.equal(found.kept.isEntry, false);
});

test("what is said of a board anew takes the place of what waits of the same form and play alone", async () => {
  const ofForm = { address: `${BOARD}say/`, play: "70" };
  const waiting = [
    { key: "older", ...ofForm }, { key: "other play", ...ofForm, play: "71" },
    { key: "other form", ...ofForm, address: `${BOARD}unplayed/` },
  ];
  const found = page({ waiting });
  await found.send();
  same(found.events.filter(([name]) => name === "remove"), [["remove", "older"]]);
});

test("a result without an answer waits, and the page of the round says so", async () => {
  const found = page({ fate: NO_ANSWER });
  found.scope.tables.set(TABLE, "round");
  await found.send();
  same(found.shown, ["round"]);
  same(found.refused, []);
  same(found.events.filter(([name]) => name === "remove"), []);
  assert.ok(found.buttons.every((button) => !button.disabled));

  const there = page({ fate: NO_ANSWER, at: TABLE });
  await there.send();
  same([there.shown, there.asked.filter(([address]) => !address.endsWith("pads/"))], [[], []]);
  assert.equal(there.events.at(-1)[0], "tell");
});

test("what the server refuses is not kept, and its words are shown on the same page", async () => {
  for (const status of [409, 422]) {
    const found = page({ fate: { is: "stuck", status, words: "Another result stands." } });
    await found.send();
    same(found.refused, ["Another result stands."]);
    same(found.events.at(-1), ["remove", "new"]);
    same(found.shown, []);
    assert.ok(found.buttons.every((button) => !button.disabled));
  }
  const closed = page({ fate: { is: "stuck", status: 403, words: "Scan the card." } });
  closed.scope.tables.set(TABLE, "round");
  await closed.send();
  same([closed.refused, closed.shown], [[], ["round"]]);
  same(closed.events.filter(([name]) => name === "remove"), []);
});

test("another form, and one that the browser cannot read here, is left to the browser", async () => {
  const other = page();
  assert.equal((await other.send({ sends: "" })).defaultPrevented, false);
  same(other.events, []);

  const older = page({ hasFormData: false });
  assert.equal((await older.send()).defaultPrevented, false);
  same(older.events, []);
});

// ── go ──

test("a page that comes is shown under the address that the server names", async () => {
  const checked = `${BOARD}check/`;
  const found = page({ answers: { [HOME + BOARD]: answer(checked, "check") } });
  await found.tap(BOARD);
  same([found.shown, found.history, found.refused], [["check"], [HOME + checked], []]);
  assert.equal(found.elements["#offline"].hidden, true);
  assert.equal(found.elements.main.attributes.has("aria-busy"), false);
});

test("without an answer the copy is shown, of any page about a board its keys, and that there is no connection", async () => {
  const found = page();
  found.scope.tables.set(BOARD, "keys");
  await found.tap(`${BOARD}check/`);
  same([found.shown, found.history, found.refused], [["keys"], [`${HOME}${BOARD}check/`], []]);
  assert.equal(found.elements["#offline"].hidden, false);
});

test("without an answer and a copy it is said that the page cannot be opened, and the page stays", async () => {
  const found = page();
  await found.tap(`${TABLE}round/2/board/9/`);
  same([found.shown, found.history, found.refused], [[], [], ["page"]]);
  assert.equal(found.elements.main.attributes.has("aria-busy"), false);
});

test("where there is a copy nobody waits as long", async () => {
  const found = page();
  await found.tap(BOARD);
  found.scope.tables.set(BOARD, "keys");
  await found.tap(BOARD);
  const patience = found.asked.filter(([address]) => address === HOME + BOARD).map(([, time]) => time);
  same(patience, [LONG, SOON]);
});

test("a server in trouble and a stranger's page take no page's place", async () => {
  for (const given of [answer(BOARD, "trouble", 502), answer(BOARD, "stranger's page")]) {
    const found = page({ answers: { [HOME + BOARD]: given } });
    await found.tap(BOARD);
    same([found.shown, found.refused], [[], ["page"]]);
    found.scope.tables.set(BOARD, "keys");
    await found.tap(BOARD);
    same(found.shown, ["keys"]);
  }
});

test("an answer that leads away from the tables is opened as a page of its own", async () => {
  const found = page({ answers: { [HOME + TABLE]: answer(OVER) } });
  await found.tap(TABLE);
  same([found.left, found.shown], [[HOME + OVER], []]);
});

test("of two taps the last one is shown, whichever answer comes first", async () => {
  let end;
  const slow = new Promise((resolve) => { end = () => resolve(answer(BOARD, "first")); });
  const found = page({ answers: { [HOME + BOARD]: () => slow, ...at(TABLE, "second") } });
  const first = found.tap(BOARD);
  await settle();
  await found.tap(TABLE);
  end();
  await settle();
  await first;
  same([found.shown, found.history], [["second"], [HOME + TABLE]]);
});
