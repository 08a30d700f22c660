/* A club that is being made begins with the time zone of the browser. */
for (const field of document.querySelectorAll("[data-time-zone]")) {
  field.value = field.value || (Intl.DateTimeFormat().resolvedOptions().timeZone ?? "");
}
