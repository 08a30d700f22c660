/* What waits on this phone, on every page where something may: sent as soon as can be, and said with its cause. */
(() => {
  if (!self.leaving || !self.letters || !document.body.replaceChildren) return;
  const one = (query, within = document) => within.querySelector(query);
  const AGAIN = 10000;
  const NAMED = /\/table\/(\d+)\//;
  const workers = navigator.serviceWorker;
  const { text } = leaving;

  /* "Table 4 · Board 7", with the session if it is another. */
  const about = (letter) => {
    const code = letter.address.split("/")[2];
    const isHere = location.pathname.split("/")[2] === code;
    const table = `${text("table")} ${NAMED.exec(letter.address)?.[1] ?? ""}`;
    const day = letter.at ? new Date(letter.at).toLocaleDateString(document.documentElement.lang) : "";
    return [letter.about ?? table, ...(isHere ? [] : [letter.event, day])].filter(Boolean).join(" · ");
  };

  const line = (letter) => {
    const shown = one("#letters template").content.firstElementChild.cloneNode(true);
    one("[data-about]", shown).textContent = about(letter);
    one("[data-said]", shown).textContent = letter.said ?? "";
    one("[data-why]", shown).textContent = letter.is === "stuck" ? letter.words ?? text("refused") : text(letter.why);
    const correct = one("[data-correct]", shown);
    correct.hidden = !letter.isEntry;
    correct.href = `${letter.address}?new=1`;
    one("[data-away]", shown).addEventListener("click", async () => { await letters.remove(letter); await tell(); });
    return shown;
  };

  const tell = async () => {
    const all = (await letters.waiting()).filter((letter) => letter.why !== "sending");
    const strip = one("#letters");
    const state = JSON.stringify(all.map(({ id, key, is, why, words }) => [id, key, is, why, words]));
    if (strip && strip.dataset.told !== state) {
      strip.dataset.told = state;
      const stuck = all.filter((letter) => letter.is === "stuck");
      strip.hidden = !all.length;
      one("[data-unsent]", strip).hidden = stuck.length === all.length;
      one("[data-unsent] b", strip).textContent = all.length - stuck.length;
      one("[data-stuck]", strip).hidden = !stuck.length;
      one("[data-stuck] b", strip).textContent = stuck.length;
      const next = all.find((letter) => letter.is !== "stuck");
      one("[data-cause]", strip).textContent = next ? text(next.why) : "";
      one("ul", strip).replaceChildren(...all.map(line));
    }
    document.dispatchEvent(new CustomEvent("letters", { detail: all }));
  };

  const look = async (isNew = false) => {
    const { sent, left } = await letters.sendAll(isNew);
    await tell();
    if (sent) document.dispatchEvent(new CustomEvent("letters-sent"));
    // the worker sends them when no page is open, where a browser can
    if (left && workers) workers.ready.then((found) => found.sync?.register("letters")).catch(() => undefined);
  };

  Object.assign(letters, { look, tell });
  addEventListener("online", () => look());
  addEventListener("pageshow", () => { tell(); look(true); });
  document.addEventListener("visibilitychange", () => { if (!document.hidden) look(); });
  setInterval(() => look(), AGAIN);
})();
