/* What the phone decides about results that wait on it: letters.js. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Clock, database, load, same, settle, textStorage } from "./loading.mjs";

const ADDRESS = "/p/ABC234/table/1/board/7/";
const HOUR = 60 * 60 * 1000;

/* A phone whose server answers what `answers` says: a status and a body, or nothing at all. */
const phone = (given = {}) => {
  const fakes = {
    clock: new Clock(), indexedDB: database(), document: {},
    sessionStorage: textStorage(), localStorage: textStorage(), ...given,
  };
  const sent = [];
  const found = { ...fakes, sent, answer: undefined };
  fakes.fetch = async (address, options) => {
    sent.push({ address, ...options });
    if (!found.answer) throw new TypeError("no network");
    const { status = 200, text } = found.answer(options);
    return { status, url: address, text: async () => text };
  };
  return Object.assign(found, { letters: load(["letters.js"], fakes).letters, fakes });
};
const taken = ({ headers }) => ({ text: JSON.stringify({ letter: headers["X-Letter"], to: "/next/" }) });
const refused = (status) => ({ headers }) => ({
  status, text: JSON.stringify({ letter: headers["X-Letter"], words: "Scan the card." }),
});
const letter = (key = "k1", more = {}) => ({
  key, address: ADDRESS, body: `key=${key}`, play: "7", said: "4 S S = +420", isEntry: true, is: "again", why: "net",
  ...more,
});
const keysOf = async ({ letters }) => (await letters.waiting()).map(({ key }) => key);
/* What a promise comes to when time passes. */
const after = async (milliseconds, { clock }, promise) => { await clock.pass(milliseconds); return promise; };

test("an answer decides what becomes of a letter", () => {
  const { letters } = phone();
  const body = { letter: "k1", to: "/next/", words: "No." };
  const cases = [
    [undefined, { is: "again", why: "net" }],
    [{ status: 200, body }, { is: "sent", to: "/next/" }],
    [{ status: 200, body: undefined }, { is: "again", why: "foreign" }],
    [{ status: 200, body: { letter: "another" } }, { is: "again", why: "foreign" }],
    [{ status: 403, body: undefined }, { is: "again", why: "foreign" }],
    [{ status: 399, body }, { is: "sent", to: "/next/" }],
    [{ status: 400, body }, { is: "stuck", why: "", status: 400, words: "No." }],
    [{ status: 409, body }, { is: "stuck", why: "", status: 409, words: "No." }],
    [{ status: 425, body }, { is: "again", why: "early" }],
    [{ status: 429, body }, { is: "again", why: "busy" }],
    [{ status: 429, body: undefined }, { is: "again", why: "busy" }],
    [{ status: 499, body }, { is: "stuck", why: "", status: 499, words: "No." }],
    [{ status: 500, body }, { is: "again", why: "server" }],
    [{ status: 502, body: undefined }, { is: "again", why: "server" }],
  ];
  for (const [answer, fate] of cases) {
    same(letters.fate("k1", answer), fate, JSON.stringify(answer));
  }
});

test("a letter waits without a network, is sent once with one, and leaves nothing behind", async () => {
  const found = phone();
  await found.letters.keep(letter());
  same(await found.letters.sendAll(), { sent: 0, left: 1 });
  same(await keysOf(found), ["k1"]);

  found.answer = taken;
  same(await found.letters.sendAll(), { sent: 1, left: 0 });

  same(await keysOf(found), []);
  same([...found.indexedDB.rows], []);
  assert.equal(found.localStorage.getItem("unsent"), "[]");
  same(found.sent.map(({ body }) => body), ["key=k1", "key=k1&late=1"]);
});

test("what was refused waits until a page is new, then it is tried again", async () => {
  const found = phone();
  await found.letters.keep(letter());
  found.answer = refused(403);
  await found.letters.sendAll();
  const [stuck] = await found.letters.waiting();
  same([stuck.is, stuck.words], ["stuck", "Scan the card."]);

  await found.letters.sendAll();
  assert.equal(found.sent.length, 1);
  found.answer = taken;
  await found.letters.sendAll(true);
  same(await keysOf(found), []);
});

test("a letter that is on its way or was too much is due after its rest, and at once where the clock was set back", async () => {
  const cases = [
    ["net", 0, 1], ["early", 0, 1], ["server", 0, 1],
    ["busy", 59_999, 0], ["busy", 60_000, 1], ["busy", -1, 1], ["busy", -HOUR, 1],
    ["sending", 0, 0], ["sending", 15_999, 0], ["sending", 16_000, 1], ["sending", -1, 1], ["sending", -HOUR, 1],
  ];
  for (const [why, since, sent] of cases) {
    const found = phone();
    await found.letters.keep(letter("k1", { why, tried: found.clock.now - since }));
    found.answer = taken;
    same(await found.letters.sendAll(), { sent, left: 1 - sent }, `${why} ${since}`);
  }
});

