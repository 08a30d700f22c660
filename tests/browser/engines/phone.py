"""A page in any browser engine, used by small scripts that every engine since 2016 can run."""

from __future__ import annotations

import json
import time
from typing import Protocol

#: seconds; a test that passes never waits so long
PATIENCE = 120
PAUSE = 0.05

#: Tap the first of the matching links and buttons that is visible and lies under no other element. The click itself
#: comes a moment later, so that the answer is back before the page is left.
TAP = """(function (wanted, isSelector) {
    var all = document.querySelectorAll(isSelector ? wanted : "a, button");
    for (var i = 0; i < all.length; i++) {
        var found = all[i];
        var text = found.textContent.replace(/\\u00ad/g, "").replace(/\\s+/g, " ").trim();
        if (found.disabled || (!isSelector && text.indexOf(wanted) < 0)) continue;
        if (!found.offsetWidth) continue;
        found.scrollIntoView(false);
        var box = found.getBoundingClientRect();
        var under = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
        if (!under || !found.contains(under)) continue;
        setTimeout(function () { found.click(); }, 0);
        return true;
    }
    return false;
})(%s, %s)"""
SHOWN = """(function (wanted) {
    var all = document.querySelectorAll(wanted);
    for (var i = 0; i < all.length; i++) if (all[i].offsetWidth) return true;
    return false;
})(%s)"""
TEXT = """(document.body ? document.body.innerText : "").replace(/\\u00ad/g, "").replace(/\\s+/g, " ")"""


class EngineError(Exception):
    """An engine could not run a script, usually because it was between two pages."""


class Engine(Protocol):
    """Capabilities that a browser engine must have."""

    def open(self, address: str) -> None:
        """Open an address; a page that does not answer is no error."""

    def run(self, script: str) -> object:
        """Return the value of an expression in the page. Raises `EngineError`."""


class EnginePhone:
    """A page in an engine; every step waits until the page allows it."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def open(self, address: str) -> None:
        self._engine.open(address)

    def run(self, script: str) -> None:
        """Run a statement in the page, as soon as there is one."""
        self.until(f"(({script}), true)")

    def until(self, script: str) -> None:
        """Wait until an expression is true in the page."""
        ends, problem = time.monotonic() + PATIENCE, ""
        while True:
            try:
                if self._engine.run(script):
                    return
            except EngineError as error:
                problem = str(error)
            if time.monotonic() > ends:
                raise AssertionError(f"never true: {script}\n{problem}\non the page: {self.text()}")
            time.sleep(PAUSE)

    def text(self) -> str:
        """Return the text of the page."""
        try:
            return str(self._engine.run(TEXT))
        except EngineError as error:
            return f"(no page: {error})"

    def tap(self, text: str) -> None:
        """Tap the link or button whose text contains `text`."""
        self.until(TAP % (json.dumps(text), "false"))

    def tap_key(self, selector: str) -> None:
        """Tap the element that a CSS selector finds."""
        self.until(TAP % (json.dumps(selector), "true"))

    def see(self, text: str) -> None:
        """Wait until the page contains a text."""
        self.until(f"({TEXT}).indexOf({json.dumps(text)}) >= 0")

    def see_element(self, selector: str) -> None:
        """Wait until an element is visible."""
        self.until(SHOWN % json.dumps(selector))

    def back(self) -> None:
        """Go back to the page before this one."""
        self.run("setTimeout(function () { history.back(); }, 0)")

    def reload(self) -> None:
        """Load the page again, and wait until it has been."""
        self.run("window.isOld = true")
        self.run("setTimeout(function () { location.reload(); }, 0)")
        self.until("!window.isOld && document.readyState === 'complete'")
