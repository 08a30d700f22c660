/* Names complete themselves from the roster. Without this file the fields are plain fields.
   Enter goes to the next field, and from the last one adds the pair, or goes to the ways where there are some;
   Down and Up choose; Esc closes. */
(() => {
  const listOf = (input) => document.getElementById(input.getAttribute("aria-controls"));
  const options = (list) => [...list.querySelectorAll('[role="option"]:not([aria-disabled="true"])')];
  const partnerOf = (input) => {
    const other = input.form && [...input.form.querySelectorAll("[data-combo]")].find((field) => field !== input);
    return other ? other.value : "";
  };

  const timers = new WeakMap();
  const asked = new WeakMap();
  const close = (input) => {
    clearTimeout(timers.get(input));
    asked.set(input, (asked.get(input) || 0) + 1); // an answer under way does not open the list again
    const list = listOf(input);
    if (!list) return; // the sheet has been closed under it
    list.hidden = true;
    list.replaceChildren();
    input.setAttribute("aria-expanded", "false");
    input.removeAttribute("aria-activedescendant");
  };
  const mark = (input, option) => {
    for (const item of listOf(input).querySelectorAll('[role="option"]')) {
      item.setAttribute("aria-selected", String(item === option));
    }
    if (option) input.setAttribute("aria-activedescendant", option.id);
    else input.removeAttribute("aria-activedescendant");
  };
  const marked = (input) => listOf(input).querySelector('[aria-selected="true"]');
  const choose = (input, option) => {
    input.value = option.dataset.name;
    close(input);
    advance(input);
  };
  const advance = (input) => {
    const fields = [...input.form.querySelectorAll("[data-combo]")];
    const next = fields[fields.indexOf(input) + 1];
    const way = input.form.querySelector('[name="way"]:checked');
    if (next) next.focus();
    else (way || input.form.querySelector('button[type="submit"]')).focus();
  };

  const ask = (input) => {
    clearTimeout(timers.get(input));
    timers.set(input, setTimeout(async () => {
      const typed = input.value.trim();
      const partner = partnerOf(input);
      if (!typed && !partner) { close(input); return; }
      const turn = (asked.get(input) || 0) + 1;
      asked.set(input, turn);
      const query = new URLSearchParams({ q: typed, partner, field: input.dataset.combo });
      try {
        const answer = await fetch(`${input.dataset.comboUrl}?${query}`, { headers: { "HX-Request": "true" } });
        if (!answer.ok || asked.get(input) !== turn || document.activeElement !== input) return;
        const list = listOf(input);
        list.innerHTML = await answer.text();
        input.removeAttribute("aria-activedescendant");
        list.hidden = !list.children.length;
        input.setAttribute("aria-expanded", String(!list.hidden));
      } catch { close(input); }
    }, 150));
  };

  document.addEventListener("input", (event) => { if (event.target.matches("[data-combo]")) ask(event.target); });
  document.addEventListener("focusin", (event) => {
    if (event.target.matches("[data-combo]") && !event.target.value) ask(event.target);
  });
  document.addEventListener("focusout", (event) => {
    if (event.target.matches("[data-combo]")) setTimeout(() => close(event.target), 150);
  });
  document.addEventListener("pointerdown", (event) => {
    const option = event.target.closest('.suggest [role="option"]');
    if (!option) return;
    event.preventDefault();
    const input = document.querySelector(`[aria-controls="${option.parentElement.id}"]`);
    if (option.getAttribute("aria-disabled") !== "true") choose(input, option);
  });
  document.addEventListener("keydown", (event) => {
    const input = event.target;
    if (!input.matches || !input.matches("[data-combo]")) return;
    const list = listOf(input);
    const all = options(list);
    const current = marked(input);
    if (event.key === "Escape" && !list.hidden) { event.preventDefault(); close(input); }
    else if ((event.key === "ArrowDown" || event.key === "ArrowUp") && all.length) {
      event.preventDefault();
      const step = event.key === "ArrowDown" ? 1 : -1;
      const index = current ? all.indexOf(current) + step : step > 0 ? 0 : all.length - 1;
      mark(input, all[(index + all.length) % all.length]);
    } else if (event.key === "Enter") {
      if (current && !list.hidden) { event.preventDefault(); choose(input, current); return; }
      const fields = [...input.form.querySelectorAll("[data-combo]")];
      const isLast = fields.indexOf(input) === fields.length - 1;
      if (!isLast || input.form.querySelector('[name="way"]')) { event.preventDefault(); close(input); advance(input); }
    }
  });
  // if names and a proposal are on one page, Enter moves to the button of the proposal, and decides nothing
  document.addEventListener("keydown", ({ key, target }) => {
    if (key !== "Enter" || !target.matches || !target.matches('input[name="way"]')) return;
    const button = document.getElementById(`take-${target.value}`);
    if (button) setTimeout(() => button.focus());
  });

  // focus a refused field; else, after a pair was added, the next one's field, unless the user has moved on
  if (document.activeElement !== document.body) return;
  const first = document.querySelector('form .adder [data-combo="first"]');
  const wrong = document.querySelector('[aria-invalid="true"]');
  if (wrong) wrong.focus();
  else if (first && !first.value && !location.search) first.focus({ preventScroll: true });
})();
