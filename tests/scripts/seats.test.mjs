/* Seats by the keyboard: seats.js. */
import { test } from "node:test";
import { load, same } from "./loading.mjs";

/* A page whose rows are tables: the names of their seats, or nothing where a seat is free. */
const page = (rows) => {
  const found = { focused: [], sent: [] };
  const seats = new Map();
  const lines = rows.map((names) => {
    const row = {};
    row.cells = names.map((name, cellIndex) => {
      const cell = { cellIndex, parentElement: row, classList: { toggle() {} } };
      const seat = { dataset: { seat: name }, matches: () => true, closest: () => cell, focus: () => found.focused.push(name) };
      if (name) seats.set(name, seat);
      return Object.assign(cell, { querySelector: () => (name ? seat : null) });
    });
    row.querySelectorAll = () => names.filter(Boolean).map((name) => seats.get(name));
    return row;
  });
  lines.forEach((row, index) => {
    row.previousElementSibling = lines[index - 1] ?? null;
    row.nextElementSibling = lines[index + 1] ?? null;
  });
  const handlers = new Map();
  load(["seats.js"], {
    addEventListener() {}, htmx: { ajax: async (way, address, { values }) => { found.sent.push([address, values]); } },
    document: {
      addEventListener: (name, does) => handlers.set(name, does), getElementById: () => null,
      querySelector: () => ({ dataset: { swapUrl: "/swap/" } }), querySelectorAll: () => seats.values(),
    },
  });
  found.press = (name, key) => handlers.get("keydown")({ key, target: seats.get(name), preventDefault() {} });
  return found;
};
const TABLES = [["NS1", "EW1"], [null, "EW2"], ["NS3", "EW3"]];

test("the arrows go to the seat beside, above and below, past free seats, and stay at the edge", () => {
  for (const [from, key, to] of [
    ["NS1", "ArrowRight", ["EW1"]], ["EW1", "ArrowLeft", ["NS1"]], ["NS1", "ArrowDown", ["NS3"]],
    ["NS3", "ArrowUp", ["NS1"]], ["EW1", "ArrowDown", ["EW2"]], ["EW3", "ArrowUp", ["EW2"]], ["NS1", "ArrowUp", []],
    ["EW3", "ArrowDown", []],
  ]) {
    const found = page(TABLES);
    found.press(from, key);
    same(found.focused, to, `${from} ${key}`);
  }
});

test("Space picks a pair up and puts it down at another seat; at its own, or after Esc, nothing is sent", () => {
  for (const [presses, sent] of [
    [[["NS1", " "], ["EW2", " "]], [["/swap/", { one: "NS1", other: "EW2" }]]],
    [[["NS1", " "], ["NS1", " "]], []],
    [[["NS1", " "], ["NS1", "Escape"], ["EW2", " "]], []],
  ]) {
    const found = page(TABLES);
    for (const [seat, key] of presses) found.press(seat, key);
    same(found.sent, sent);
  }
});
