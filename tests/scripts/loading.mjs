/* Load the phone's scripts as a browser does, one after the other in one scope, with fakes for what the browser has. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createContext, runInContext } from "node:vm";

const SCRIPTS = new URL("../../static/js/", import.meta.url);

/* Compare what a script made with what is expected: the script's arrays are of another scope than the test's. */
export const same = (made, expected, words) => assert.deepEqual(structuredClone(made), expected, words);

/* Wait until everything has been done that does not wait for a timer. */
export const settle = async () => { for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate); };

/* Timers that fire only when the test lets time pass. */
export class Clock {
  now = Date.parse("2026-11-24T19:00:00Z");
  #timers = new Map();
  #next = 1;
  setTimeout = (does, wait = 0, ...given) => {
    this.#timers.set(this.#next, { at: this.now + wait, does: () => does(...given) });
    return this.#next++;
  };
  /* Fires at most once whenever the test lets time pass. */
  setInterval = (does, wait) => {
    const fire = () => { this.setTimeout(fire, wait); does(); };
    return this.setTimeout(fire, wait);
  };
  clearTimeout = (timer) => { this.#timers.delete(timer); };
  async pass(milliseconds) {
    await settle();
    this.now += milliseconds;
    for (const [name, { at, does }] of [...this.#timers]) {
      if (at > this.now || !this.#timers.delete(name)) continue;
      does();
      await settle();
    }
  }
}

/* A place for names and texts, as localStorage and sessionStorage are; one that is full or blocked throws. */
export const textStorage = ({ throws = false } = {}) => {
  const texts = new Map();
  const guard = () => { if (throws) throw new Error("QuotaExceededError"); };
  return {
    texts,
    getItem: (name) => { guard(); return texts.get(name) ?? null; },
    setItem: (name, text) => { guard(); texts.set(name, text); },
  };
};

/* An IndexedDB with one store. `mode` says what is wrong with it: "silent" fires no event, "refused" opens nothing,
   "full" takes nothing more. */
export const database = () => {
  const rows = new Map();
  let last = 0;
  const later = (does) => queueMicrotask(() => { if (found.mode !== "silent") does(); });
  const transaction = () => {
    const work = {};
    const answer = (result) => { const asked = { result }; later(() => asked.onsuccess?.()); return asked; };
    const store = {
      getAll: () => answer([...rows.values()]),
      get: (id) => answer(rows.get(id)),
      add: (row) => {
        if (found.mode === "full") { later(() => work.onabort()); return {}; }
        last += 1;
        rows.set(last, { ...row, id: last });
        return answer(last);
      },
      put: (row) => answer(rows.set(row.id, row)),
      delete: (id) => answer(rows.delete(id)),
    };
    queueMicrotask(() => queueMicrotask(() => later(() => work.oncomplete?.())));
    return Object.assign(work, { objectStore: () => store });
  };
  const found = {
    rows,
    mode: "",
    open: () => {
      const asked = { result: { transaction, close() {} }, error: new Error("refused") };
      if (found.mode === "refused") throw asked.error;
      later(() => asked.onsuccess?.());
      return asked;
    },
  };
  return found;
};

/* Run scripts of static/js in a scope of their own and return it. */
export const load = (names, fakes) => {
  const scope = { URL, URLSearchParams, Headers, Request, Response, AbortController, queueMicrotask, crypto, ...fakes };
  if (fakes.clock) {
    const { clock } = fakes;
    scope.Date = class extends Date {
      constructor(...given) { super(...(given.length ? given : [clock.now])); }
      static now() { return clock.now; }
    };
    scope.performance = { now: () => clock.now };
    for (const name of ["setTimeout", "setInterval", "clearTimeout"]) scope[name] = clock[name];
  }
  scope.self = scope;
  createContext(scope);
  for (const name of names) runInContext(readFileSync(new URL(name, SCRIPTS), "utf8"), scope, { filename: name });
  return scope;
};
