"""A walk from page to page by the links on them, as a person with a mouse could walk."""

from __future__ import annotations

from collections import Counter, deque
from html.parser import HTMLParser
from urllib.parse import urljoin, urlsplit

from django.http import HttpResponse
from django.test import Client
from django.urls import Resolver404, ResolverMatch, resolve

#: attributes in which a page names another address
ATTRIBUTES = {"href", "action", "formaction", "src", "hx-get", "hx-post"}
#: pages of one address that a walk opens: those of other sessions and people have other links
OPENED = 4
#: parts of an address that name a session, a change or a list; other parts do not change the links of a page
KINDS = ("code", "wish", "token")
HTML = "text/html"
REDIRECTS = {301, 302}


class _Links(HTMLParser):
    """The addresses that a page names, and those of them that a press opens."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.named: list[str] = []
        self.opened: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Collect the addresses in a tag's attributes."""
        values = {name: value or "" for name, value in attrs}
        self.named += [value for name, value in values.items() if name in ATTRIBUTES]
        if tag == "a" and "href" in values:
            self.opened.append(values["href"])
        elif tag == "form" and values.get("method", "get").lower() == "get":
            self.opened.append(values.get("action", ""))


class Walk:
    """A walk of one browser: `reached` has the names of all addresses that the opened pages link to."""

    def __init__(self, browser: Client) -> None:
        self.browser = browser
        self.reached: set[str] = set()
        self._kinds: set[tuple[str, ...]] = set()
        self._opened: Counter[str] = Counter()

    def follow(self, start: str) -> Walk:
        """Open the page at `start`, then all pages that can be reached from it by links."""
        waiting = deque([start])
        while waiting:
            address = waiting.popleft()
            if self._is_due(address):
                waiting += self._open(address)
        return self

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

    def _open(self, address: str) -> list[str]:
        answer = self.browser.get(address)
        if answer.status_code in REDIRECTS:
            target = urljoin(address, answer.headers["Location"])
            self._note(target)
            return [target]
        if not answer.headers.get("Content-Type", "").startswith(HTML):
            return []
        self.seen(str(getattr(_match(address), "url_name", "")), _text(answer))
        links = _Links(_text(answer))
        for named in links.named:
            self._note(urljoin(address, named))
        return [urljoin(address, opened) for opened in links.opened]

    def seen(self, name: str, page: str) -> None:
        """Look at a page that was opened, with the name of its address; a walk looks at none."""

    def _note(self, address: str) -> None:
        match = _match(address)
        if match is not None:
            self.reached.add(str(match.url_name))


def _text(answer: HttpResponse) -> str:
    return answer.content.decode(answer.charset)


def _match(address: str) -> ResolverMatch | None:
    """Return what an address of this site leads to; None for another site's."""
    parts = urlsplit(address)
    if parts.netloc not in ("", "testserver"):
        return None
    try:
        return resolve(parts.path)
    except Resolver404:
        return None
