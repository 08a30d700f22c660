/* Clocks count down by the server's time: data-clock-ends and data-clock-now are ISO times, and how wrong
   this machine's clock is follows from the second. Past zero a clock counts on with a minus. */
(() => {
  const offsets = new WeakMap();
  const tick = () => {
    for (const clock of document.querySelectorAll("[data-clock-ends]")) {
      if (!offsets.has(clock)) offsets.set(clock, Date.parse(clock.dataset.clockNow) - Date.now());
      const left = Math.trunc((Date.parse(clock.dataset.clockEnds) - Date.now() - offsets.get(clock)) / 1000);
      const seconds = Math.abs(left);
      const text = `${left < 0 ? "-" : ""}${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
      if (clock.textContent !== text) clock.textContent = text;
      clock.classList.toggle("over", left < 0);
      clock.classList.toggle("soon", left >= 0 && left <= 120);
    }
  };
  tick();
  setInterval(tick, 500);
  document.addEventListener("htmx:afterSwap", tick);
})();
