/* Content that does not fit on the screen is shown in turn, twelve seconds each: the pages of a section,
   and if several sections are shown, one section after the other. */
(() => {
  const SECONDS = 12;
  let turn = 0;
  /* the pages of a display that take turns; where two sections stand beside each other, those of each */
  const groups = (display) => {
    const halves = [...display.querySelectorAll("[data-half]")];
    return (halves.length ? halves : [display]).map((half) => [...half.querySelectorAll("[data-page]")]);
  };
  const show = () => {
    const displays = [...document.querySelectorAll("[data-display]")];
    const turns = displays.flatMap((display) => {
      const all = groups(display);
      const count = Math.max(1, ...all.map((pages) => pages.length));
      return Array.from({ length: count }, (_, at) => ({ display, all, at }));
    });
    const now = turns[turn % turns.length];
    displays.forEach((display) => { display.hidden = display !== now.display; });
    for (const pages of now.all) {
      pages.forEach((page, place) => { page.hidden = place !== now.at % pages.length; });
    }
    document.getElementById("live").classList.add("scripted");
  };
  show();
  setInterval(() => { turn += 1; show(); }, SECONDS * 1000);
  document.addEventListener("htmx:afterSettle", show);
})();
