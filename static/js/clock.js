/* Clocks count down by the server's time: how wrong this machine's clock is follows from data-clock-now, the
   server's time when the page was made. Past zero a clock counts on with a minus, or counts down the break that
   follows. A page that comes from the phone's own store has an old data-clock-now; there the machine's clock is the
   better one. Near the end a clock that has words for it warns: "soon" in the last five minutes, "last" in the last
   one. */
(() => {
  const isCopy = document.documentElement.hasAttribute("data-copy");
  const corrections = new WeakMap();
  const correction = (clock) => {
    if (!corrections.has(clock)) corrections.set(clock, isCopy ? 0 : Date.parse(clock.dataset.clockNow) - Date.now());
    return corrections.get(clock);
  };
  const SOON = 300;
  const LAST = 60; // seconds
  const stage = (left) => (left < 0 ? "over" : left <= LAST ? "last" : left <= SOON ? "soon" : "left");
  const write = (element, text) => { if (element && element.textContent !== text) element.textContent = text; };
  const tick = () => {
    for (const clock of document.querySelectorAll("[data-clock-ends]")) {
      const until = (moment) => Math.trunc((Date.parse(moment) - Date.now() - correction(clock)) / 1000);
      const isBreak = "clockThen" in clock.dataset && until(clock.dataset.clockEnds) <= 0;
      const left = until(isBreak ? clock.dataset.clockThen : clock.dataset.clockEnds);
      const seconds = Math.abs(left);
      write(clock, `${left < 0 ? "-" : ""}${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`);
      clock.classList.toggle("over", left < 0);
      clock.classList.toggle("long", clock.textContent.length > 5);
      const words = clock.parentElement.querySelector("[data-clock-over]");
      if (!words) continue;
      const now = stage(left);
      if (isBreak && left >= 0) write(words, words.dataset.clockBreak);
      else {
        const { clockLeft: plenty, clockSoon: soon, clockLast: last, clockOver: over } = words.dataset;
        write(words, { left: plenty, soon, last, over }[now] ?? plenty);
      }
      for (const name of ["soon", "last", "over"]) clock.parentElement.classList.toggle(name, name === now);
    }
  };
  tick();
  setInterval(tick, 500);
  document.addEventListener("htmx:afterSettle", tick);
})();
