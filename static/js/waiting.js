/* The strip of waiting letters, on every page that may have some: they are sent as soon as possible. */
(() => {
  if (!self.leaving || !self.letters || !document.body.replaceChildren) return;
  const find = (query, within = document) => within.querySelector(query);
  const AGAIN = 10000;
  const DAY = 24 * 60 * 60 * 1000;
  const NAMED = /\/table\/(\d+)\//;
  const workers = navigator.serviceWorker;
  const { text } = leaving;
  const DATE = { day: "numeric", month: "long", year: "numeric" };

  const isOld = (letter) => letter.at < Date.now() - DAY;

  /* "Table 4 · Board 7", with the session if it is another, and the day if it is a former one. */
  const about = (letter) => {
    const code = letter.address.split("/")[2];
    const isHere = location.pathname.split("/")[2] === code;
    const table = `${text("table")} ${NAMED.exec(letter.address)?.[1] ?? ""}`;
    const day = letter.at ? new Date(letter.at).toLocaleDateString(document.documentElement.lang, DATE) : "";
    const parts = [letter.about ?? table, !isHere && letter.event, (!isHere || isOld(letter)) && day];
    return parts.filter(Boolean).join(" · ");
  };

  /* The reason why a letter waits, for the player. */
  const why = (letter) => {
    const cause = letter.is === "stuck" ? letter.words ?? text("refused") : text(letter.why);
    const isEntered = find("#letters template").content.querySelector('[data-text="unstored"]'); // on this page
    const unstored = letter.isUnstored && isEntered && text("unstored");
    return [cause, unstored, isOld(letter) && text("refused")].filter(Boolean).join(" ");
  };

  const line = (letter) => {
    const shown = find("#letters template").content.firstElementChild.cloneNode(true);
    find("[data-about]", shown).textContent = about(letter);
    find("[data-said]", shown).textContent = letter.said ?? "";
    find("[data-why]", shown).textContent = why(letter);
    const correct = find("[data-correct]", shown);
    correct.hidden = !letter.isEntry;
    correct.href = `${letter.address}?new=1`;
    find("[data-away]", shown).addEventListener("click", async () => { await letters.remove(letter); await tell(); });
    return shown;
  };

  const tell = async () => {
    const all = (await letters.waiting()).filter((letter) => letter.why !== "sending");
    const strip = find("#letters");
    const state = JSON.stringify(all.map((letter) => [letter.key, letter.is, why(letter)]));
    if (strip && strip.dataset.told !== state) {
      strip.dataset.told = state;
      const stuck = all.filter((letter) => letter.is === "stuck");
      strip.hidden = !all.length;
      find("[data-unsent]", strip).hidden = stuck.length === all.length;
      find("[data-unsent] b", strip).textContent = all.length - stuck.length;
      find("[data-stuck]", strip).hidden = !stuck.length;
      find("[data-stuck] b", strip).textContent = stuck.length;
      const next = all.find((letter) => letter.is !== "stuck");
      find("[data-cause]", strip).textContent = next ? why(next) : "";
      find("ul", strip).replaceChildren(...all.map(line));
    }
    document.dispatchEvent(new CustomEvent("letters", { detail: all }));
  };

  /* Ask the browser once to delete nothing of ours when it needs room. */
  let hasAsked = false;
  const persist = () => {
    if (hasAsked) return;
    hasAsked = true;
    // eslint-disable-next-line compat/compat -- Safari before 15.2 has none: `?.` asks
    navigator.storage?.persist?.().catch(() => undefined);
  };

  const look = async (isNew = false) => {
    const { sent, left } = await letters.sendAll(isNew);
    await tell();
    if (sent) document.dispatchEvent(new CustomEvent("letters-sent"));
    if (left) persist();
    // the worker sends them when no page is open, where a browser can
    if (left && workers) workers.ready.then((found) => found.sync?.register("letters")).catch(() => undefined);
  };

  Object.assign(letters, { look, tell });
  addEventListener("online", () => look());
  addEventListener("pageshow", () => { tell(); look(true); });
  document.addEventListener("visibilitychange", () => { if (!document.hidden) look(); });
  setInterval(() => look(), AGAIN);
})();
