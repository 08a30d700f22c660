/* Seats by keyboard and by dragging: Space picks a pair up, the arrows travel, Space puts it down, Esc lets go.
   The Move links do the same without this file. */
(() => {
  let picked = null;
  const seats = () => [...document.querySelectorAll("[data-seat]")];
  const table = () => document.querySelector(".seats[data-swap-url]");
  const help = (id) => { const line = document.getElementById("seat-help"); if (line && id) line.textContent = id; };
  const show = () => { for (const seat of seats()) seat.closest("td").classList.toggle("picked", seat.dataset.seat === picked); };

  const swap = (one, other) => {
    picked = null;
    if (one === other) { show(); return; }
    htmx.ajax("POST", table().dataset.swapUrl, { target: "#pairs", swap: "outerHTML", values: { one, other } }).then(() => {
      const seat = document.querySelector(`[data-seat="${other}"]`);
      if (seat) seat.focus();
    });
  };

  document.addEventListener("keydown", (event) => {
    const seat = event.target;
    if (!seat.matches || !seat.matches("[data-seat]")) return;
    const all = seats();
    const steps = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -2, ArrowDown: 2 };
    if (event.key in steps) {
      event.preventDefault();
      const next = all[all.indexOf(seat) + steps[event.key]];
      if (next) next.focus();
    } else if (event.key === " ") {
      event.preventDefault();
      if (picked) swap(picked, seat.dataset.seat);
      else { picked = seat.dataset.seat; show(); }
    } else if (event.key === "Escape" && picked) { picked = null; show(); }
  });

  // dragging with finger, pen or mouse
  let drag = null;
  document.addEventListener("pointerdown", (event) => {
    const seat = event.target.closest("[data-seat]");
    if (!seat || event.target.closest("a, button")) return;
    drag = { seat, x: event.clientX, y: event.clientY, isMoving: false };
  });
  document.addEventListener("pointermove", (event) => {
    if (!drag) return;
    if (!drag.isMoving && Math.hypot(event.clientX - drag.x, event.clientY - drag.y) > 12 && event.pointerType === "mouse") {
      drag.isMoving = true; picked = drag.seat.dataset.seat; show();
    }
    if (drag.isMoving) event.preventDefault();
  }, { passive: false });
  document.addEventListener("pointerup", (event) => {
    if (drag && drag.isMoving) {
      const under = document.elementFromPoint(event.clientX, event.clientY);
      const seat = under && under.closest("[data-seat], td:has([data-seat])");
      const target = seat && (seat.matches("[data-seat]") ? seat : seat.querySelector("[data-seat]"));
      if (target) swap(picked, target.dataset.seat); else { picked = null; show(); }
    }
    drag = null;
  });
  document.addEventListener("htmx:afterSwap", show);
})();