test("a request that never ends is given up after eight seconds", async () => {
  const found = phone();
  found.fakes.fetch = undefined;
  const { letters } = load(["letters.js"], {
    ...found.fakes,
    fetch: (_address, { signal }) => new Promise((_resolve, reject) => signal.addEventListener("abort", reject)),
  });
  let answer = "none yet";
  letters.ask("/p/").then((given) => { answer = given; });
  await found.clock.pass(7_999);
  assert.equal(answer, "none yet");
  await found.clock.pass(1);
  assert.equal(answer, undefined);
});

test("a store that answers nothing is waited for once, and the letter is kept and sent all the same", async () => {
  const found = phone();
  found.indexedDB.mode = "silent";
  const kept = found.letters.keep(letter());
  await found.clock.pass(1_499);
  same(found.sent, []);
  assert.equal((await after(1, found, kept)).id, undefined);
  same(await after(0, found, keysOf(found)), ["k1"]); // it does not wait a second time

  found.answer = taken;
  same(await after(0, found, found.letters.sendAll()), { sent: 1, left: 0 });
  same(await after(0, found, keysOf(found)), []);
});

test("a store that answers again is used again", async () => {
  const found = phone();
  found.indexedDB.mode = "silent";
  await after(1_500, found, found.letters.keep(letter("k1")));
  found.indexedDB.mode = "";
  const reload = phone({ ...found.fakes }); // the page is loaded again
  const second = await reload.letters.keep(letter("k2"));
  assert.ok(second.id);
  same((await keysOf(reload)).sort(), ["k1", "k2"]);
});

test("a store that is full, refused or deleted loses nothing as long as there is a second place", async () => {
  for (const mode of ["full", "refused", "deleted"]) {
    const found = phone();
    if (mode !== "deleted") found.indexedDB.mode = mode;
    await found.letters.keep(letter());
    await found.letters.sendAll(); // tried in vain
    if (mode === "deleted") found.indexedDB.rows.clear();
    const reload = phone({ ...found.fakes });
    const [waits] = await reload.letters.waiting();
    same([waits.key, waits.why, waits.isUnstored], ["k1", "net", undefined], mode);
    reload.answer = taken;
    same(await reload.letters.sendAll(), { sent: 1, left: 0 }, mode);
    same(await keysOf(reload), [], mode);
  }
});

test("without any place a letter is kept as long as the page is open, and says so", async () => {
  const found = phone({
    localStorage: textStorage({ throws: true }), sessionStorage: textStorage({ throws: true }),
  });
  found.indexedDB.mode = "refused";
  await found.letters.keep(letter());
  const [waits] = await found.letters.waiting();
  same([waits.key, waits.isUnstored], ["k1", true]);
  await found.letters.change(waits, { why: "server" });
  assert.equal((await found.letters.waiting())[0].why, "server");
  await found.letters.remove(waits);
  same(await keysOf(found), []);
});

test("what the worker has sent is not sent again by a page, though only the page can delete its second copy", async () => {
  const found = phone();
  await found.letters.keep(letter());
  const worker = load(["letters.js"], { clock: found.clock, indexedDB: found.indexedDB, fetch: found.fakes.fetch });
  found.answer = taken;
  same(await worker.letters.sendAll(), { sent: 1, left: 0 });
  assert.equal(JSON.parse(found.localStorage.getItem("unsent")).length, 1);
  same(await worker.letters.sendAll(), { sent: 0, left: 0 });

  same(await keysOf(found), []);

  assert.equal(found.localStorage.getItem("unsent"), "[]");
  assert.equal(found.sent.length, 1);
  same([...found.indexedDB.rows], []);
});

test("what two tabs and two clubs keep is listed once each and sent", async () => {
  const found = phone();
  const other = phone({ ...found.fakes });
  await found.letters.keep(letter("k1"));
  await other.letters.keep(letter("k2", { address: "/p/XYZ789/table/3/board/9/" }));
  same(await keysOf(found), ["k1", "k2"]);
  same(await keysOf(other), ["k1", "k2"]);
  found.answer = taken;
  other.answer = taken;
  const counts = await Promise.all([found.letters.sendAll(), other.letters.sendAll()]);
  assert.ok(counts.every(({ left }) => left === 0));
  await settle();
  same(await keysOf(found), []);
  same(new Set([...found.sent, ...other.sent].map(({ address }) => address)),
    new Set([ADDRESS, "/p/XYZ789/table/3/board/9/"]));
});

test("a letter of a version before has its key in what it says", async () => {
  const found = phone();
  await found.letters.keep({ address: ADDRESS, body: "side=ns&key=0123", play: "7", isRefused: true });
  const [waits] = await found.letters.waiting();
  same([waits.key, waits.is, waits.why, waits.isEntry], ["0123", "stuck", "net", true]);
});
