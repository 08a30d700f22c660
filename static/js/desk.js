/* The desk says when it has lost the server, and locks what would change the evening until it is back. */
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
})();
