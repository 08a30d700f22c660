/* A table's phone. All questions of a board stand in its page, and the pages of a table follow each other without being
   left, so that all of it works without a network, with a worker or (on http) without. What is said is a letter
   (letters.js). Without this script everything but the waiting works by forms and links. */
(() => {
  // an older browser, or a script not loaded: links and forms work alone
  if (!self.htmx || !self.leaving || !self.letters?.look || !document.body.replaceChildren) return;
  const all = (query, within = document) => [...within.querySelectorAll(query)];
  const find = (query, within = document) => within.querySelector(query);

  // ── the second half of a double tap presses nothing ──

  const DOUBLE_TAP = 700; // milliseconds in which a second tap belongs to the first
  const SPOT = 40; // pixels that it may be away from it
  let lastTap; // place of the last tap; a keyboard or a screen reader has none
  let guarded; // the spot that takes no tap yet, because another step has come under it
  const guardSpot = () => {
    const spot = lastTap;
    guarded = spot;
    setTimeout(() => { if (guarded === spot) guarded = undefined; }, DOUBLE_TAP);
  };
  const ignoreSecondTap = (event) => {
    const { clientX: x, clientY: y } = event;
    const isTap = event.detail > 0;
    if (isTap && guarded && Math.hypot(x - guarded.x, y - guarded.y) < SPOT) {
      event.preventDefault();
      event.stopImmediatePropagation();
    } else lastTap = isTap ? { x, y } : undefined;
  };

  // ── the page of the round ──

  /* Table and board of the page. */
  const place = () => find("main").dataset;

  /* Hide the buttons of boards whose result waits on this phone, or was sent after an old copy was made. */
  const sent = new Set();
  let shown = ""; // addresses of the copies
  let coming = ""; // the next round's boards, which are shown only while there is no network
  const tell = (waiting) => {
    const { at } = place();
    const kept = new Map(waiting.filter((letter) => at && letter.address.startsWith(at))
      .map((letter) => [letter.play, letter]));
    const next = all("[data-enter]");
    let isOffered = false;
    for (const link of next) {
      const { enter } = link.dataset;
      link.hidden = isOffered || kept.has(enter) || sent.has(enter);
      isOffered = isOffered || !link.hidden;
    }
    const later = find("#coming");
    if (later) {
      later.hidden = !coming || find("#offline").hidden;
      if (!later.hidden && later.dataset.of !== shown) later.innerHTML = coming;
      if (!later.hidden) later.dataset.of = shown;
      for (const link of all("[data-coming]", later)) link.hidden = kept.has(link.dataset.coming);
    }
    for (const asked of all("[data-asks]")) asked.hidden = kept.has(asked.dataset.asks);
    for (const line of all("[data-waits]")) {
      const letter = kept.get(line.dataset.waits);
      line.hidden = !letter;
      if (letter) find("[data-said]", line).textContent = letter.said;
    }
    for (const line of all(".brds [data-play]")) {
      const isNext = next.some((link) => !link.hidden && link.dataset.enter === line.dataset.play);
      line.hidden = kept.has(line.dataset.play) || isNext;
    }
  };

  // ── from page to page: each is put into this one, so that nothing but ours is ever shown ──

  const OF_TABLES = /^\/p\/[^/]+\/table\//;
  const OF_BOARD = /^.*\/board\/\d+\//;
  const SOON = 4000; // milliseconds until a copy is better than waiting
  const LONG = 12000; // and until there is none
  const AGAIN = 10000;
  const copies = new Map(); // by path, as long as this page is open; the worker, where there is one, has its own

  /* The copy of a page; for any page about a board, its keys. */
  const copyOf = async ({ pathname, search }) => {
    const keys = OF_BOARD.exec(pathname)?.[0];
    for (const path of [pathname + search, ...(keys ? [pathname, keys] : [])]) {
      if (copies.has(path)) return copies.get(path);
      const kept = await self.caches?.match(path).catch(() => undefined);
      if (kept) return kept.text();
    }
    return undefined;
  };

  const read = (text) => {
    const page = new DOMParser().parseFromString(text, "text/html");
    return find("main.phone", page) ? page : undefined;
  };

  /* A page as the server has it now; undefined if a stranger answers, or no server. */
  const fetched = async (address, patience) => {
    const answer = await letters.ask(address, {}, patience);
    const page = answer && answer.status < 500 ? read(answer.text) : undefined;
    return page && { page, address: new URL(answer.address) };
  };

  let live = ""; // the path of the page of the round that is shown, or was
  let going = 0; // a later tap replaces an earlier one
  /* A page that waits for the other side asks again and again, and its answer loads the page anew.
     It must not do so over the page that follows a press. */
  let isSending = false;
  const stopAsking = () => { if (find("#answer")) htmx.trigger("#answer", "htmx:abort"); };
  const holdQuestion = (event) => {
    if (event.target.id === "answer" && (isSending || find("main[aria-busy]"))) event.preventDefault();
  };

  const go = async (href, isBack = false) => {
    stopAsking();
    going += 1;
    const mine = going;
    const wanted = new URL(href, location.href);
    find("main").setAttribute("aria-busy", "true");
    const copy = await copyOf(wanted);
    const found = await fetched(wanted.href, copy ? SOON : LONG);
    if (mine !== going) return;
    find("main").removeAttribute("aria-busy");
    if (found && !OF_TABLES.test(found.address.pathname)) { location.assign(found.address); return; }
    if (!found && !copy) { leaving.refuse(leaving.text("page")); return; }
    if (find("#live")) copies.set(live, document.documentElement.outerHTML);
    const { page, address } = found ?? { page: read(copy), address: wanted };
    if (!isBack) history.pushState(null, "", address);
    document.title = page.title;
    const strip = find("#letters"); // it may be open
    document.body.replaceChildren(...page.body.childNodes);
    find("#letters").replaceWith(strip);
    if (find("#offline")) find("#offline").hidden = Boolean(found);
    if (found && find("#live")) sent.clear();
    htmx.process(document.body);
    scrollTo(0, 0);
    guardSpot();
    const heading = find("main h1");
    if (heading) { heading.tabIndex = -1; heading.focus({ preventScroll: true }); }
    begin();
    if (!found) replaceCopy(mine);
  };

  /* The page of a finished session does not poll: while a copy of it is shown, poll here. */
  const replaceCopy = async (mine = going) => {
    await new Promise((resolve) => { setTimeout(resolve, AGAIN); });
    if (mine !== going || !find("#live:not([hx-get])")) return;
    if (await fetched(location.href, LONG)) renew();
    else replaceCopy(mine);
  };

  /* Fetch the keys of all boards for this phone in one request, if a board or a name may be new. */
  let isFetching = false;
  const keep = async () => {
    const isShown = find("#live")?.dataset.version?.split("-")[0];
    if (isShown === undefined || isFetching) return;
    const wanted = all("#live a").map((link) => OF_BOARD.exec(link.pathname)?.[0]).filter(Boolean);
    if (isShown === shown && wanted.every((path) => copies.has(path))) return;
    isFetching = true;
    const answer = await letters.ask(`${place().at}pads/`);
    isFetching = false;
    let pads = {};
    try { ({ pads, coming } = JSON.parse(answer.text)); } catch { return; }
    shown = isShown;
    const kept = [...Object.entries(pads), [`${place().at}pads/`, coming || " "]];
    for (const [path, text] of kept) copies.set(path, text);
    // a worker may never become ready: the copies do not wait for it
    navigator.serviceWorker?.ready.then(({ active }) => {
      for (const [path, text] of kept) active.postMessage({ keep: path, version: "", text });
    });
  };
  /* Data of the next round from a page that was reloaded meanwhile. */
  const recallComing = async () => {
    if (coming || !find("#coming")) return;
    coming = (await copyOf(new URL(`${place().at}pads/`, location.href)))?.trim() ?? "";
    if (coming) letters.tell();
  };

  // ── the keys of a board ──

  const tapped = { level: "", strain: "", dbl: "", by: "", suit: "", lead: "" };
  const pad = () => find("#pad");

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

  /* The score of a contract (Law 77), as North-South see it. */
  const points = (tricks, { level: bidLevel, strain, dbl, by } = tapped, vulnerable = isVulnerable()) => {
    const [level, doubled] = [Number(bidLevel), dbl.length];
    const over = tricks - 6 - level;
    let score;
    if (over < 0) {
      const under = -over;
      const first = under === 1 ? 200 : under === 2 ? 300 : 400;
      if (!doubled) score = -under * (vulnerable ? 100 : 50);
      else score = -(300 * under - (vulnerable ? 100 : first)) * doubled;
    } else {
      const each = "CD".includes(strain) ? 20 : 30;
      const bid = (each * level + (strain === "NT" ? 10 : 0)) << doubled;
      const slam = level < 6 ? 0 : (level === 6 ? 500 : 1000) * (vulnerable ? 1.5 : 1);
      const bonus = (bid < 100 ? 50 : vulnerable ? 500 : 300) + slam;
      const more = doubled ? 100 * doubled * (vulnerable ? 2 : 1) : each;
      score = bid + bonus + 50 * doubled + over * more;
    }
    return "NS".includes(by) ? score : -score;
  };

  const chosen = (name) => find(`[data-pad] [name="${name}"][value="${tapped[name]}"].key`);

  /* Every question of a board stands in its page: show one of them. */
  const QUESTIONS = ["#pad", "#lead", "#tricks", "#unplayed"];
  const show = (name) => {
    for (const other of QUESTIONS) if (find(other)) find(other).hidden = other !== name;
    const heading = find("h1", find(name));
    heading.tabIndex = -1;
    heading.focus();
    scrollTo(0, 0);
    guardSpot();
  };

  /* The tapped answers, above the next question. */
  const tellSoFar = (asked) => {
    find("[data-bid]", asked).replaceChildren(tapped.level, ...[...chosen("strain").childNodes]
      .filter((node) => node.nodeName !== "SMALL").map((node) => node.cloneNode(true)), tapped.dbl.toUpperCase());
    const name = find("[data-name]", chosen("by")).textContent;
    find("[data-by]", asked).textContent = [chosen("by").dataset.chair, name].filter(Boolean).join(", ");
  };

  const NEXT = { N: "E", E: "S", S: "W", W: "N" };
  const askLead = () => {
    const asked = find("#lead");
    tellSoFar(asked);
    const leader = find(`[data-pad] [name="by"][value="${NEXT[tapped.by]}"].key`).dataset.chair;
    for (const named of all("[data-chair-asked]", asked)) named.textContent = leader;
    pressSuit();
    show("#lead");
  };
  const pressSuit = () => {
    for (const key of all("#lead [data-card]")) {
      key.disabled = !tapped.suit;
      key.value = tapped.suit + key.dataset.card;
    }
  };

  const askTricks = () => {
    const asked = find("#tricks");
    const level = Number(tapped.level);
    tellSoFar(asked);
    for (const named of all("[data-chair-asked]", asked)) named.textContent = chosen("by").dataset.chair;
    find('[name="lead"]', asked).value = tapped.lead === "-" ? "" : tapped.lead;
    find('[name="contract"]', asked).value = `${tapped.level}${tapped.strain}${tapped.dbl}`;
    find('[name="declarer"]', asked).value = tapped.by;
    const keys = new Map(all('[name="tricks"]', asked).map((key) => [Number(key.value), key]));
    for (const [tricks, key] of keys) {
      const over = tricks - 6 - level;
      find("b", key).textContent = over === 0 ? "=" : signed(over);
      find(".sc", key).textContent = signed(points(tricks));
      key.classList.toggle("made", over >= 0);
      key.classList.toggle("down", over < 0);
    }
    const rows = find(".pad.r", asked);
    const place = (hasMore) => {
      const down = hasMore ? 6 + level : 3;
      const more = find("[data-more]", asked);
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
    find("[data-more]", asked).onclick = () => { place(true); guardSpot(); };
    show("#tricks");
  };

  const tap = (event) => {
    const key = event.target.closest("[data-pad] .key");
    if (!key || !pad() || !(key.name in tapped)) return;
    event.preventDefault();
    const lacked = !tapped.level || !tapped.strain;
    press(key);
    keepTaps();
    if (key.name === "suit") pressSuit();
    if (key.name === "lead") askTricks();
    // the declarer is asked last, but may have been tapped first
    if (isWhole() && (key.name === "by" || lacked)) askNext();
  };
  const isWhole = () => Boolean(tapped.by && tapped.level && tapped.strain);
  const askNext = () => ("asksLead" in pad().dataset ? askLead : askTricks)();

  /* The taps of a board are kept until they are sent: reloading, Back and Close lose nothing. */
  const KEPT = ["level", "strain", "dbl", "by"];
  const keepTaps = () => {
    const taps = Object.fromEntries(KEPT.map((name) => [name, tapped[name]]));
    letters.remember(location.pathname, taps);
  };
  const remember = () => {
    for (const name of Object.keys(tapped)) tapped[name] = pad().dataset[name] ?? "";
    if (KEPT.some((name) => tapped[name])) return;
    for (const [name, value] of Object.entries(letters.recall(location.pathname) ?? {})) {
      const key = value && find(`[data-pad] [name="${name}"][value="${value}"].key`);
      if (key) press(key);
    }
    if (isWhole()) askNext();
  };

  // ── sending ──

  const words = (form, button) => {
    const plain = (shown) => {
      const copy = shown.cloneNode(true);
      for (const suit of all("svg[aria-label]", copy)) suit.replaceWith(` ${suit.getAttribute("aria-label")} `);
      return copy.textContent.trim().replace(/\s+/g, " ");
    };
    const asked = find("[data-bid]", form);
    if (button?.name !== "tricks" || !asked) return plain(button ?? form);
    const score = find(".sc", button).textContent;
    return `${plain(asked)} ${find('[name="declarer"]', form).value} ${find("b", button).textContent} ${score}`;
  };

  /* The fields of a form with the name of its pressed button: `new FormData(form, button)` of later browsers. */
  const fieldsOf = (form, button) => {
    const fields = new FormData(form);
    if (button?.name) fields.append(button.name, button.value);
    return fields;
  };

  const STALE = 409; // another result stands than the page knew
  const WRONG = 422;
  const submit = async (event) => {
    const { target: form } = event;
    if (!form.matches("[data-sends]")) return;
    const button = leaving.buttonOf(event);
    const body = new URLSearchParams(fieldsOf(form, button));
    const key = letters.newKey();
    body.set("key", key);
    event.preventDefault(); // not earlier: without the features above the browser sends the form
    const buttons = all("button", form);
    const address = form.getAttribute("action");
    const { play, about, at, event: ofEvent } = { ...place(), ...form.dataset };
    const isEntry = form.dataset.sends === "entry";
    for (const each of buttons) each.disabled = true;
    isSending = true;
    stopAsking();
    // a new result of a board replaces a waiting one
    const before = (await letters.waiting()).filter((kept) => kept.address === address && kept.play === play);
    const letter = await letters.keep({
      key, address, body: body.toString(), play, about, isEntry, event: ofEvent,
      said: words(form, button), at: Date.now(), is: "again", why: "sending", tried: Date.now(),
    });
    for (const older of before) await letters.remove(older);
    letters.remember(location.pathname, {});
    const found = await letters.attempt(letter);
    isSending = false;
    if (found.is === "sent") {
      sent.add(play);
      go(found.to);
      return;
    }
    for (const each of buttons) each.disabled = false;
    if (![STALE, WRONG].includes(found.status)) {
      if (location.pathname === at) letters.tell();
      else go(at);
      return;
    }
    await letters.remove(letter); // the page shows the reason
    leaving.refuse(found.words);
  };

  const follow = (event) => {
    const link = event.target.closest("a[href]");
    if (!link || event.defaultPrevented || !leaving.isPlain(event)) return;
    if (link.origin !== location.origin || !OF_TABLES.test(link.pathname)) return;
    event.preventDefault();
    const question = link.dataset.question;
    if (question && find(question)) show(question);
    else go(link.href);
  };

  const begin = () => {
    if (find("#live")) live = location.pathname;
    if (find("#plain")) find("#plain").hidden = isSecureContext; // without https no worker keeps pages
    if (pad()) remember();
    letters.tell();
    keep().then(recallComing);
  };

  const renew = () => go(location.href, true);
  const ask = () => {
    if (find("#live[hx-get]")) htmx.trigger("#live", "look");
    else if (find("#live")) renew(); // the session is over, and the page asks no more
  };

  addEventListener("click", ignoreSecondTap, true);
  document.addEventListener("click", tap);
  document.addEventListener("click", follow);
  document.addEventListener("submit", submit);
  document.addEventListener("htmx:beforeRequest", holdQuestion);
  document.addEventListener("letters", (event) => tell(event.detail));
  document.addEventListener("letters-sent", ask);
  document.addEventListener("htmx:afterSettle", () => { sent.clear(); begin(); });
  for (const lost of ["sendError", "timeout"]) document.addEventListener(`htmx:${lost}`, () => letters.tell());
  addEventListener("popstate", () => go(location.href, true));
  self.tables = Object.assign(copies, { points, renew });
  begin();
  if (document.documentElement.hasAttribute("data-copy")) replaceCopy();
})();
