/* A table's phone. The keys of a board answer at once instead of asking for a page each, and what is entered without
   a network waits in the phone: it is sent in order, each under its own key, so that it counts once however often it
   is sent. Without this script everything but the waiting works by forms and links. */
(() => {
  const all = (query, within = document) => [...within.querySelectorAll(query)];
  const one = (query, within = document) => within.querySelector(query);
  const PATIENCE = 8000; // milliseconds until what is sent waits on the phone
  const AGAIN = 10000;
  const newKey = () => [...crypto.getRandomValues(new Uint8Array(16))]
    .map((byte) => byte.toString(16).padStart(2, "0")).join("");

  // ── what waits ──

  const opened = new Promise((resolve, reject) => {
    const asked = indexedDB.open("bridgebuddy-table", 1);
    asked.onupgradeneeded = () => asked.result.createObjectStore("waiting", { keyPath: "id", autoIncrement: true });
    asked.onsuccess = () => resolve(asked.result);
    asked.onerror = () => reject(asked.error);
  });
  opened.catch(() => { /* a private window: then nothing waits, and the form is sent as forms are */ });
  const store = async (mode, does) => {
    const database = await opened;
    return new Promise((resolve, reject) => {
      const work = database.transaction("waiting", mode);
      const asked = does(work.objectStore("waiting"));
      work.oncomplete = () => resolve(asked.result);
      work.onerror = () => reject(work.error);
      work.onabort = work.onerror;
    });
  };
  const waiting = () => store("readonly", (kept) => kept.getAll());

  const send = (address, body, redirect) => {
    const stop = new AbortController();
    const timer = setTimeout(() => stop.abort(), PATIENCE);
    const headers = { "Content-Type": "application/x-www-form-urlencoded" };
    return fetch(address, { method: "POST", body, headers, redirect, signal: stop.signal })
      .finally(() => clearTimeout(timer));
  };

  const NEVER = [404, 422]; // the server has read it, and will not have it: the next one need not wait for it
  let isSending = false;
  const sendAll = async () => {
    if (isSending) return;
    isSending = true;
    let sent = 0;
    try {
      for (const entry of await waiting()) {
        const answer = await send(entry.address, entry.body, "manual");
        if (answer.ok || answer.type === "opaqueredirect") {
          await store("readwrite", (kept) => kept.delete(entry.id));
          sent += 1;
        } else if (NEVER.includes(answer.status)) {
          await store("readwrite", (kept) => kept.put({ ...entry, isRefused: true }));
        } else break;
      }
    } catch { /* no network: later */ }
    isSending = false;
    await tell();
    if (sent && one("#live")) htmx.trigger("#live", "look");
  };

  // ── the page of the round ──

  const tell = async () => {
    let entries = [];
    try { entries = await waiting(); } catch { return; }
    const told = one("#waiting");
    if (!told) return;
    const mine = entries.filter((entry) => entry.address.startsWith(location.pathname));
    told.hidden = !mine.length;
    const count = one("b", told);
    if (count) count.textContent = mine.length;
    const kept = new Map(mine.map((entry) => [entry.play, entry]));
    const next = all("[data-enter]");
    let isOffered = false;
    for (const link of next) {
      link.hidden = isOffered || kept.has(link.dataset.enter);
      isOffered ||= !link.hidden;
    }
    for (const line of all("[data-waits]")) {
      const entry = kept.get(line.dataset.waits);
      line.hidden = !entry;
      if (!entry) continue;
      one("[data-said]", line).textContent = entry.said;
      one("[data-refused]", line).hidden = !entry.isRefused;
    }
    for (const line of all(".brds [data-play]")) {
      const isNext = next.some((link) => !link.hidden && link.dataset.enter === line.dataset.play);
      line.hidden = kept.has(line.dataset.play) || isNext;
    }
  };

  const keep = () => navigator.serviceWorker?.ready.then((registration) => {
    const pads = all("[data-enter]").map((link) => link.pathname);
    for (const path of [location.pathname, ...pads]) registration.active.postMessage({ keep: path, version: "" });
  });

  // ── the keys of a board ──

  const tapped = { level: "", strain: "", dbl: "", by: "" };
  const pad = () => one("#pad");

  const press = (key) => {
    tapped[key.name] = key.value;
    for (const other of all(`[data-pad] [name="${key.name}"].key`)) {
      other.classList.toggle("on", other === key);
      other.setAttribute("aria-pressed", other === key);
    }
  };

  const isVulnerable = () => pad().dataset.vulnerable.includes(tapped.by);
  const MINUS = "\u2212";
  const signed = (points) => (points > 0 ? `+${points}` : points < 0 ? `${MINUS}${-points}` : "0");

  /* What a contract is worth (Law 77), as North-South see it. */
  const points = (tricks) => {
    const [level, doubled, vulnerable] = [Number(tapped.level), tapped.dbl.length, isVulnerable()];
    const over = tricks - 6 - level;
    let score;
    if (over < 0) {
      const under = -over;
      const first = under === 1 ? 200 : under === 2 ? 300 : 400;
      if (!doubled) score = -under * (vulnerable ? 100 : 50);
      else score = -(300 * under - (vulnerable ? 100 : first)) * doubled;
    } else {
      const each = "CD".includes(tapped.strain) ? 20 : 30;
      const bid = (each * level + (tapped.strain === "NT" ? 10 : 0)) << doubled;
      const slam = level < 6 ? 0 : (level === 6 ? 500 : 1000) * (vulnerable ? 1.5 : 1);
      const bonus = (bid < 100 ? 50 : vulnerable ? 500 : 300) + slam;
      const more = doubled ? 100 * doubled * (vulnerable ? 2 : 1) : each;
      score = bid + bonus + 50 * doubled + over * more;
    }
    return "NS".includes(tapped.by) ? score : -score;
  };

  /* The second question, made of the keys that stand in the page, unseen until now. */
  const askTricks = () => {
    const asked = one("#tricks");
    const level = Number(tapped.level);
    const chosen = (name) => one(`[data-pad] [name="${name}"][value="${tapped[name]}"].key`);
    const bid = one("[data-bid]", asked);
    bid.replaceChildren(tapped.level, ...[...chosen("strain").childNodes]
      .filter((node) => node.nodeName !== "SMALL").map((node) => node.cloneNode(true)), tapped.dbl.toUpperCase());
    const chair = chosen("by").dataset.chair;
    const name = one("[data-name]", chosen("by")).textContent;
    one("[data-by]", asked).textContent = [chair, name].filter(Boolean).join(", ");
    for (const place of all("[data-chair-asked]", asked)) place.textContent = chair;
    one('[name="contract"]', asked).value = `${tapped.level}${tapped.strain}${tapped.dbl}`;
    one('[name="declarer"]', asked).value = tapped.by;
    const keys = new Map(all('[name="tricks"]', asked).map((key) => [Number(key.value), key]));
    for (const [tricks, key] of keys) {
      const over = tricks - 6 - level;
      one("b", key).textContent = over === 0 ? "=" : signed(over);
      one(".sc", key).textContent = signed(points(tricks));
      key.classList.toggle("made", over >= 0);
      key.classList.toggle("down", over < 0);
    }
    const rows = one(".pad.r", asked);
    const place = (hasMore) => {
      const down = hasMore ? 6 + level : 3;
      const more = one("[data-more]", asked);
      rows.replaceChildren();
      const made = 13 - 6 - level + 1;
      for (let row = 0; row < Math.max(made, down + (hasMore ? 0 : 1)); row += 1) {
        const right = row < down ? keys.get(6 + level - 1 - row) : row === down && !hasMore ? more : null;
        rows.append(keys.get(row < made ? 6 + level + row : -1) ?? document.createElement("span"));
        rows.append(right ?? document.createElement("span"));
      }
      more.hidden = hasMore;
    };
    place(false);
    one("[data-more]", asked).onclick = () => place(true);
    pad().hidden = true;
    asked.hidden = false;
    const heading = one("h1", asked);
    heading.tabIndex = -1;
    heading.focus();
    scrollTo(0, 0);
  };

  const change = () => {
    one("#tricks").hidden = true;
    pad().hidden = false;
    one("h1", pad()).focus();
  };

  const tap = (event) => {
    const key = event.target.closest("[data-pad] .key");
    const asksServer = pad()?.dataset.lead && navigator.onLine;
    if (!key || !pad() || asksServer || !(key.name in tapped)) return;
    event.preventDefault();
    press(key);
    if (key.name === "by" && tapped.level && tapped.strain) askTricks();
  };

  // ── sending ──

  const words = (form, button) => {
    if (button.name !== "tricks") return button.textContent.trim();
    const bid = one("[data-bid]").cloneNode(true);
    for (const suit of all("svg", bid)) suit.replaceWith(` ${suit.getAttribute("aria-label")} `);
    const score = one(".sc", button).textContent;
    return `${bid.textContent.trim()} ${one('[name="declarer"]', form).value} ${one("b", button).textContent} ${score}`;
  };

  const submit = async (event) => {
    const { target: form, submitter } = event;
    if (!form.matches("[data-sends]") || !submitter?.name) return;
    event.preventDefault();
    const said = new FormData(form, submitter);
    said.set("key", newKey());
    const body = new URLSearchParams(said);
    const address = form.getAttribute("action");
    for (const button of all("button", form)) button.disabled = true;
    try {
      const entries = await waiting().catch(() => []);
      if (entries.length) throw new Error("others wait before it");
      const answer = await send(address, body.toString(), "follow");
      if (answer.status < 500) {
        if (answer.ok) { location.assign(answer.url); return; }
        for (const button of all("button", form)) button.disabled = false;
        for (const [name, value] of said) { // let the page say what is wrong: the same form, under the same key
          const field = one(`input[name="${name}"]`, form) ?? form.appendChild(document.createElement("input"));
          Object.assign(field, { type: "hidden", name, value });
        }
        form.submit();
        return;
      }
    } catch { /* no network, or one too slow */ }
    body.set("late", "1");
    const entry = { address, body: body.toString(), play: pad().dataset.play, said: words(form, submitter) };
    try {
      await store("readwrite", (kept) => kept.add(entry));
      location.assign(one(".entrybar .back").href);
    } catch { form.submit(); }
  };

  document.addEventListener("click", tap);
  document.addEventListener("submit", submit);
  document.addEventListener("click", (event) => {
    if (!event.target.closest("[data-change]")) return;
    event.preventDefault();
    change();
  });
  document.addEventListener("htmx:afterSettle", () => { tell(); keep(); });
  window.addEventListener("online", sendAll);
  window.addEventListener("pageshow", () => { tell(); sendAll(); });
  setInterval(sendAll, AGAIN);
  if (one("#live")) keep();
  if (pad()) for (const name of Object.keys(tapped)) tapped[name] = pad().dataset[name] ?? "";
})();
