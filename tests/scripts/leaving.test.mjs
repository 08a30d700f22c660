/* Whether a page of a player's may be left by a link or a plain form: `leaving` in phone.js. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Clock, database, load, same, settle, textStorage } from "./loading.mjs";

const HOME = "http://club.test";
const PLAN = "/p/ABC234/NS1/";

const element = (more = {}) => ({
  dataset: {}, hidden: false, textContent: "", setAttribute() {}, hasAttribute: () => false, classList: { add() {} }, ...more,
});

/* A page. `ping` is what answers: a text, "never", or null where the wire is cut. */
const page = ({ ping = "BridgeBuddy\n", hasWorker = false } = {}) => {
  const clock = new Clock();
  const handlers = new Map();
  const listen = (name, does) => handlers.set(name, [...(handlers.get(name) ?? []), does]);
  const found = { clock, asked: [], left: [], prepended: [] };
  const words = { page: "No connection." };
  const sentences = { querySelector: (query) => ({ textContent: words[/"(.*)"/.exec(query)[1]] }) };
  const elements = { "#letters": element(), "#letters template": { content: sentences } };
  elements.main = element({ prepend: (line) => { found.prepended.push(line); elements["#refused"] = line; } });
  const workers = { ready: new Promise(() => undefined), addEventListener() {}, register: async () => undefined };
  found.scope = load(["phone.js"], {
    clock, letters: elements["#letters"], indexedDB: database(), scrollTo() {}, addEventListener: listen,
    navigator: hasWorker ? { serviceWorker: { ...workers, controller: {} } } : {},
    sessionStorage: textStorage(), localStorage: textStorage(),
    location: { pathname: PLAN, origin: HOME, assign: (address) => found.left.push(address) },
    window: { addEventListener: listen },
    fetch: async (address, options) => {
      found.asked.push([address, options.cache]);
      if (ping === null) throw new TypeError("no network");
      if (ping === "never") return new Promise(() => undefined);
      return { text: async () => ping };
    },
    document: {
      currentScript: { src: "/static/js/phone.js" }, hidden: false, addEventListener: listen, documentElement: element(),
      querySelector: (query) => elements[query] ?? null, getElementById: () => null, createElement: () => element(),
      head: { append() {} },
    },
  });
  const fire = async (name, event) => {
    const whole = { defaultPrevented: false, preventDefault() { this.defaultPrevented = true; }, ...event };
    for (const does of handlers.get(name)) does(whole);
    await settle();
    return whole;
  };
  found.words = () => found.prepended.map((line) => line.textContent);
  found.tap = (href, event = {}) => {
    const link = { href, origin: new URL(href).origin, pathname: new URL(href).pathname };
    return fire("click", { target: { closest: (query) => (query === "a[href]" ? link : null) }, ...event });
  };
  found.press = (form, button) => fire("click", { target: { closest: (q) => (q === "button" ? { ...button, form } : null) } });
  found.send = (form, event = {}) => fire("submit", { target: form, ...event });
  return found;
};
/* A form that notes what it sends. */
const newForm = () => {
  const form = { fields: [], sent: [] };
  form.append = (field) => form.fields.push(Object.assign(field, { remove: () => form.fields.pop() }));
  form.submit = () => form.sent.push(form.fields.map(({ type, name, value }) => [type, name, value]));
  return form;
};

test("a link is followed as soon as our server has answered", async () => {
  const found = page();
  const event = await found.tap(`${HOME}/p/`);
  assert.ok(event.defaultPrevented);
  same([found.asked, found.left, found.words()], [[["/ping", "no-store"]], [`${HOME}/p/`], []]);
});

test("without a connection, with a stranger's answer and with none at all the page stays and says so", async () => {
  for (const ping of [null, "<h1>Welcome to our Wi-Fi</h1>", "never"]) {
    const found = page({ ping });
    await found.tap(`${HOME}/p/`);
    if (ping === "never") {
      await found.clock.pass(3_999);
      same(found.words(), []);
      await found.clock.pass(1);
      await settle();
    }
    same([found.left, found.words()], [[], ["No connection."]], String(ping));
  }
});

test("it is said once, however often a link is tapped", async () => {
  const found = page({ ping: null });
  await found.tap(`${HOME}/p/`);
  await found.tap(`${HOME}/p/`);
  assert.equal(found.prepended.length, 2);
  assert.equal(found.prepended[0], found.prepended[1]);
});

test("links of a session are the worker's where there is one, all others are asked after", async () => {
  const found = page({ hasWorker: true, ping: null });
  assert.equal((await found.tap(`${HOME}${PLAN}`)).defaultPrevented, false);
  assert.equal((await found.tap(`${HOME}/p/`)).defaultPrevented, true);
  const plain = page({ ping: null });
  assert.equal((await plain.tap(`${HOME}${PLAN}`)).defaultPrevented, true);
});

test("a link to another site, in another tab or that a script has taken is the browser's own business", async () => {
  const found = page({ ping: null });
  const cases = [
    ["http://elsewhere.test/", {}], [`${HOME}/p/`, { ctrlKey: true }], [`${HOME}/p/`, { metaKey: true }],
    [`${HOME}/p/`, { shiftKey: true }], [`${HOME}/p/`, { button: 1 }],
  ];
  for (const [href, event] of cases) assert.equal((await found.tap(href, event)).defaultPrevented, false, href);
  await found.tap(`${HOME}/p/`, { defaultPrevented: true });
  same([found.asked, found.words()], [[], []]);
});

test("a form is sent as the browser would, with its button, and is afterwards as before", async () => {
  const named = newForm();
  const found = page();
  const event = await found.send(named, { submitter: { name: "who", value: "3" } });
  assert.ok(event.defaultPrevented);
  same([named.sent, named.fields], [[[["hidden", "who", "3"]]], []]);
});

test("where the event does not name the button it is the one of this form that was pressed last", async () => {
  for (const submitter of [undefined, null]) {
    const [form, other] = [newForm(), newForm()];
    const found = page();
    await found.press(form, { name: "who", value: "5" });
    await found.send(form, { submitter });
    await found.send(other, { submitter });
    same([form.sent, other.sent], [[[["hidden", "who", "5"]]], [[["hidden", "", ""]]]], String(submitter));
  }
});

test("without a connection a form stays unsent and says so; a form that a script has taken is left alone", async () => {
  const form = newForm();
  const found = page({ ping: null });
  await found.send(form);
  same([form.sent, found.words()], [[], ["No connection."]]);
  await found.send(form, { defaultPrevented: true });
  assert.equal(found.asked.length, 1);
});
