/* A slip by the keyboard alone: Enter goes to the next line, from the last one it stores; arrows move; F2 goes to
   another slip. Without this file Enter stores what has been typed so far, and the next empty line is typed next. */
(() => {
  const lines = () => [...document.querySelectorAll("input[data-line]")];
  const go = (line) => {
    if (!line) return false;
    line.focus();
    line.select();
    return true;
  };
  let isSent = false; // Enter held down stores once
  window.addEventListener("pageshow", () => { isSent = false; });
  // warn before unsaved input is lost, also if the slip came back with an error
  const stands = (line) => line.form.elements[line.name.replace("line-", "was-")].value;
  let isLeaving = false;
  document.addEventListener("submit", () => { isLeaving = true; });
  window.addEventListener("beforeunload", (event) => {
    if (!isLeaving && lines().some((line) => line.value !== stands(line))) event.preventDefault();
    isLeaving = false;
  });
  document.addEventListener("keydown", (event) => {
    if (event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "F2") {
      const jump = document.querySelector("[data-jump]");
      if (!jump) return;
      event.preventDefault();
      jump.focus();
      return;
    }
    const line = event.target.closest("input[data-line]");
    if (!line) return;
    const all = lines();
    const place = all.indexOf(line);
    const steps = { Enter: 1, ArrowDown: 1, ArrowUp: -1 };
    const step = event.shiftKey && event.key === "Enter" ? -1 : steps[event.key];
    if (!step) return;
    event.preventDefault();
    if (go(all[place + step]) || event.key !== "Enter" || step < 0) return;
    if (!isSent) line.form.querySelector("[data-store]").click();
    isSent = true;
  });
  // the reading shown belongs to the old text until the answer has come
  document.addEventListener("input", (event) => {
    const line = event.target.closest("input[data-line]");
    const reading = line && document.getElementById(line.getAttribute("aria-describedby"));
    if (reading) reading.classList.add("stale");
  });
  document.addEventListener("htmx:afterSwap", (event) => {
    const reading = event.detail.target;
    if (!reading.classList.contains("reading")) return;
    reading.classList.remove("stale");
    const isWrong = reading.querySelector(".field-error") !== null;
    reading.closest(".keyline, form").classList.toggle("wrong", isWrong);
  });
})();
