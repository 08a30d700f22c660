/* A page of a player's: whether it may be left, and whether something waits on this phone (letters.js and waiting.js,
   which are loaded where something may). */
self.leaving = (() => {
  const find = (query) => document.querySelector(query);
  const PATIENCE = 4000; // milliseconds until an answer is given up
  const workers = navigator.serviceWorker;
  const { src } = document.currentScript; // the other scripts lie beside this one

  const text = (name) => find("#letters template").content.querySelector(`[data-text="${name}"]`).textContent.trim();
  const refuse = (words) => {
    const said = find("#refused") ?? document.createElement("p");
    Object.assign(said, { id: "refused", className: "note warn" });
    said.setAttribute("role", "alert");
    said.textContent = words;
    find("main").prepend(said);
    scrollTo(0, 0);
  };

  /* Without a connection a link or a form would end in the browser's own error. The worker has a session's pages. */
  const OF_SESSION = /^\/p\/[A-Z0-9]{6}\//i;
  const isReached = () => new Promise((resolve) => {
    // a Wi-Fi or a proxy in trouble answers, too, with a page of its own
    const isOurs = (answer) => answer.text().then((text) => text.trim() === "BridgeBuddy");
    fetch("/ping", { cache: "no-store" }).then(isOurs).then(resolve, () => resolve(false));
    setTimeout(resolve, PATIENCE);
  });
  const ifReached = async (event, does) => {
    event.preventDefault();
    if (await isReached()) does();
    else refuse(text("page"));
  };
  const isPlain = (event) => !(event.button || event.metaKey || event.ctrlKey || event.shiftKey);
  const leave = (event) => {
    const link = event.target.closest?.("a[href]");
    if (!link || event.defaultPrevented || !isPlain(event) || link.origin !== location.origin) return;
    if (workers?.controller && OF_SESSION.test(link.pathname)) return;
    ifReached(event, () => location.assign(link.href));
  };

  /* The button that sends a form. Safari before 15.4 does not name it in the event, or says null. A click on it always
     comes first: browsers also click the first button when Enter is pressed in a field. */
  let clicked;
  const noteClick = ({ target }) => { clicked = target.closest?.("button"); };
  const buttonOf = (event) => event.submitter ?? (clicked?.form === event.target ? clicked : null);
  /* Send a form as the browser would: without `requestSubmit`, which Safari before 16 does not have. */
  const sendPlain = (form, button) => {
    const { name = "", value = "" } = button ?? {}; // a field without a name is not sent
    const field = Object.assign(document.createElement("input"), { type: "hidden", name, value });
    form.append(field);
    form.submit();
    field.remove();
  };
  const send = (event) => {
    if (event.defaultPrevented) return;
    const button = buttonOf(event);
    ifReached(event, () => sendPlain(event.target, button));
  };

  /* Whether a store of letters exists, even an empty one; none is made. If it cannot be told, look. */
  const mayWait = () => new Promise((resolve) => {
    let isThere = true;
    setTimeout(resolve, PATIENCE, true); // some browsers' stores answer nothing at all
    try {
      // "[]" is an empty list
      if ([sessionStorage.letters, localStorage.unsent].some((list) => list?.length > 2)) resolve(true);
      const asked = indexedDB.open("bridgebuddy-table");
      asked.onupgradeneeded = () => { isThere = false; asked.transaction.abort(); };
      asked.onsuccess = () => { asked.result.close(); resolve(true); };
      asked.onerror = (event) => { event?.preventDefault(); resolve(isThere); };
    } catch { resolve(true); }
  });
  const load = (name) => new Promise((resolve, reject) => {
    const script = document.createElement("script");
    Object.assign(script, { src: src.replace("phone.js", name), onload: resolve, onerror: reject });
    document.head.append(script);
  });
  /* The worker keeps the scripts that send them for the time without a network. */
  const keep = () => workers.ready.then(({ active }) => active.postMessage({ keep: "letters" }));
  let loading;
  const look = async () => {
    if (loading || self.letters.look || !(await mayWait())) return; // the strip has this id, too
    if (loading) return;
    loading = load("letters.js").then(() => load("waiting.js")).then(() => { letters.tell(); letters.look(true); });
    loading.catch(() => { loading = undefined; });
    workers?.addEventListener("controllerchange", keep);
    if (workers) keep();
  };

  if (!find("#letters")) return undefined; // the room's display
  addEventListener("click", noteClick, true);
  addEventListener("click", leave);
  addEventListener("submit", send);
  addEventListener("pageshow", look);
  document.addEventListener("visibilitychange", () => { if (!document.hidden) look(); });
  return { buttonOf, isPlain, refuse, text };
})();

