/* The desk: buttons that change the evening are locked while the server is lost, and calling tables are announced. */
(() => {
  const bar = () => document.getElementById("offline");
  const set = (isOffline) => {
    const line = bar();
    if (line) line.hidden = !isOffline;
    for (const button of document.querySelectorAll("#main form button")) button.disabled = isOffline;
  };
  document.addEventListener("htmx:sendError", () => set(true));
  document.addEventListener("htmx:timeout", () => set(true));
  document.addEventListener("htmx:responseError", (event) => set(event.detail.xhr.status >= 500));
  document.addEventListener("htmx:afterRequest", (event) => { if (event.detail.successful) set(false); });
  window.addEventListener("offline", () => set(true));

  /* announce a calling table by vibration and in the page's title */
  const calls = () => [...document.querySelectorAll("[id^='call-']")].map((call) => call.id);
  let known = calls();
  const tell = () => {
    const open = calls();
    const name = document.title.replace(/^\(\d+\) /, ""); // a press may just have changed it
    document.title = open.length ? `(${open.length}) ${name}` : name;
    if (open.some((call) => !known.includes(call))) navigator.vibrate?.([300, 150, 300]);
    known = open;
  };
  document.addEventListener("htmx:afterSettle", tell);
  tell();

  /* keys of the desk: N goes to the button of the next round, L to a late pair, R to the results */
  const KEYS = {
    n: (to) => to(".go .btn.primary")?.focus(),
    l: (to) => to("a[href$='/change/late/']")?.click(),
    r: (to) => to("#tabs a[href$='/results/']")?.click(),
  };
  document.addEventListener("keydown", (event) => {
    const isTyping = event.target.closest("input, textarea, select, dialog");
    const press = KEYS[event.key.toLowerCase()];
    if (!press || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    press((what) => document.querySelector(what));
  });
})();
