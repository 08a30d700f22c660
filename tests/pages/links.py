"""A walk from page to page by the links on them, as a person with a mouse could walk."""

from __future__ import annotations

import heapq
from collections import Counter
from html.parser import HTMLParser
from urllib.parse import urljoin, urlsplit

from django.http import HttpResponse
from django.test import Client
from django.urls import Resolver404, ResolverMatch, resolve

#: attributes in which a page names another address
ATTRIBUTES = {"href", "action", "formaction", "src", "hx-get", "hx-post"}
#: pages of one address that a walk opens: those of other sessions and people have other links
OPENED = 6
#: parts of an address that name a session, a change or a list; other parts do not change the links of a page
KINDS = ("code", "wish", "token")
HTML = "text/html"
REDIRECTS = {301, 302}


class _Links(HTMLParser):
    """The addresses of a page's links and buttons, each with the number of presses.

    A folded part takes a press more.
    """

    def __init__(self, page: str) -> None:
        super().__init__()
        self.named: list[tuple[str, int]] = []
        self.opened: list[tuple[str, int]] = []
        self._folds: list[bool] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Collect the addresses in a tag's attributes."""
        values = {name: value or "" for name, value in attrs}
        if tag == "details":
            self._folds.append("open" not in values)
        presses = 1 + sum(self._folds)
        self.named += [(value, presses) for name, value in values.items() if name in ATTRIBUTES]
        if tag == "a" and "href" in values:
            self.opened.append((values["href"], presses))
        elif tag == "form" and values.get("method", "get").lower() == "get":
            self.opened.append((values.get("action", ""), presses))

    def handle_endtag(self, tag: str) -> None:
        """Leave a folded part."""
        if tag == "details" and self._folds:
            self._folds.pop()


class Walk:
    """A walk of one browser: `presses` has the names of all addresses that the opened pages link to.

    Each name has the fewest presses from the start; pages are opened in their order.
    """

    def __init__(self, browser: Client) -> None:
        self.browser = browser
        self.presses: dict[str, int] = {}
        self._kinds: set[tuple[str, ...]] = set()
        self._opened: Counter[str] = Counter()

    def follow(self, start: str) -> Walk:
        """Open the page at `start`, then all pages that can be reached from it by links."""
        waiting, number = [(0, 0, start)], 0
        while waiting:
            presses, _, address = heapq.heappop(waiting)
            if not self._is_due(address):
                continue
            for target, more in self._open(address, presses):
                number += 1
                heapq.heappush(waiting, (presses + more, number, target))
        return self

    @property
    def reached(self) -> set[str]:
        """Return the names of all addresses that the opened pages link to."""
        return set(self.presses)

    def _is_due(self, address: str) -> bool:
        match = _match(address)
        if match is None:
            return False
        name = str(match.url_name)
        kind = (name, *(str(match.kwargs.get(part)) for part in KINDS))
        if kind in self._kinds or self._opened[name] >= OPENED:
            return False
        self._kinds.add(kind)
        self._opened[name] += 1
        return True

    def _open(self, address: str, presses: int) -> list[tuple[str, int]]:
        answer = self.browser.get(address)
        if answer.status_code in REDIRECTS:
            target = urljoin(address, answer.headers["Location"])
            self._note(target, presses)
            return [(target, 0)]
        if not answer.headers.get("Content-Type", "").startswith(HTML):
            return []
        self.seen(str(getattr(_match(address), "url_name", "")), _text(answer))
        links = _Links(_text(answer))
        for named, more in links.named:
            self._note(urljoin(address, named), presses + more)
        return [(urljoin(address, opened), more) for opened, more in links.opened]

    def seen(self, name: str, page: str) -> None:
        """Look at a page that was opened, with the name of its address; a walk looks at none."""

    def _note(self, address: str, presses: int) -> None:
        match = _match(address)
        if match is not None:
            name = str(match.url_name)
            self.presses[name] = min(self.presses.get(name, presses), presses)


def _text(answer: HttpResponse) -> str:
    return answer.content.decode(answer.charset)


def _match(address: str) -> ResolverMatch | None:
    """Return the target of an address of this site; None for another site's."""
    parts = urlsplit(address)
    if parts.netloc not in ("", "testserver"):
        return None
    try:
        return resolve(parts.path)
    except Resolver404:
        return None
