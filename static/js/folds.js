/* Phones: parts that are open on large screens begin folded, and the present page's tab is scrolled into view. */
if (matchMedia("(max-width: 599px)").matches) {
  for (const details of document.querySelectorAll("details[data-roomy]")) details.open = false;
  for (const shown of document.querySelectorAll(".subtabs [aria-current]")) {
    const row = shown.closest(".subtabs");
    row.scrollLeft = shown.offsetLeft - row.offsetLeft - (row.clientWidth - shown.offsetWidth) / 2;
  }
}
