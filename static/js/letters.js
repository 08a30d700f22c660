/* Results of this phone that the server has not answered yet ("letters"): decision 0020. */
self.letters = (() => {
  const PATIENCE = 8000; // milliseconds until an answer is given up
  const REST = 60000; // and until a busy server is asked again
  const STORE_LIMIT = 1500; // milliseconds until a store without an answer is given up
  const [SENT, AGAIN, STUCK] = ["sent", "again", "stuck"];
  const [EARLY, BUSY, TROUBLE, LEAST_REFUSED] = [425, 429, 500, 400];

  /* The fate of a letter by its answer; `body` tells whether our server answered. */
  const fate = (key, answer) => {
    if (!answer) return { is: AGAIN, why: "net" };
    const { status, body } = answer;
    const why = status === BUSY ? "busy" : status >= TROUBLE ? "server" : "";
    if (!body || body.letter !== key) return { is: AGAIN, why: why || "foreign" };
    if (why || status === EARLY) return { is: AGAIN, why: why || "early" };
    if (status >= LEAST_REFUSED) return { is: STUCK, why: "", status, words: body.words };
    return { is: SENT, to: body.to };
  };

  // their storage; without a store they last as long as the window

  let opened;
  const again = () => { opened = undefined; }; // a browser may close its store when memory is short
  const open = () => {
    opened = opened ?? new Promise((resolve, reject) => {
      const asked = indexedDB.open("bridgebuddy-table", 1);
      asked.onupgradeneeded = () => asked.result.createObjectStore("waiting", { keyPath: "id", autoIncrement: true });
      asked.onsuccess = () => { asked.result.onclose = again; resolve(asked.result); };
      asked.onerror = () => { again(); reject(asked.error); };
    });
    return opened;
  };
  const use = async (mode, does) => {
    const database = await open();
    return new Promise((resolve, reject) => {
      const work = database.transaction("waiting", mode);
      const asked = does(work.objectStore("waiting"));
      work.oncomplete = () => resolve(asked?.result);
      work.onerror = () => reject(work.error);
      work.onabort = work.onerror;
    });
  };
  /* Use the store, or reject after a short while: some browsers' stores fire no event at all. After the first time
     no call waits for such a store again until it has answered. */
  let isSilent = false;
  const store = (mode, does) => new Promise((resolve, reject) => {
    const giveUp = () => { isSilent = true; reject(new Error("the store does not answer")); };
    const timer = setTimeout(giveUp, isSilent ? 0 : STORE_LIMIT);
    const end = () => { isSilent = false; clearTimeout(timer); };
    use(mode, does).then((result) => { end(); resolve(result); }, (error) => { end(); reject(error); });
  });
  const recall = (name) => { try { return JSON.parse(sessionStorage.getItem(name)); } catch { return undefined; } };
  const remember = (name, value) => {
    try { sessionStorage.setItem(name, JSON.stringify(value)); } catch { /* nor that */ }
  };
  const unkept = new Map(recall("letters"));
  const keepHere = (key, letter) => {
    if (letter) unkept.set(key, letter);
    else unkept.delete(key);
    remember("letters", [...unkept]);
  };

  /* Letters of an earlier version had their key only in their form. */
  const whole = (kept) => ({
    key: new URLSearchParams(kept.body).get("key") ?? "", is: kept.isRefused ? STUCK : AGAIN, why: "net",
    isEntry: true, ...kept,
  });

  /* A second copy of waiting letters, outside the store, which a browser may delete when memory is short, or whose disk
     may be full. Only pages have such a place: the worker marks sent letters instead of deleting them. */
  const isWorker = typeof document === "undefined";
  const COPIES = "unsent";
  const readCopies = () => {
    try { return new Map(JSON.parse(localStorage.getItem(COPIES))); } catch { return new Map(); }
  };
  const writeCopies = (copies) => {
    try { localStorage.setItem(COPIES, JSON.stringify([...copies])); return true; } catch { return false; }
  };
  const copy = (letter) => writeCopies(readCopies().set(letter.key, letter));
  const removeCopy = (key) => {
    const copies = readCopies();
    if (copies.delete(key)) writeCopies(copies);
  };

  const waiting = async () => {
    const before = readCopies();
    const stored = (await store("readonly", (all) => all.getAll()).catch(() => [])).map(whole);
    if (!isWorker) await Promise.all(stored.filter((letter) => letter.is === SENT).map(remove));
    // another page may have stored or sent some meanwhile: only a letter with a copy before and now is missing
    const isThere = (key) => unkept.has(key) || stored.some((letter) => letter.key === key);
    const missing = [...readCopies().values()].filter(({ key }) => before.has(key) && !isThere(key));
    return [
      ...stored.filter((letter) => letter.is !== SENT), ...missing.map(whole),
      ...[...unkept.values()].map((letter) => ({ ...whole(letter), isUnstored: true })),
    ];
  };
  const keep = async (letter) => {
    const hasCopy = copy(letter);
    try {
      return { ...letter, id: await store("readwrite", (all) => all.add(letter)) };
    } catch {
      if (!hasCopy) keepHere(letter.key, letter);
      return letter;
    }
  };
  const remove = async ({ id, key }) => {
    keepHere(key);
    if (!isWorker) removeCopy(key);
    const end = isWorker ? (all) => all.put({ id, key, is: SENT }) : (all) => all.delete(id);
    if (id) await store("readwrite", end).catch(() => undefined);
  };
  /* Store a letter, unless it was sent meanwhile. */
  const change = async ({ id, key }, said) => {
    if (unkept.has(key)) keepHere(key, { ...unkept.get(key), ...said });
    const kept = readCopies().get(key);
    if (kept) copy({ ...kept, ...said });
    if (!id) return;
    await store("readwrite", (all) => {
      const asked = all.get(id);
      asked.onsuccess = () => { if (asked.result) all.put({ ...asked.result, ...said }); };
    }).catch(() => undefined);
  };

  // sending

  const ask = async (address, options = {}, patience = PATIENCE) => {
    const stop = new AbortController();
    const timer = setTimeout(() => stop.abort(), patience);
    try {
      const answer = await fetch(address, { ...options, signal: stop.signal });
      return { status: answer.status, address: answer.url, text: await answer.text() };
    } catch { return undefined; } finally { clearTimeout(timer); }
  };

  const post = async ({ address, body, key, isLate }) => {
    const headers = { "Content-Type": "application/x-www-form-urlencoded", "X-Letter": key };
    const said = isLate ? `${body}&late=1` : body;
    const answer = await ask(address, { method: "POST", body: said, headers, redirect: "manual" });
    if (!answer) return undefined;
    let read;
    try { read = JSON.parse(answer.text); } catch { /* somebody's page */ }
    return { status: answer.status, body: read };
  };

  const attempt = async (letter) => {
    const found = fate(letter.key, await post(letter));
    if (found.is === SENT) await remove(letter);
    else await change(letter, { ...found, isLate: true, at: letter.at ?? Date.now(), tried: Date.now() });
    return found;
  };

  const isDue = (letter) => {
    const rests = { busy: REST, sending: 2 * PATIENCE }[letter.why] ?? 0;
    const since = Date.now() - (letter.tried ?? 0); // negative after the clock was set back
    return letter.is !== STUCK && (since < 0 || since >= rests);
  };
  const send = async (isNew) => {
    const all = await waiting();
    const due = all.filter((letter) => isDue(letter) || (isNew && letter.why !== "sending"));
    const resting = all.filter((letter) => letter.is !== STUCK && !due.includes(letter));
    const fates = await Promise.all(due.map(attempt));
    const count = (is) => fates.filter((fate) => fate.is === is).length;
    return { sent: count(SENT), left: count(AGAIN) + resting.length };
  };
  let sending = Promise.resolve();
  /* Send due letters, after earlier calls have ended; on a new page refused ones, too: a card may have been scanned. */
  const sendAll = (isNew = false) => { sending = sending.then(() => send(isNew)); return sending; };

  const newKey = () => [...crypto.getRandomValues(new Uint8Array(16))]
    .map((byte) => byte.toString(16).padStart(2, "0")).join("");

  return { ask, attempt, change, fate, keep, newKey, recall, remember, remove, sendAll, waiting };
})();
