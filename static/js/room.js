/* More cells than the screen holds: the pages take turns, twelve seconds each. */
(() => {
  const SECONDS = 12;
  let turn = 0;
  const show = () => {
    const pages = [...document.querySelectorAll("[data-page]")];
    pages.forEach((page, index) => { page.hidden = index !== turn % pages.length; });
    document.getElementById("live")?.classList.add("scripted");
  };
  show();
  setInterval(() => { turn += 1; show(); }, SECONDS * 1000);
  document.addEventListener("htmx:afterSettle", show);
})();
