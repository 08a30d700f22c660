/* On a phone what stands open on a screen with room begins folded, and of a row of pages the one shown is in sight. */
if (matchMedia("(max-width: 599px)").matches) {
  for (const one of document.querySelectorAll("details[data-roomy]")) one.open = false;
  for (const shown of document.querySelectorAll(".subtabs [aria-current]")) {
    const row = shown.closest(".subtabs");
    row.scrollLeft = shown.offsetLeft - row.offsetLeft - (row.clientWidth - shown.offsetWidth) / 2;
  }
}
