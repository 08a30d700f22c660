/* The options of a change open in a sheet above the desk; without this file they are a page of their own.
   htmx fetches that page's own fragment; links and forms in the sheet answer within it. Esc, Close, a press beside
   the sheet and the way back of the browser close it, and the link that opened it has the focus again. */
(() => {
  // a choice made during a search stays
  let keep = null;
  document.addEventListener("htmx:beforeSwap", ({ detail }) => {
    keep = detail.target.id === "ways" && detail.target.querySelector('[name="way"]:checked');
  });
  document.addEventListener("htmx:afterSwap", () => {
    const still = keep && document.getElementById(keep.id);
    if (still) still.checked = true;
    keep = null;
  });

  // a line that is typed over: on a page of its own too
  const begin = (around) => {
    const line = around && around.querySelector("input[data-first]");
    if (line) {
      line.focus();
      line.select();
    }
    return Boolean(line);
  };
  begin(document.querySelector("main.sheet"));

  const dialog = document.getElementById("sheet");
  const body = document.getElementById("sheet-body");
  const problem = document.getElementById("sheet-problem");
  if (!dialog || !dialog.showModal) return;

  const nothing = body.innerHTML;
  let opener = null;
  let question = "";
  let pressed = null; // the button whose answer is awaited
  let leaving = ""; // the page to which an answer leads
  let isAsking = false; // a request that can be given up: it changes nothing
  let isFilled = false; // not if it has been closed between the arrival of an answer and its settling

  // requests without a press, while the user reads or types
  const isLive = (element) => element.id === "search" || element.hasAttribute("data-live");
  const isOnTop = () => Boolean(history.state && history.state.sheet);
  const show = () => {
    if (dialog.open) return;
    dialog.showModal(); // eslint-disable-line members/supported -- looked for above: without it a page opens
    history.pushState({ sheet: true }, "");
  };
  // the same page at another place is another one all the same: something was stored
  const leave = (address) => {
    const to = new URL(address, window.location);
    const isHere = to.pathname + to.search === window.location.pathname + window.location.search;
    window.location.assign(address);
    if (isHere && to.hash) window.location.reload();
  };
  /* the link that opened the sheet, or the same one if the desk has been drawn anew meanwhile */
  const link = () => {
    if (!opener || opener.isConnected) return opener;
    const address = opener.getAttribute("href");
    const links = [...document.querySelectorAll("#main .actions a[data-sheet]")];
    return links.find((anchor) => anchor.getAttribute("href") === address);
  };
  const giveUp = (element) => { if (element) htmx.trigger(element, "htmx:abort"); };

  /* focus the first error; in a new sheet with names, the first of them; else a new question is
     read from its beginning, an answer where it is chosen */
  const focus = () => {
    const heading = document.getElementById("question");
    const isNew = heading.textContent !== question;
    const name = question ? null : body.querySelector(".who [data-combo]");
    question = heading.textContent;
    const wrong = body.querySelector('[aria-invalid="true"]');
    const chosen = isNew || body.querySelector('[role="alert"]') ? null : body.querySelector('[name="way"]:checked');
    if (wrong || !begin(body)) (wrong || name || chosen || heading).focus();
    if (isNew) dialog.scrollTop = 0;
  };

  document.addEventListener("click", (event) => {
    const asked = event.target.closest("a[data-sheet]");
    if (!asked || event.defaultPrevented || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    if (isAsking && opener === asked) return;
    if (isAsking) giveUp(body); // a mistake, or too slow
    opener = asked;
    const answer = htmx.ajax("GET", asked.getAttribute("href"), { source: body, target: body, swap: "innerHTML" });
    answer.catch(() => {}); // handled by the events below
  });
  dialog.addEventListener("click", (event) => {
    if (!event.target.closest("[data-sheet-close]")) return;
    event.preventDefault();
    dialog.close();
  });

  let isBeside = false; // text may be marked from inside the sheet to beside it
  dialog.addEventListener("pointerdown", (event) => {
    isBeside = event.target === dialog && event.offsetX < dialog.clientWidth;
  });
  dialog.addEventListener("click", (event) => { if (isBeside && event.target === dialog) dialog.close(); });

  dialog.addEventListener("close", () => {
    if (isOnTop()) history.back();
    giveUp(document.getElementById("search"));
    if (isAsking) giveUp(body);
    body.innerHTML = nothing;
    isFilled = false;
    problem.hidden = true;
    question = "";
    const back = link();
    if (!back) return;
    const folded = back.closest("details");
    if (folded) folded.open = true;
    back.focus();
  });
  window.addEventListener("popstate", () => {
    const to = leaving;
    leaving = ""; // another place on the page is a step of its own
    if (to) leave(to);
    else if (dialog.open) dialog.close();
  });
  // a desk kept by the browser and shown again begins without a sheet
  window.addEventListener("pageshow", () => {
    leaving = "";
    if (dialog.open) dialog.close();
  });

  // a decision goes before an open question
  body.addEventListener("submit", () => { if (isAsking) giveUp(body); }, true);
  body.addEventListener("htmx:beforeRequest", (event) => {
    problem.hidden = true;
    if (isLive(event.target)) return;
    const { verb, triggeringEvent, elt } = event.detail.requestConfig;
    isAsking = verb === "get";
    pressed = dialog.open ? triggeringEvent?.submitter ?? elt : link();
    if (pressed) pressed.setAttribute("aria-busy", "true");
    giveUp(document.getElementById("search"));
  });
  body.addEventListener("htmx:afterRequest", (event) => {
    if (isLive(event.target)) return;
    isAsking = false;
    if (pressed) pressed.removeAttribute("aria-busy");
  });
  // another page: first the sheet's own step back, so that the way back leads past the sheet
  body.addEventListener("htmx:beforeOnLoad", (event) => {
    const address = event.detail.xhr.getResponseHeader("HX-Redirect");
    if (!address || !isOnTop()) return;
    event.preventDefault();
    leaving = address;
    history.back();
  });
  // a refused answer is shown with its reason; where the page is gone, the whole one says so
  body.addEventListener("htmx:beforeSwap", (event) => {
    const { status } = event.detail.xhr;
    if (status !== 409 && status !== 422) return;
    event.detail.shouldSwap = true;
    event.detail.isError = false;
  });
  body.addEventListener("htmx:afterSwap", (event) => { if (event.detail.target === body) isFilled = true; });
  body.addEventListener("htmx:afterSettle", (event) => {
    if (event.detail.target !== body || !isFilled) return;
    show();
    focus();
  });

  const failed = () => {
    problem.hidden = false;
    if (dialog.open) return;
    show();
    focus();
  };
  body.addEventListener("htmx:sendError", failed);
  body.addEventListener("htmx:timeout", failed);
  body.addEventListener("htmx:responseError", (event) => {
    if (event.detail.xhr.status >= 500) failed();
    else window.location.assign(event.detail.pathInfo.finalRequestPath);
  });
})();
