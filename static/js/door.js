/* The tablet at the door: it returns to the names by itself, and keeps taps while there is no connection. */
(() => {
  const READ_AGAIN = 20000; // milliseconds between two readings of the names
  const SEND_AGAIN = 5000;
  const PATIENCE = 8000;
  const STORE = "door-taps";
  const offline = document.getElementById("offline");
  const recall = () => { try { return JSON.parse(localStorage.getItem(STORE)) || []; } catch { return []; } };
  const keep = (taps) => { try { localStorage.setItem(STORE, JSON.stringify(taps)); } catch { /* then not */ } };
  const line = (form) => { return { to: form.action, token: form.elements.csrfmiddlewaretoken.value }; };
  const ask = (address, options) => fetch(address, { ...options, signal: AbortSignal.timeout(PATIENCE) });

  // back to the names

  const waits = document.querySelector("[data-back]");
  if (waits) {
    let left = Number(waits.dataset.back);
    const text = waits.querySelector("[data-left]");
    const words = text && text.textContent;
    const start = left;
    document.addEventListener("input", () => { left = start; }); // somebody is typing
    setInterval(() => {
      left -= 1;
      if (text) text.textContent = words.replace(String(start), String(Math.max(0, left)));
      if (left <= 0) location.replace(waits.dataset.to);
    }, 1000);
  }

  // taps

  const names = document.querySelector("[data-names]");
  if (!names) return;
  const show = () => {
    const taps = recall();
    offline.hidden = !taps.length;
    for (const tap of taps) {
      const tile = names.querySelector(`button[value="${CSS.escape(tap.people)}"]`);
      if (tile) { tile.classList.add("sent"); tile.disabled = true; }
    }
  };
  const send = ({ to, token, people }) => ask(to, {
    method: "POST", body: new URLSearchParams({ csrfmiddlewaretoken: token, people }),
  });
  let isSending = false;
  const sendKept = async () => {
    if (isSending || !recall().length) return;
    isSending = true;
    try {
      for (let tap = recall()[0]; tap; tap = recall()[0]) {
        const answer = await send(tap);
        if (answer.status >= 500) break; // the server is away: later
        keep(recall().slice(1));
      }
    } catch { /* still no connection */ }
    isSending = false;
    show();
  };
  names.addEventListener("submit", async (event) => {
    const people = event.submitter && event.submitter.value;
    if (!people) return;
    event.preventDefault();
    const tap = { ...line(names), people };
    try {
      const answer = await send(tap);
      if (answer.status >= 500) throw new Error("the server is away");
      if (answer.redirected) location.assign(answer.url);
      else location.reload();
    } catch {
      keep([...recall().filter((kept) => kept.people !== people), tap]);
      show();
    }
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
  setInterval(sendKept, SEND_AGAIN);
  addEventListener("online", sendKept);
  show();
})();