/* A page that follows the director, with a network or without. */
(() => {
  if (!self.htmx) return;
  document.documentElement.classList.add("follows"); // without this script the page is reloaded by hand
  const byId = (id) => document.getElementById(id);
  const show = (id, isShown) => { const line = byId(id); if (line) line.hidden = !isShown; };
  const isCopy = document.documentElement.hasAttribute("data-copy");
  const key = () => `checked ${location.pathname}`;
  let isSaved = isCopy;

  // when this plan was last known to be right
  const version = () => byId("live")?.dataset.version;
  const remember = (time) => {
    try { localStorage.setItem(key(), `${version()} ${time}`); } catch { /* the page's own time has to do */ }
  };
  const recall = () => {
    try {
      const [kept, time] = localStorage.getItem(key()).split(" ");
      return kept === version() && time;
    } catch { return ""; }
  };
  const write = (time) => { const since = byId("since"); if (since && time) since.textContent = time; };
  const now = () => new Date().toLocaleTimeString("de", { hour: "2-digit", minute: "2-digit" });

  const lost = () => { show("offline", true); show("saved", false); };
  const found = () => { show("offline", false); show("saved", isSaved); };
  const checked = () => { write(now()); remember(now()); found(); };

  if (isCopy) { write(recall()); lost(); } else checked();
  window.addEventListener("offline", lost);

  const look = () => { const live = byId("live"); if (live?.hasAttribute("hx-get")) htmx.trigger(live, "look"); };
  const turn = Math.random() * 1000; // of a room's phones each has its own part of a second
  window.addEventListener("online", () => setTimeout(look, turn));
  document.addEventListener("visibilitychange", () => { if (!document.hidden) look(); });
  window.addEventListener("pageshow", (event) => { if (event.persisted) look(); });
  /* It asks more often when a round ends, and for a minute after news, which seldom come alone. */
  const OFTEN = 2000;
  const MINUTE = 60 * 1000;
  const LONGEST_OVER = 10 * MINUTE; // then the clock no longer matters
  let news = Date.now();
  let skew = 0; // how wrong this phone's clock is
  const read = () => { skew = Date.parse(byId("live")?.dataset.now) - Date.now(); };
  const isSoon = () => {
    const left = Date.parse(byId("live")?.dataset.ends) - Date.now() - skew;
    return left < MINUTE && left > -LONGEST_OVER;
  };
  const ask = () => { if (!document.hidden && (Date.now() - news < MINUTE || isSoon())) look(); };
  setTimeout(() => setInterval(ask, OFTEN), turn * OFTEN / 1000);
  document.addEventListener("htmx:afterSettle", (event) => {
    if (event.target.id === "live") { news = Date.now(); read(); }
  });
  read();
  // typed before htmx was there to hear it
  document.addEventListener("DOMContentLoaded", () => {
    const typed = byId("q");
    if (typed && typed.value !== typed.defaultValue) htmx.trigger(typed, "search");
  });

  for (const why of ["sendError", "timeout"]) document.addEventListener(`htmx:${why}`, lost);
  document.addEventListener("htmx:responseError", ({ detail: { xhr } }) => {
    // up to 410 our own server answers that the page is no longer valid here: its code was renewed, or has ended
    if (xhr.status > 499 || !xhr.responseText.includes('id="main"')) lost();
    else if (xhr.status > 410) found();
    else if (self.tables) tables.renew();
    else location.reload();
  });
  // a stranger's answer never replaces a page
  document.addEventListener("htmx:beforeSwap", ({ detail }) => {
    const isForeign = detail.shouldSwap && !detail.serverResponse.includes(`id="${detail.target.id}"`);
    if (isForeign) { detail.shouldSwap = false; detail.xhr.isForeign = true; lost(); }
  });
  document.addEventListener("htmx:afterRequest", ({ detail: { successful, xhr } }) => {
    if (successful && !xhr.isForeign) checked();
  });

  const workers = navigator.serviceWorker; // with HTTPS only
  if (!workers) return;
  const keep = () => workers.ready.then((registration) => {
    registration.active.postMessage({ keep: location.pathname, version: version() });
  });
  workers.addEventListener("message", (event) => {
    if (event.data.kept !== location.pathname || event.data.version !== version()) return;
    isSaved = true;
    if (byId("offline")?.hidden !== false) show("saved", true);
  });
  workers.addEventListener("controllerchange", keep);
  // the copy is of an older plan until the worker has another
  const outdated = (event) => { if (event.target.id === "live") { isSaved = false; show("saved", false); } };
  document.addEventListener("htmx:afterSwap", outdated);
  document.addEventListener("htmx:afterSettle", (event) => {
    outdated(event);
    if (event.target.id === "live") keep();
  });
  workers.register("/sw.js").then(keep).catch(() => { /* nothing is saved, nor said to be */ });
})();
