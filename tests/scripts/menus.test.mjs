/* Menus over the page, and paid tables that stay open when the list is read again: menus.js and money.js. */
import { test } from "node:test";
import { load, same } from "./loading.mjs";

const listening = () => {
  const listeners = new Map();
  return { listeners, addEventListener: (name, does) => listeners.set(name, does) };
};

/* Two menus, of which the listed ones are open. */
const menus = (...open) => {
  const focused = [];
  const all = ["first", "second"].map((name) => ({
    name, open: open.includes(name), contains: (target) => target === name,
    querySelector: () => ({ focus: () => focused.push(name) }),
  }));
  const { listeners, addEventListener } = listening();
  load(["menus.js"], { document: { addEventListener, querySelectorAll: () => all.filter((menu) => menu.open) } });
  const openNow = () => all.filter((menu) => menu.open).map(({ name }) => name);
  const fire = (name, event) => listeners.get(name)(event);
  return { focused, openNow, key: (key) => fire("keydown", { key }), press: (target) => fire("click", { target }) };
};

test("Escape closes an open menu and focuses its heading; other keys do not", () => {
  const found = menus("second");
  found.key("Enter");
  same([found.openNow(), found.focused], [["second"], []]);
  found.key("Escape");
  same([found.openNow(), found.focused], [[], ["second"]]);
});

test("a press beside a menu closes it, a press within leaves it open", () => {
  const found = menus("first", "second");
  found.press("first");
  same(found.openNow(), ["first"]);
  found.press("page");
  same([found.openNow(), found.focused], [[], []]);
});

test("paid tables that were open are opened again, if they are still listed", () => {
  const opened = [];
  const tables = { "paid-2": {}, "paid-4": {} };
  for (const [id, table] of Object.entries(tables)) table.setAttribute = (name) => opened.push([id, name]);
  const { listeners, addEventListener } = listening();
  const open = [{ id: "paid-2" }, { id: "paid-3" }];
  load(["money.js"], {
    document: { addEventListener, getElementById: (id) => tables[id] ?? null, querySelectorAll: () => open },
  });
  listeners.get("htmx:afterSwap")();
  same(opened, []);
  listeners.get("htmx:beforeSwap")();
  listeners.get("htmx:afterSwap")();
  same(opened, [["paid-2", "open"]]);
});
