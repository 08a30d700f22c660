/* What stands open on a screen with room begins folded on a phone. */
if (matchMedia("(max-width: 599px)").matches) {
  for (const one of document.querySelectorAll("details[data-roomy]")) one.open = false;
}
