/* The phone keeps the last plan (service worker) and says so; without a network it says from when it is. */
(() => {
  const show = (id, isShown) => { const line = document.getElementById(id); if (line) line.hidden = !isShown; };
  const plan = () => document.getElementById("plan");

  const offline = () => {
    if (!plan()) return;
    const since = document.getElementById("offline-since");
    if (since) since.textContent = plan().dataset.shownAt;
    show("offline", true);
    show("saved", false);
  };
  const online = () => {
    show("offline", false);
    if (navigator.serviceWorker && navigator.serviceWorker.controller) show("saved", true);
  };

  document.addEventListener("htmx:sendError", offline);
  document.addEventListener("htmx:timeout", offline);
  document.addEventListener("htmx:afterRequest", (event) => { if (event.detail.successful) online(); });
  document.addEventListener("htmx:beforeSwap", (event) => { if (event.detail.xhr.status >= 400) event.detail.shouldSwap = false; });
  window.addEventListener("offline", offline);
  window.addEventListener("online", () => { if (plan()) htmx.trigger(plan(), "htmx:trigger"); });
  if (!navigator.onLine) offline();

  if ("serviceWorker" in navigator) {
    navigator.serviceWorker.register("/sw.js").then(() => navigator.serviceWorker.ready).then((registration) => {
      // the page that registered the worker was not fetched through it: hand it the address to keep
      if (registration.active) {
        registration.active.postMessage({ keep: [location.pathname, ...[...document.querySelectorAll('link[rel="stylesheet"], link[rel="icon"], script[src]')].map((one) => one.href || one.src)] });
        if (plan() && navigator.onLine) show("saved", true);
      }
    }).catch(() => {});
  }
})();
