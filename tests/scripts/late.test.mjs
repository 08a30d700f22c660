/* The minutes until a late pair comes: late.js. */
import { test } from "node:test";
import { Clock, load, same } from "./loading.mjs";

test("a late pair's minutes are counted up to the last second, and then it is said to be due", async () => {
  const clock = new Clock();
  const minutes = { textContent: 2 };
  const late = new Date(clock.now + 120000).toISOString();
  const line = {
    dataset: { late, now: new Date(clock.now).toISOString(), over: "They are due." }, textContent: "",
    querySelector: () => minutes,
  };
  load(["late.js"], { clock, document: { querySelectorAll: () => [line], addEventListener() {} } });
  same([minutes.textContent, line.textContent], [2, ""]);
  for (const [wait, shown, due] of [[55000, 2, ""], [5000, 1, ""], [55000, 1, ""], [5000, 1, "They are due."]]) {
    await clock.pass(wait);
    same([minutes.textContent, line.textContent], [shown, due], String(wait));
  }
});

test("a late pair that is due when the page comes is said to be so at once", () => {
  const clock = new Clock();
  const now = new Date(clock.now).toISOString();
  const line = { dataset: { late: now, now, over: "They are due." }, textContent: "", querySelector: () => null };
  load(["late.js"], { clock, document: { querySelectorAll: () => [line], addEventListener() {} } });
  same(line.textContent, "They are due.");
});
