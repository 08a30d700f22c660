/* The screen of the room: which pages it shows, and when it sounds: room.js and sound.js. */
import { test } from "node:test";
import { Clock, load, same } from "./loading.mjs";

const TURN = 12_000;

/* A screen: for each section its halves, or itself, with so many pages. */
const screen = (sections) => {
  const clock = new Clock();
  const halves = [];
  const displays = sections.map((counts) => {
    const parts = counts.map((count) => {
      const pages = Array.from({ length: count }, () => ({ hidden: false }));
      return { pages, querySelectorAll: () => pages };
    });
    halves.push(...parts);
    return { hidden: false, parts, querySelectorAll: (query) => (query === "[data-half]" ? parts : []) };
  });
  load(["room.js"], {
    clock,
    document: {
      addEventListener() {}, getElementById: () => ({ classList: { add() {} } }), querySelectorAll: () => displays,
    },
  });
  /* For each section shown the pages that its halves show. */
  const shown = () => displays.filter(({ hidden }) => !hidden).map(({ parts }) => parts.map(
    ({ pages }) => pages.flatMap((page, at) => (page.hidden ? [] : [at]))));
  return { clock, shown };
};

test("pages take turns, and beside a long half the short one shows its own again", async () => {
  const { clock, shown } = screen([[3, 1]]);
  const turns = [];
  for (let turn = 0; turn < 4; turn += 1) {
    turns.push(shown());
    await clock.pass(TURN);
  }
  same(turns, [[[[0], [0]]], [[[1], [0]]], [[[2], [0]]], [[[0], [0]]]]);
});

test("sections take turns after their own pages", async () => {
  const { clock, shown } = screen([[2], [1]]);
  const turns = [];
  for (let turn = 0; turn < 4; turn += 1) {
    turns.push(shown());
    await clock.pass(TURN);
  }
  same(turns, [[[[0]]], [[[1]]], [[[0]]], [[[0]]]]);
});

/* A screen with a clock in this stage, whose sound is on; `strikes` counts the gong. */
const sounding = (stage) => {
  const clock = new Clock();
  const found = { clock, stage, strikes: 0 };
  const connect = (to) => to;
  class Sound {
    currentTime = 0;
    resume() {}
    createOscillator() { return { frequency: {}, connect, start() { found.strikes += 1 / 3; }, stop() {} }; }
    createGain() { return { gain: { setValueAtTime() {}, setTargetAtTime() {} }, connect }; }
  }
  let press;
  const button = { dataset: {}, addEventListener: (_name, does) => { press = does; }, querySelector: () => ({}) };
  const timer = { classList: { contains: (name) => name === found.stage }, querySelector: () => ({}) };
  load(["sound.js"], {
    clock, window: { AudioContext: Sound },
    document: {
      getElementById: () => ({ hidden: true, querySelector: () => button }),
      querySelectorAll: () => [{ dataset: { display: "A", say: "Move" }, querySelector: () => timer }],
    },
  });
  press();
  return found;
};
const HALF_A_SECOND = 500;

test("the gong is tried once, and is not struck for what was over before the page was opened", async () => {
  for (const stage of ["", "soon", "last", "over"]) {
    const found = sounding(stage);
    await found.clock.pass(HALF_A_SECOND);
    await found.clock.pass(HALF_A_SECOND);
    same(Math.round(found.strikes), 1, stage);
  }
});

test("it is struck once for the last five minutes and three times for the end", async () => {
  const found = sounding("");
  const heard = [];
  for (const stage of ["", "soon", "soon", "last", "over", "over"]) {
    found.stage = stage;
    await found.clock.pass(HALF_A_SECOND);
    heard.push(Math.round(found.strikes));
  }
  same(heard, [1, 2, 2, 2, 5, 5]);
});
