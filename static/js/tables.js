/* A table's phone. All questions of a board stand in its page, and the pages of a table follow each other without being
   left, so that all of it works without a network, with a worker or (on http) without. What is said is a letter
   (letters.js). Without this script everything but the waiting works by forms and links. */
(() => {
  // an older browser, or a script that has not come: links and forms do it all
  if (!self.htmx || !self.leaving || !self.letters?.look || !document.body.replaceChildren) return;
  const all = (query, within = document) => [...within.querySelectorAll(query)];
  const one = (query, within = document) => within.querySelector(query);

  // ── the second half of a double tap answers nothing ──

  const DOUBLE_TAP = 700; // milliseconds in which a second tap belongs to the first
  const SPOT = 40; // pixels that it may be away from it
  let lastTap; // where the last tap was; of a keyboard or a screen reader there is none
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

  /* Which table and board the page is about. */
  const place = () => one("main").dataset;

  /* Boards whose result waits on this phone are not asked for again, nor those sent that an old copy still asks for. */
  const sent = new Set();
  let shown = ""; // what the copies are of
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
    const later = one("#coming");
    if (later) {
      later.hidden = !coming || one("#offline").hidden;
      if (!later.hidden && later.dataset.of !== shown) later.innerHTML = coming;
      if (!later.hidden) later.dataset.of = shown;
      for (const link of all("[data-coming]", later)) link.hidden = kept.has(link.dataset.coming);
    }
    for (const asked of all("[data-asks]")) asked.hidden = kept.has(asked.dataset.asks);
    for (const line of all("[data-waits]")) {
      const letter = kept.get(line.dataset.waits);
      line.hidden = !letter;
      if (letter) one("[data-said]", line).textContent = letter.said;
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

  /* The copy of a page; of any page about a board its keys. */
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
    return one("main.phone", page) ? page : undefined;
  };

  /* A page as the server has it now; nothing where somebody else answers, or nobody. */
  const fetched = async (address, patience) => {
    const answer = await letters.ask(address, {}, patience);
    const page = answer && answer.status < 500 ? read(answer.text) : undefined;
    return page && { page, address: new URL(answer.address) };
  };

  let live = ""; // the path of the page of the round that is shown, or was
  let going = 0; // whoever taps something else meanwhile goes there
  const go = async (href, isBack = false) => {
    going += 1;
    const mine = going;
    const wanted = new URL(href, location.href);
    one("main").setAttribute("aria-busy", "true");
    const copy = await copyOf(wanted);
    const found = await fetched(wanted.href, copy ? SOON : LONG);
    if (mine !== going) return;
    one("main").removeAttribute("aria-busy");
    if (found && !OF_TABLES.test(found.address.pathname)) { location.assign(found.address); return; }
    if (!found && !copy) { leaving.refuse(leaving.text("page")); return; }
    if (one("#live")) copies.set(live, document.documentElement.outerHTML);
    const { page, address } = found ?? { page: read(copy), address: wanted };
    if (!isBack) history.pushState(null, "", address);
    document.title = page.title;
    const strip = one("#letters"); // it may be open
    document.body.replaceChildren(...page.body.childNodes);
    one("#letters").replaceWith(strip);
    if (one("#offline")) one("#offline").hidden = Boolean(found);
    if (found && one("#live")) sent.clear();
    htmx.process(document.body);
    scrollTo(0, 0);
    guardSpot();
    const heading = one("main h1");
    if (heading) { heading.tabIndex = -1; heading.focus({ preventScroll: true }); }
    begin();
    if (!found) replaceCopy(mine);
  };

  /* The page of a session that is over does not ask what is new: while a copy of it is shown, ask for it here. */
  const replaceCopy = async (mine = going) => {
    await new Promise((resolve) => { setTimeout(resolve, AGAIN); });
    if (mine !== going || !one("#live:not([hx-get])")) return;
    if (await fetched(location.href, LONG)) renew();
    else replaceCopy(mine);
  };

  /* Have the keys of all boards that may be entered on this phone: fetched in one, when one is new or names may be. */
  let isFetching = false;
  const keep = async () => {
    const isShown = one("#live")?.dataset.version?.split("-")[0];
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
  /* What a page knew of the next round that was loaded anew meanwhile. */
  const recallComing = async () => {
    if (coming || !one("#coming")) return;
    coming = (await copyOf(new URL(`${place().at}pads/`, location.href)))?.trim() ?? "";
    if (coming) letters.tell();
  };

  // ── the keys of a board ──

  const tapped = { level: "", strain: "", dbl: "", by: "", suit: "", lead: "" };
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

  const chosen = (name) => one(`[data-pad] [name="${name}"][value="${tapped[name]}"].key`);

  /* Every question of a board stands in its page: show one of them. */
  const QUESTIONS = ["#pad", "#lead", "#tricks", "#unplayed"];
  const show = (name) => {
    for (const other of QUESTIONS) if (one(other)) one(other).hidden = other !== name;
    const heading = one("h1", one(name));
    heading.tabIndex = -1;
    heading.focus();
    scrollTo(0, 0);
    guardSpot();
  };

  /* What has been tapped, above the next question. */
  const tellSoFar = (asked) => {
    one("[data-bid]", asked).replaceChildren(tapped.level, ...[...chosen("strain").childNodes]
      .filter((node) => node.nodeName !== "SMALL").map((node) => node.cloneNode(true)), tapped.dbl.toUpperCase());
    const name = one("[data-name]", chosen("by")).textContent;
    one("[data-by]", asked).textContent = [chosen("by").dataset.chair, name].filter(Boolean).join(", ");
  };

  const NEXT = { N: "E", E: "S", S: "W", W: "N" };
  const askLead = () => {
    const asked = one("#lead");
    tellSoFar(asked);
    const leader = one(`[data-pad] [name="by"][value="${NEXT[tapped.by]}"].key`).dataset.chair;
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
    const asked = one("#tricks");
    const level = Number(tapped.level);
    tellSoFar(asked);
    for (const named of all("[data-chair-asked]", asked)) named.textContent = chosen("by").dataset.chair;
    one('[name="lead"]', asked).value = tapped.lead === "-" ? "" : tapped.lead;
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
    one("[data-more]", asked).onclick = () => { place(true); guardSpot(); };
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
    // who played it is asked last, but may have been said first
    if (isWhole() && (key.name === "by" || lacked)) askNext();
  };
  const isWhole = () => Boolean(tapped.by && tapped.level && tapped.strain);
  const askNext = () => ("asksLead" in pad().dataset ? askLead : askTricks)();

  /* What was tapped of a board is kept until it is said: a page loaded again, Back and Close forget nothing. */
  const KEPT = ["level", "strain", "dbl", "by"];
  const keepTaps = () => {
    const taps = Object.fromEntries(KEPT.map((name) => [name, tapped[name]]));
    letters.remember(location.pathname, taps);
  };
  const remember = () => {
    for (const name of Object.keys(tapped)) tapped[name] = pad().dataset[name] ?? "";
    if (KEPT.some((name) => tapped[name])) return;
    for (const [name, value] of Object.entries(letters.recall(location.pathname) ?? {})) {
      const key = value && one(`[data-pad] [name="${name}"][value="${value}"].key`);
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
    const asked = one("[data-bid]", form);
    if (button?.name !== "tricks" || !asked) return plain(button ?? form);
    const score = one(".sc", button).textContent;
    return `${plain(asked)} ${one('[name="declarer"]', form).value} ${one("b", button).textContent} ${score}`;
  };

  /* The fields of a form with the name of its pressed button: `new FormData(form, button)` of later browsers. */
  const fieldsOf = (form, button) => {
    const fields = new FormData(form);
    if (button?.name) fields.append(button.name, button.value);
    return fields;
  };

  const STALE = 409; // another result stands by now than the page knew
  const WRONG = 422;
  const submit = async (event) => {
    const { target: form } = event;
    if (!form.matches("[data-sends]")) return;
    const button = leaving.buttonOf(event);
    const body = new URLSearchParams(fieldsOf(form, button));
    const key = letters.newKey();
    body.set("key", key);
    event.preventDefault(); // not before: where something above is missing the browser sends the form
    const buttons = all("button", form);
    const address = form.getAttribute("action");
    const { play, about, at, event: ofEvent } = { ...place(), ...form.dataset };
    const isEntry = form.dataset.sends === "entry";
    for (const each of buttons) each.disabled = true;
    // what is said of a board anew takes the place of what still waits
    const before = (await letters.waiting()).filter((kept) => kept.address === address && kept.play === play);
    const letter = await letters.keep({
      key, address, body: body.toString(), play, about, isEntry, event: ofEvent,
      said: words(form, button), at: Date.now(), is: "again", why: "sending", tried: Date.now(),
    });
    for (const older of before) await letters.remove(older);
    letters.remember(location.pathname, {});
    const found = await letters.attempt(letter);
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
    await letters.remove(letter); // whoever has said it reads why not
    leaving.refuse(found.words);
  };

  const follow = (event) => {
    const link = event.target.closest("a[href]");
    if (!link || event.defaultPrevented || !leaving.isPlain(event)) return;
    if (link.origin !== location.origin || !OF_TABLES.test(link.pathname)) return;
    event.preventDefault();
    const question = link.dataset.question;
    if (question && one(question)) show(question);
    else go(link.href);
  };

  const begin = () => {
    if (one("#live")) live = location.pathname;
    if (one("#plain")) one("#plain").hidden = isSecureContext; // without https no worker keeps pages
    if (pad()) remember();
    letters.tell();
    keep().then(recallComing);
  };

  const renew = () => go(location.href, true);
  const ask = () => {
    if (one("#live[hx-get]")) htmx.trigger("#live", "look");
    else if (one("#live")) renew(); // the session is over, and the page asks no more
  };

  addEventListener("click", ignoreSecondTap, true);
  document.addEventListener("click", tap);
  document.addEventListener("click", follow);
  document.addEventListener("submit", submit);
  document.addEventListener("letters", (event) => tell(event.detail));
  document.addEventListener("letters-sent", ask);
  document.addEventListener("htmx:afterSettle", () => { sent.clear(); begin(); });
  for (const lost of ["sendError", "timeout"]) document.addEventListener(`htmx:${lost}`, () => letters.tell());
  addEventListener("popstate", () => go(location.href, true));
  self.tables = Object.assign(copies, { points, renew });
  begin();
  if (document.documentElement.hasAttribute("data-copy")) replaceCopy();
})();
