/* Seats by keyboard and by dragging: Space picks a pair up, the arrows travel, Space puts it down, Esc lets go.
   The Move links do the same without this file. */
(() => {
  let picked = null;
  let idle = "";
  const table = () => document.querySelector(".seats[data-swap-url]");

  const show = () => {
    for (const seat of document.querySelectorAll("[data-seat]")) {
      seat.closest("td").classList.toggle("picked", seat.dataset.seat === picked);
    }
    const help = document.getElementById("seat-help");
    if (!help) return;
    if (picked && help.textContent !== help.dataset.picked) {
      idle = help.textContent;
      help.textContent = help.dataset.picked;
    } else if (!picked && idle && help.textContent === help.dataset.picked) help.textContent = idle;
  };
  const pick = (seat) => { picked = seat; show(); };
  const swap = (one, other) => {
    pick(null);
    if (one === other) return;
    const sent = { target: "#pairs", swap: "outerHTML", values: { one, other } };
    htmx.ajax("POST", table().dataset.swapUrl, sent).then(() => {
      const seat = document.getElementById(`seat-${other}`);
      if (seat) seat.focus();
    });
  };

  /* the seat beside, above or below; free seats are passed over */
  const neighbour = (seat, key) => {
    const cell = seat.closest("td");
    let row = cell.parentElement;
    if (key === "ArrowLeft" || key === "ArrowRight") {
      return [...row.querySelectorAll("[data-seat]")][key === "ArrowLeft" ? 0 : 1];
    }
    do {
      row = key === "ArrowUp" ? row.previousElementSibling : row.nextElementSibling;
      const found = row && row.cells[cell.cellIndex].querySelector("[data-seat]");
      if (found) return found;
    } while (row);
    return null;
  };

  document.addEventListener("keydown", (event) => {
    const seat = event.target;
    if (!seat.matches || !seat.matches("[data-seat]")) return;
    if (event.key.startsWith("Arrow")) {
      event.preventDefault();
      const next = neighbour(seat, event.key);
      if (next) next.focus();
    } else if (event.key === " ") {
      event.preventDefault();
      if (picked) swap(picked, seat.dataset.seat);
      else pick(seat.dataset.seat);
    } else if (event.key === "Escape" && picked) pick(null);
  });

  // dragging with the mouse; fingers scroll, and tap Move
  let drag = null;
  document.addEventListener("pointerdown", (event) => {
    const seat = event.target.closest("[data-seat]");
    if (!seat || event.pointerType !== "mouse" || event.target.closest("a, button")) return;
    drag = { seat, x: event.clientX, y: event.clientY, isMoving: false };
  });
  document.addEventListener("pointermove", (event) => {
    if (drag && !drag.isMoving && Math.hypot(event.clientX - drag.x, event.clientY - drag.y) > 12) {
      drag.isMoving = true;
      pick(drag.seat.dataset.seat);
      window.getSelection().removeAllRanges();
    }
  });
  document.addEventListener("pointerup", (event) => {
    if (drag && drag.isMoving) {
      const under = document.elementFromPoint(event.clientX, event.clientY);
      const cell = under && under.closest(".seats td");
      const target = cell && cell.querySelector("[data-seat]");
      if (target) swap(picked, target.dataset.seat);
      else pick(null);
    }
    drag = null;
  });
  document.addEventListener("htmx:afterSwap", show);
})();

/* A press loads the next page, as the start of round 1 does: an earlier poll must not reload this page. */
(() => {
  let isGoing = false;
  addEventListener("submit", (event) => { isGoing = !event.defaultPrevented; });
  addEventListener("pageshow", () => { isGoing = false; });
  document.addEventListener("htmx:beforeOnLoad", (event) => { if (isGoing) event.preventDefault(); });
})();
