/* Help opens beside the page; Escape closes it, and the focus goes back to where it was. */
(() => {
  const drawer = document.querySelector("#help");
  const link = document.querySelector(".tohelp");
  if (!drawer || !link || !drawer.showModal) return;
  const show = async (href) => {
    const answer = await fetch(href);
    if (!answer.ok) return void (location.href = href);
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    drawer.querySelector(".in").replaceChildren(page.querySelector("#help-topic"));
    drawer.showModal(); // eslint-disable-line members/supported -- looked for above: without it the link is followed
  };
  document.addEventListener("click", (event) => {
    const pressed = event.target.closest("[data-help]");
    if (!pressed || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    show(pressed.href).catch(() => (location.href = pressed.href));
  });
  drawer.addEventListener("click", (event) => {
    if (event.target === drawer || event.target.closest("[data-close]")) drawer.close();
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "?" || drawer.open || event.target.closest("input, textarea, select")) return;
    event.preventDefault();
    link.click();
  });
})();
