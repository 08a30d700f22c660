/* Late arrivals: the minutes until their arrival are counted down without asking the server. */
(() => {
  const MINUTE = 60000;
  const since = new WeakMap(); // when each line was first seen here: a device's own clock may be wrong
  const tell = () => {
    for (const line of document.querySelectorAll("[data-late]")) {
      if (!since.has(line)) since.set(line, performance.now());
      const left = Date.parse(line.dataset.late) - Date.parse(line.dataset.now) - (performance.now() - since.get(line));
      const minutes = line.querySelector("b");
      if (left <= 0) line.textContent = line.dataset.over;
      else if (minutes) minutes.textContent = Math.ceil(left / MINUTE);
    }
  };
  document.addEventListener("htmx:afterSettle", tell);
  setInterval(tell, 5000);
  tell();
})();
