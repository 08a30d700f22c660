/* Names and slips by the keyboard: combo.js and slips.js. */
import { test } from "node:test";
import { Clock, load, same } from "./loading.mjs";

/* Listen to a page's keys; `press` sends one from an element. */
const keyboard = () => {
  const handlers = [];
  const listen = (name, does) => { if (name === "keydown") handlers.push(does); };
  const press = (target, key, more = {}) => {
    for (const does of handlers) does({ key, target, preventDefault() {}, ...more });
  };
  return { listen, press };
};

/* A field with the names that are proposed for it. */
const field = (names) => {
  const { listen, press } = keyboard();
  const options = names.map((name) => ({ id: name, is: "false", setAttribute(_name, is) { this.is = is; } }));
  const marked = () => options.find(({ is }) => is === "true") ?? null;
  const list = { hidden: false, querySelectorAll: () => options, querySelector: marked };
  const input = {
    matches: (query) => query === "[data-combo]", getAttribute: () => "list", setAttribute() {}, removeAttribute() {},
  };
  load(["combo.js"], {
    clock: new Clock(),
    document: { addEventListener: listen, getElementById: () => list, activeElement: input, body: {} },
  });
  return (key) => { press(input, key); return marked()?.id; };
};

test("the arrows go through the proposed names, and from the last one to the first", () => {
  for (const [key, ...names] of [
    ["ArrowDown", "Anna", "Ben", "Cleo", "Anna"], ["ArrowUp", "Cleo", "Ben", "Anna", "Cleo"],
  ]) {
    const press = field(["Anna", "Ben", "Cleo"]);
    same(names.map(() => press(key)), names, key);
  }
});

/* A slip with so many lines; `stored` counts how often it is stored. */
const slip = (count) => {
  const { listen, press } = keyboard();
  const found = { focused: [], stored: 0 };
  const shown = new Map();
  const form = { querySelector: () => ({ click: () => { found.stored += 1; } }) };
  const lines = Array.from({ length: count }, (_, at) => {
    const line = { form, focus: () => found.focused.push(at), select() {} };
    line.closest = () => line;
    return line;
  });
  load(["slips.js"], {
    window: { addEventListener: (name, does) => shown.set(name, does) },
    document: { addEventListener: listen, querySelectorAll: () => lines },
  });
  found.press = (at, key, more) => press(lines[at], key, more);
  found.show = () => shown.get("pageshow")();
  return found;
};

test("Enter goes to the next line, and held down on the last one it stores once until the slip is shown again", () => {
  const found = slip(3);
  found.press(0, "Enter");
  found.press(1, "Enter", { shiftKey: true });
  found.press(1, "ArrowDown");
  found.press(2, "ArrowDown");
  same([found.focused, found.stored], [[1, 0, 2], 0]);

  for (let times = 0; times < 3; times += 1) found.press(2, "Enter");
  same(found.stored, 1);
  found.show();
  found.press(2, "Enter");
  same(found.stored, 2);
});
