/* How a clock counts, and when it warns: clock.js. */
import { test } from "node:test";
import { Clock, load, same } from "./loading.mjs";

const WORDS = { clockLeft: "left", clockSoon: "soon", clockLast: "last minute", clockOver: "over", clockBreak: "break" };

/* The classes of an element. */
const classList = () => {
  const classes = new Set();
  return { classes, toggle: (name, isOn) => (isOn ? classes.add(name) : classes.delete(name)) };
};

/* A page with a clock that ends in so many seconds; `fast` is by how much the machine's clock is fast. */
const page = (left, { pause, fast = 0, isCopy = false } = {}) => {
  const clock = new Clock();
  const at = (seconds) => new Date(clock.now + seconds * 1000).toISOString();
  const words = { textContent: "", dataset: WORDS };
  const parent = { classList: classList(), querySelector: () => words };
  const shown = {
    textContent: "", classList: classList(), parentElement: parent,
    dataset: { clockNow: at(0), clockEnds: at(left), ...(pause && { clockThen: at(left + pause) }) },
  };
  clock.now += fast * 1000;
  load(["clock.js"], {
    clock, document: {
      documentElement: { hasAttribute: () => isCopy }, querySelectorAll: () => [shown], addEventListener() {},
    },
  });
  return { clock, told: () => [shown.textContent, words.textContent, [...parent.classList.classes].join()] };
};

test("a clock warns in the last five minutes and in the last one, and counts on with a minus", () => {
  for (const [left, ...told] of [
    [301, "5:01", "left", ""], [300, "5:00", "soon", "soon"], [61, "1:01", "soon", "soon"],
    [60, "1:00", "last minute", "last"], [0, "0:00", "last minute", "last"], [-1, "-0:01", "over", "over"],
    [-61, "-1:01", "over", "over"],
  ]) same(page(left).told(), told, String(left));
});

test("after the end a clock counts down the break that follows", () => {
  for (const [left, ...told] of [
    [1, "0:01", "last minute", "last"], [0, "10:00", "break", ""], [-599, "0:01", "break", "last"],
    [-600, "0:00", "break", "last"], [-601, "-0:01", "over", "over"],
  ]) same(page(left, { pause: 600 }).told(), told, String(left));
});

test("a clock goes by the server's time, and in a copy of a page by the machine's", () => {
  same(page(120, { fast: 90 }).told()[0], "2:00");
  same(page(120, { fast: 90, isCopy: true }).told()[0], "0:30");
});

test("a clock goes on by itself", async () => {
  const { clock, told } = page(61);
  await clock.pass(1000);
  same(told(), ["1:00", "last minute", "last"]);
});
