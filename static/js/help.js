/* Help opens beside the page; Escape closes it, and the focus goes back to where it was. */
(() => {
  const drawer = document.querySelector("#help");
  const link = document.querySelector("[data-help]");
  if (!drawer || !link || !drawer.showModal) return;
  const show = async () => {
    const answer = await fetch(link.href);
    if (!answer.ok) return void (location.href = link.href);
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    drawer.querySelector(".in").replaceChildren(page.querySelector("#help-topic"));
    drawer.showModal(); // eslint-disable-line members/supported -- looked for above: without it the link is followed
  };
  link.addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    show().catch(() => (location.href = link.href));
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
