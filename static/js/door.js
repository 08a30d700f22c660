/* The tablet at the door: it returns to the names by itself, and keeps taps while there is no connection. */
(() => {
  const READ_AGAIN = 20000; // milliseconds between two readings of the names
  const SEND_AGAIN = 5000;
  const PATIENCE = 8000;
  const STORE = "door-taps";
  const REFUSED = "door-refused";
  const RETURN_AGAIN = 5; // seconds until the way back is tried again
  const offline = document.getElementById("offline");
  const refused = document.getElementById("refused");
  const names = document.querySelector("[data-names]");
  const recall = (store = STORE) => {
    try { return JSON.parse(localStorage.getItem(store)) || []; } catch { return []; }
  };
  const keep = (kept, store = STORE) => {
    try { localStorage.setItem(store, JSON.stringify(kept)); } catch { /* then not */ }
  };
  const ask = (address, options) => {
    const stop = new AbortController();
    setTimeout(() => stop.abort(), PATIENCE); // an answer already being read is not aborted
    return fetch(address, { ...options, signal: stop.signal });
  };

  // back to the names

  const waits = document.querySelector("[data-back]");
  if (waits) {
    let left = Number(waits.dataset.back);
    const text = waits.querySelector("[data-left]");
    const words = text && text.textContent;
    const start = left;
    document.addEventListener("input", () => { left = start; }); // a user is typing
    setInterval(() => {
      left -= 1;
      if (text) text.textContent = words.replace(String(start), String(Math.max(0, left)));
      if (left > 0) return;
      left = RETURN_AGAIN;
      ask(waits.dataset.to, {}).then(
        () => location.replace(waits.dataset.to),
        () => { offline.hidden = false; }, // the page stays, instead of the browser's own about the network
      );
    }, 1000);
  }

  // taps that the server did not store: shown until a user has seen them

  const showRefused = () => {
    const taps = recall(REFUSED);
    const list = refused.querySelector("ul");
    refused.hidden = !taps.length;
    list.textContent = "";
    for (const words of taps) list.append(Object.assign(document.createElement("li"), { textContent: words }));
  };
  const refuse = ({ words }) => { keep([...recall(REFUSED), words || ""], REFUSED); showRefused(); };
  refused.querySelector("button").addEventListener("click", () => { keep([], REFUSED); showRefused(); });
  const isStored = ({ redirected, url }) => {
    const said = new URL(url).searchParams;
    return redirected && said.has("here") && !said.has("money"); // money: the reason why no payment was stored
  };
  const timed = (words) => `${words} (${new Date().toLocaleString(document.documentElement.lang, {
    weekday: "short", hour: "2-digit", minute: "2-digit",
  })})`;

  // taps: on names with their people, on payments with the whole form

  const show = () => {
    const taps = recall();
    offline.hidden = !taps.length;
    if (!names) return;
    for (const tap of taps) {
      const tile = [...names.querySelectorAll("button")].find((button) => button.value === tap.people);
      if (tile) { tile.classList.add("sent"); tile.disabled = true; }
    }
  };
  const send = ({ to, csrf, people, form }) => ask(to, {
    method: "POST", body: new URLSearchParams(form || { csrfmiddlewaretoken: csrf, people }),
  });
  let isSending = false;
  const sendKept = async () => {
    if (isSending || !recall().length) return;
    isSending = true;
    try {
      for (let tap = recall()[0]; tap; tap = recall()[0]) {
        const answer = await send(tap);
        if (answer.status >= 500) break; // the server is away: later
        if (!isStored(answer)) refuse(tap);
        keep(recall().slice(1));
      }
    } catch { /* still no connection */ }
    isSending = false;
    show();
  };
  const sendOrKeep = async (tap, others) => {
    try {
      const answer = await send(tap);
      if (answer.status >= 500) throw new Error("the server is away");
      if (answer.redirected) location.assign(answer.url);
      else {
        refuse(tap);
        location.reload();
      }
    } catch {
      keep([...others(), tap]);
      show();
    }
  };
  // Safari before 15.4 does not name the button in the event; a click on it comes first
  let clicked;
  document.addEventListener("click", ({ target }) => { clicked = target.closest("button"); });
  const buttonOf = (event) => event.submitter ?? clicked;
  const pays = document.querySelector("[data-pay]");
  if (pays) pays.addEventListener("submit", (event) => {
    const button = buttonOf(event);
    if (!button) return;
    event.preventDefault();
    const form = new URLSearchParams(new FormData(pays));
    form.set(button.name, button.value);
    for (const other of pays.querySelectorAll("button")) other.disabled = true; // one press, one payment
    const words = timed(`${pays.dataset.who}: ${button.textContent.trim()}`);
    sendOrKeep({ to: pays.action, form: String(form), words }, recall);
  });
  setInterval(sendKept, SEND_AGAIN);
  addEventListener("online", sendKept);
  show();
  showRefused();
  if (!names) return;
  names.addEventListener("submit", (event) => {
    const button = buttonOf(event);
    const people = button?.value;
    if (!people) return;
    event.preventDefault();
    const words = timed(button.dataset.who);
    const tap = { to: names.action, csrf: names.elements.csrfmiddlewaretoken.value, people, words };
    sendOrKeep(tap, () => recall().filter((kept) => kept.people !== people));
  });
  const readAgain = async () => {
    await sendKept();
    if (recall().length) return;
    try {
      const answer = await ask(location.pathname, {});
      if (!answer.ok) return;
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      const fresh = page.querySelector("[data-names]");
      if (!fresh) location.reload();
      else {
        names.querySelector("ul").replaceWith(fresh.querySelector("ul"));
        document.querySelector("h1").replaceWith(page.querySelector("h1"));
      }
    } catch { /* no connection: the names stay */ }
  };
  setInterval(readAgain, READ_AGAIN);
})();
