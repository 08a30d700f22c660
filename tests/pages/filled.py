"""The filled buttons of a page: those that a person sees without unfolding anything."""

from __future__ import annotations

from html.parser import HTMLParser

#: elements whose content is not seen until something is pressed, or without scripts
FOLDED = {"details", "dialog", "noscript", "template"}


class _Filled(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.count = 0
        self._open: list[bool] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Count a filled button outside of folded parts."""
        values = dict(attrs)
        if tag in FOLDED:
            self._open.append("open" in values)
        if {"btn", "primary"} <= set((values.get("class") or "").split()):
            self.count += all(self._open) and "hidden" not in values

    def handle_endtag(self, tag: str) -> None:
        """Leave a folded part."""
        if tag in FOLDED and self._open:
            self._open.pop()


def count_filled(page: str) -> int:
    """Return the number of filled buttons of a page that are seen at once."""
    found = _Filled()
    found.feed(page)
    return found.count
