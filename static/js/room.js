/* What the screen does not hold at once takes turns, twelve seconds each: the pages of a section, and where several
   sections are shown, one section after the other. */
(() => {
  const SECONDS = 12;
  let turn = 0;
  const show = () => {
    const displays = [...document.querySelectorAll("[data-display]")];
    const turns = displays.flatMap((display) => {
      const pages = [...display.querySelectorAll("[data-page]")];
      return pages.length ? pages.map((page) => ({ display, page })) : [{ display, page: null }];
    });
    const now = turns[turn % turns.length];
    displays.forEach((display) => { display.hidden = display !== now.display; });
    now.display.querySelectorAll("[data-page]").forEach((page) => { page.hidden = page !== now.page; });
    document.getElementById("live").classList.add("scripted");
  };
  show();
  setInterval(() => { turn += 1; show(); }, SECONDS * 1000);
  document.addEventListener("htmx:afterSettle", show);
})();
