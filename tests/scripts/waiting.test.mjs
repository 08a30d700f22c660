/* What a page says of letters that wait on the phone, and when it sends them: waiting.js. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Clock, load, same, settle } from "./loading.mjs";

const DAY = 24 * 60 * 60 * 1000;
const AT = "/p/ABC234/table/4/board/7/say/";
const TEXTS = {
  table: "Table", net: "No connection.", busy: "Too much at once.", foreign: "A strange page answers.",
  server: "The server is in trouble.", early: "Its round has not begun.", refused: "Tell the director.",
};

const element = (more = {}) => ({
  dataset: {}, hidden: true, textContent: "", addEventListener() {}, replaceChildren() {}, ...more,
});

/* An element whose parts are made as soon as they are asked for. */
const withParts = () => {
  const parts = new Map();
  const part = (query) => { if (!parts.has(query)) parts.set(query, element()); return parts.get(query); };
  return element({ querySelector: part });
};

/* A page on which letters may wait. */
const page = ({ waiting = [], sent = 0, left = 0, isTable = true, storage, workers } = {}) => {
  const clock = new Clock();
  const handlers = new Map();
  const listen = (name, does) => handlers.set(name, [...(handlers.get(name) ?? []), does]);
  const found = { clock, waiting, told: [], looks: [], removed: [], lines: [], synced: [] };
  const strip = withParts();
  strip.querySelector("ul").replaceChildren = (...lines) => { found.lines = lines; };
  const content = {
    firstElementChild: { cloneNode: () => withParts() },
    querySelector: () => (isTable ? element({ textContent: "unstored" }) : null),
  };
  const letters = {
    waiting: async () => found.waiting,
    sendAll: async (isNew) => { found.looks.push(isNew); return { sent, left }; },
    remove: async (letter) => { found.removed.push(letter.key); found.waiting = []; },
  };
  const texts = isTable ? { ...TEXTS, unstored: "Do not close this page." } : TEXTS;
  found.scope = load(["waiting.js"], {
    clock, letters, addEventListener: listen, leaving: { text: (name) => texts[name] },
    navigator: { storage, serviceWorker: workers }, location: { pathname: "/p/ABC234/table/4/" },
    CustomEvent: class { constructor(name, given) { this.name = name; this.detail = given?.detail; } },
    document: {
      hidden: false, body: { replaceChildren() {} }, documentElement: { lang: "en" }, addEventListener: listen,
      querySelector: (query) => (query === "#letters" ? strip : { content }),
      dispatchEvent: ({ name, detail }) => found.told.push([name, detail?.length]),
    },
  });
  found.strip = strip;
  found.fire = async (name, event = {}) => { for (const does of handlers.get(name) ?? []) does(event); await settle(); };
  found.texts = () => found.lines.map((line) => ["[data-about]", "[data-said]", "[data-why]"]
    .map((part) => line.querySelector(part).textContent));
  return found;
};
const letter = (more = {}) => ({
  key: "k", address: AT, about: "Table 4 · Board 7", said: "4♠ S = +420", is: "again", why: "net", isEntry: true, ...more,
});

test("the strip is hidden where nothing waits, and while the first try is under way", async () => {
  for (const waiting of [[], [letter({ why: "sending" })]]) {
    const found = page({ waiting });
    await found.scope.letters.tell();
    assert.equal(found.strip.hidden, true);
    same(found.told, [["letters", 0]]);
  }
});

test("what waits is counted and said with its cause, apart from what the server refused", async () => {
  const refused = letter({ key: "r", is: "stuck", why: "", words: "Scan the card." });
  const found = page({ waiting: [refused, letter({ why: "busy" }), letter({ key: "l" })] });
  await found.scope.letters.tell();
  const part = (query) => found.strip.querySelector(query);
  same([found.strip.hidden, part("[data-unsent]").hidden, part("[data-stuck]").hidden], [false, false, false]);
  same([part("[data-unsent] b").textContent, part("[data-stuck] b").textContent], [2, 1]);
  assert.equal(part("[data-cause]").textContent, "Too much at once.");
  same(found.texts(), [
    ["Table 4 · Board 7", "4♠ S = +420", "Scan the card."], ["Table 4 · Board 7", "4♠ S = +420", "Too much at once."],
    ["Table 4 · Board 7", "4♠ S = +420", "No connection."],
  ]);
  found.waiting = [refused];
  await found.scope.letters.tell();
  same([part("[data-unsent]").hidden, part("[data-stuck]").hidden], [true, false]);
});

