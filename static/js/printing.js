/* A button that prints the page shown. */
for (const button of document.querySelectorAll("[data-print]")) {
  button.hidden = !window.print;
  button.addEventListener("click", () => window.print?.());
}
