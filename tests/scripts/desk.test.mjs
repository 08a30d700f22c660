/* The desk without its server, calling tables, and the keys of the desk: desk.js. */
import { test } from "node:test";
import { load, same } from "./loading.mjs";

/* A desk with two buttons; `calls` are the ids of the calling tables. */
const desk = (calls = []) => {
  const listeners = new Map();
  const windowListeners = new Map();
  const buttons = [{ disabled: false }, { disabled: false }];
  const pressed = [];
  const found = {
    bar: { hidden: true }, buttons, pressed, calls, vibrations: [],
    fire: (name, event = {}) => (listeners.get(name) ?? windowListeners.get(name))(event),
    key: (key, { typing = false, ...more } = {}) => {
      const event = { key, target: { closest: () => typing }, isStopped: false, ...more };
      event.preventDefault = () => { event.isStopped = true; };
      listeners.get("keydown")(event);
      return event.isStopped;
    },
  };
  const document = {
    title: "Tuesday Pairs",
    addEventListener: (name, does) => listeners.set(name, does),
    getElementById: (id) => (id === "offline" ? found.bar : null),
    querySelector: (query) => ({
      focus: () => pressed.push(["focus", query]), click: () => pressed.push(["click", query]),
    }),
    querySelectorAll: (query) => (query.startsWith("[id^='call-']") ? found.calls.map((id) => ({ id })) : buttons),
  };
  const window = { addEventListener: (name, does) => windowListeners.set(name, does) };
  load(["desk.js"], { document, window, navigator: { vibrate: (pattern) => found.vibrations.push([...pattern]) } });
  return Object.assign(found, { document });
};

const isLocked = ({ bar, buttons }) => [bar.hidden, ...buttons.map(({ disabled }) => disabled)];
const LOCKED = [false, true, true];
const OPEN = [true, false, false];

test("the buttons are locked while the server is lost, and open again with its first answer", () => {
  for (const name of ["htmx:sendError", "htmx:timeout", "offline"]) {
    const found = desk();
    found.fire(name);
    same(isLocked(found), LOCKED, name);
    found.fire("htmx:afterRequest", { detail: { successful: false } });
    same(isLocked(found), LOCKED, name);
    found.fire("htmx:afterRequest", { detail: { successful: true } });
    same(isLocked(found), OPEN, name);
  }
});

test("a server's own fault locks the buttons, a refusal does not", () => {
  for (const [status, told] of [[409, OPEN], [499, OPEN], [500, LOCKED], [503, LOCKED]]) {
    const found = desk();
    found.fire("htmx:responseError", { detail: { xhr: { status } } });
    same(isLocked(found), told, String(status));
  }
});

test("calling tables are counted in the title; only a new call vibrates", () => {
  const found = desk(["call-3"]);
  same([found.document.title, found.vibrations], ["(1) Tuesday Pairs", []]);
  for (const [calls, title, vibrations] of [
    [["call-3"], "(1) Tuesday Pairs", 0],
    [["call-3", "call-5"], "(2) Tuesday Pairs", 1],
    [["call-5"], "(1) Tuesday Pairs", 1],
    [["call-3"], "(1) Tuesday Pairs", 2],
    [[], "Tuesday Pairs", 2],
  ]) {
    found.calls = calls;
    found.fire("htmx:afterSettle");
    same([found.document.title, found.vibrations.length], [title, vibrations], calls.join());
  }
  same(found.vibrations[0], [300, 150, 300]);
});

test("N goes to the next round's button and presses nothing; L and R open the late pair and the results", () => {
  const found = desk();
  for (const key of ["n", "L", "r"]) same(found.key(key), true, key);
  same(found.pressed, [
    ["focus", ".go .btn.primary"], ["click", "a[href$='/change/late/']"], ["click", "#tabs a[href$='/results/']"],
  ]);
});

test("a letter that is typed, another letter, and a browser's own key do nothing", () => {
  const found = desk();
  const left = [
    found.key("n", { typing: true }), found.key("x"), found.key("Escape"),
    found.key("r", { ctrlKey: true }), found.key("l", { metaKey: true }), found.key("n", { altKey: true }),
  ];
  same([left, found.pressed], [[false, false, false, false, false, false], []]);
});
