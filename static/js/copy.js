/* A button that copies an address; where the browser lends no clipboard the address is selected instead. */
(() => {
  const select = (address) => {
    const link = [...document.querySelectorAll("a")].find((anchor) => anchor.href === address);
    if (link) window.getSelection().selectAllChildren(link);
  };
  for (const button of document.querySelectorAll("[data-copy]")) {
    button.hidden = false;
    button.addEventListener("click", async () => {
      try {
        await navigator.clipboard.writeText(button.dataset.copy);
        button.classList.add("done");
      } catch {
        select(button.dataset.copy);
        document.execCommand("copy");
      }
    });
  }
})();
