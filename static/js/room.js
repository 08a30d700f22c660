/* More cells than the screen holds: the pages take turns. */
(() => {
  let turn = 0;
  setInterval(() => {
    const pages = [...document.querySelectorAll("[data-page]")];
    if (pages.length < 2) return;
    turn = (turn + 1) % pages.length;
    pages.forEach((page, index) => { page.hidden = index !== turn; });
  }, 12000);
})();
