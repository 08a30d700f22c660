/* What was tapped on the tablet at the door without a connection, and what the server says of it later: door.js. */
import { test } from "node:test";
import { Clock, load, same, textStorage } from "./loading.mjs";

const SEND_AGAIN = 5_000;
const DOOR = "http://club.test/p/ABC234/door/key/";
const TAP = { to: DOOR, form: "do=cash", words: "Ruth: cash (Tue 18:58)" };

/* A tablet with a kept tap, which the server answers by such a page. */
const tablet = (answer) => {
  const clock = new Clock();
  const localStorage = textStorage();
  localStorage.setItem("door-taps", JSON.stringify([TAP]));
  const list = { textContent: "", append() {} };
  const elements = {
    offline: { hidden: true },
    refused: { hidden: true, querySelector: (query) => (query === "ul" ? list : { addEventListener() {} }) },
  };
  load(["door.js"], {
    clock, localStorage, addEventListener() {}, fetch: async () => answer,
    document: {
      addEventListener() {}, createElement: () => ({}), getElementById: (id) => elements[id], querySelector: () => null,
    },
  });
  const kept = (name) => JSON.parse(localStorage.getItem(name) ?? "[]");
  return { clock, told: () => [kept("door-taps").length, kept("door-refused"), elements.refused.hidden] };
};

test("a kept tap is sent again, and what the server did not store is shown", async () => {
  for (const [answer, ...told] of [
    [{ status: 200, redirected: true, url: `${DOOR}?here=12` }, 0, [], true],
    [{ status: 200, redirected: true, url: `${DOOR}?here=12&money=paid` }, 0, [TAP.words], false],
    [{ status: 200, redirected: true, url: DOOR }, 0, [TAP.words], false],
    [{ status: 422, redirected: false, url: DOOR }, 0, [TAP.words], false],
    [{ status: 503, redirected: false, url: DOOR }, 1, [], true],
  ]) {
    const found = tablet(answer);
    await found.clock.pass(SEND_AGAIN);
    same(found.told(), told, answer.url);
  }
});