test("a letter that is refused or waits for another reason is told anew", async () => {
  const found = page({ waiting: [letter()] });
  await found.scope.letters.tell();
  for (const [change, why] of [[{ why: "busy" }, "Too much at once."], [{ is: "stuck", words: "Scan." }, "Scan."]]) {
    found.waiting = [letter(change)];
    await found.scope.letters.tell();
    assert.equal(found.texts()[0][2], why);
  }
  assert.equal(found.strip.querySelector("[data-stuck] b").textContent, 1);
});

test("a letter of another session names it with its day, one older than a day its day and the director", async () => {
  const clock = new Clock();
  const other = letter({ address: "/p/XYZ789/table/2/board/3/say/", event: "Monday Pairs", at: clock.now - 1000 });
  const old = letter({ at: clock.now - DAY - 1 });
  const young = letter({ at: clock.now - DAY });
  const found = page({ waiting: [other, old, young] });
  await found.scope.letters.tell();
  const day = (time) => new Date(time).toLocaleDateString("en", { day: "numeric", month: "long", year: "numeric" });
  same(found.texts().map(([about, , why]) => [about, why]), [
    [`Table 4 · Board 7 · Monday Pairs · ${day(other.at)}`, "No connection."],
    [`Table 4 · Board 7 · ${day(old.at)}`, "No connection. Tell the director."], ["Table 4 · Board 7", "No connection."],
  ]);
});

test("a letter of an older version is named by its table, and a refusal without words tells of the director", async () => {
  const found = page({ waiting: [letter({ about: undefined, said: undefined, is: "stuck", words: undefined })] });
  await found.scope.letters.tell();
  same(found.texts(), [["Table 4", "", "Tell the director."]]);
});

test("that a phone could not store a letter is said on pages of tables", async () => {
  for (const [isTable, why] of [[true, "No connection. Do not close this page."], [false, "No connection."]]) {
    const found = page({ waiting: [letter({ isUnstored: true })], isTable });
    await found.scope.letters.tell();
    assert.equal(found.texts()[0][2], why);
  }
});

test("only an entry can be corrected, at its own form", async () => {
  const found = page({ waiting: [letter(), letter({ key: "call", isEntry: false })] });
  await found.scope.letters.tell();
  const links = found.lines.map((line) => line.querySelector("[data-correct]"));
  same(links.map((link) => link.hidden), [false, true]);
  assert.equal(links[0].href, `${AT}?new=1`);
});

test("it is sent when the page opens, comes to sight or finds a network; on a new page also what was refused", async () => {
  const found = page();
  await found.fire("pageshow");
  await found.fire("online");
  await found.fire("visibilitychange");
  found.scope.document.hidden = true;
  await found.fire("visibilitychange");
  same(found.looks, [true, false, false]);
});

test("it is sent again every ten seconds", async () => {
  const found = page();
  await found.clock.pass(9999);
  same(found.looks, []);
  await found.clock.pass(1);
  await found.clock.pass(10000);
  same(found.looks, [false, false]);
});

test("other scripts hear when something has been sent, and nothing else", async () => {
  const sent = page({ sent: 2 });
  await sent.scope.letters.look();
  same(sent.told, [["letters", 0], ["letters-sent", undefined]]);
  const nothing = page({ left: 1 });
  await nothing.scope.letters.look();
  same(nothing.told, [["letters", 0]]);
});

test("what is left asks once for lasting storage, and the worker each time; neither needs to be there", async () => {
  const asked = { persist: 0, sync: [] };
  const storage = { persist: async () => { asked.persist += 1; throw new Error("refused"); } };
  const sync = { register: async (tag) => { asked.sync.push(tag); } };
  const found = page({ left: 1, storage, workers: { ready: Promise.resolve({ sync }) } });
  await found.scope.letters.look();
  await found.scope.letters.look();
  await settle();
  same(asked, { persist: 1, sync: ["letters", "letters"] });
  await page({ left: 1 }).scope.letters.look();
  await page({ left: 1, storage: {}, workers: { ready: Promise.resolve({}) } }).scope.letters.look();
});
