"""The screens of BridgeBuddy, derived from the table of addresses.

A screen is a page of its own that answers GET: an HTML document that a person reads. Two addresses of one view are
one screen. No screens are forms that are only sent, files, paper, JSON, fragments of a page, and old addresses that
lead to another page. An address that shows nothing in the states that are tried counts as a screen; so does one of
the sign-in's library that leads on, because its states are not tried.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from urllib.parse import urljoin, urlsplit

from django.http import HttpResponse
from django.test import Client
from django.urls import Resolver404, resolve

from .filled import count_filled

#: addresses that always lead on: those of former pages, of forms that are opened again, and of a choice
LEADS_ON = {
    "account_change_password": "account",
    "account_inactive": "",
    "account_logout": "account",
    "account_set_password": "account",
    "add-list": "entries",
    "add-pair": "entries",
    "anonymise-player": "edit-player",
    "attendance": "players",
    "break": "desk",
    "championship-evenings": "championship",
    "championship-groups": "championship",
    "championship-line": "championship",
    "championship-rules": "championship",
    "correct-substitute": "substitutes",
    "deals-file": "deals",
    "delete-account": "account",
    "delete-club": "club-privacy",
    "delete-session": "edit-session",
    "door-code": "who-comes",
    "event": "desk entries",  # of one session
    "find-account": "money-accounts",
    "fouled-board": "board-results",
    "guide-laws-print": "guide-laws",
    "handicap-by-hand": "handicaps",
    "help-card": "help-topic",
    "help-laws-print": "help-laws",
    "history": "desk",
    "i-play": "desk",
    "import": "moving-in",
    "invite": "members",
    "leave-door": "who-comes",
    "ledger": "masterpoints",
    "looking-back": "ranking",
    "match-boards": "entries",
    "member-mail": "member-mails",
    "merge-players": "players",
    "money-account": "money-accounts",
    "money-count": "money-sheet",
    "money-prices": "money",
    "new-championship": "season",
    "new-member-mail": "member-mails",
    "new-player": "players",
    "own-come": "own-page",
    "own-coming": "own-page",
    "own-forget": "own-page",
    "own-kept": "own-page",
    "own-movement": "import-movement",
    "pace": "players",
    "player-language": "code",
    "print-money-month": "",
    "kept": "club-privacy",
    "processing-record": "club-privacy",
    "public-deals-file": "public-boards",
    "publish": "ranking",
    "seat": "entries",
    "security-log": "members",
    "session-handicaps": "choose-movement classes",
    "set_language": "home",
    "strengths": "entries",
    "take-list": "entries",
    "type-cards": "deals",
}

HTML = "text/html"
DOCUMENT = b"<!doctype html>"
FOUND, ONLY_SENT, REDIRECTS = 200, 405, {301, 302}

PAGE, SENT, FILE, FRAGMENT, LEADS, NOTHING = "page", "sent", "file", "fragment", "leads", "nothing"
SIGN_IN = "account_login"
#: modules of views whose states are tried; a language is only chosen
OURS = ("bridgebuddy.", "django.views.i18n")
#: the clearer answer is kept where browsers get different ones
CLEAREST = (PAGE, SENT, FILE, FRAGMENT, LEADS, NOTHING)


@dataclass
class Screens:
    """Answers to GET by address name: the kind, the view, and the redirection."""

    kinds: dict[str, str] = field(default_factory=dict)
    views: dict[str, str] = field(default_factory=dict)
    targets: dict[str, set[str]] = field(default_factory=dict)
    #: the most filled buttons of each page
    filled: dict[str, int] = field(default_factory=dict)

    def ask(self, addresses: Mapping[str, str], browsers: Iterable[Client]) -> Screens:
        """Ask each address of every browser until it shows a page."""
        for name, address in addresses.items():
            self.views.setdefault(name, _view_of(address))
            for browser in browsers:
                if self.kinds.get(name) == PAGE:
                    break
                self.note(name, address, browser.get(address))
        return self

    def count(self) -> dict[str, int]:
        """Return the number of screens by their side of the product."""
        sides: dict[str, set[str]] = {}
        for name in self.names:
            sides.setdefault(_side_of(self.views[name]), set()).add(self.views[name])
        return {side: len(views) for side, views in sorted(sides.items())}

    @property
    def names(self) -> list[str]:
        """Return the addresses of the screens."""
        return sorted(name for name in self.kinds if self._is_screen(name))

    @property
    def leading(self) -> dict[str, str]:
        """Return the addresses of ours that lead on in every state, with the names of their targets."""
        return {
            name: " ".join(sorted(self.targets[name] - {SIGN_IN}))
            for name, kind in sorted(self.kinds.items())
            if kind == LEADS and not self._is_screen(name)
        }

    def open_names(self) -> set[str]:
        """Return the names of the addresses that have shown no page yet."""
        return {name for name, kind in self.kinds.items() if kind in (LEADS, NOTHING)}

    def _is_screen(self, name: str) -> bool:
        is_tried = self.views[name].startswith(OURS)
        return self.kinds[name] in (PAGE, NOTHING) or (self.kinds[name] == LEADS and not is_tried)

    def note(self, name: str, address: str, answer: HttpResponse) -> None:
        """Note an answer, unless a clearer one is known."""
        kind = _kind_of(answer)
        if kind == LEADS:
            self.targets.setdefault(name, set()).add(_name_of(urljoin(address, answer["Location"])))
        if kind == PAGE:
            count = count_filled(answer.content.decode(answer.charset))
            self.filled[name] = max(self.filled.get(name, 0), count)
        before = self.kinds.get(name, NOTHING)
        self.kinds[name] = min(before, kind, key=CLEAREST.index)


def _kind_of(answer: HttpResponse) -> str:
    if answer.status_code == ONLY_SENT:
        return SENT
    if answer.status_code in REDIRECTS:
        return LEADS
    if answer.status_code != FOUND:
        return NOTHING
    if not answer.headers.get("Content-Type", "").startswith(HTML):
        return FILE
    start = answer.content[:200].lstrip().lower()
    return PAGE if start.startswith(DOCUMENT) else FRAGMENT


def _view_of(address: str) -> str:
    view = resolve(urlsplit(address).path).func
    return f"{view.__module__}.{view.__qualname__}"


def _name_of(address: str) -> str:
    try:
        return str(resolve(urlsplit(address).path).url_name)
    except Resolver404:
        return ""


#: the beginning of a view's module, and the side of the product on which it is
SIDES = {
    "bridgebuddy.director": "director and club",
    "bridgebuddy.printing": "director and club",
    "bridgebuddy.clubs": "account",
    "allauth": "account",
    "bridgebuddy.players": "players and public",
    "bridgebuddy.table_phones": "tables",
    "movements": "movements",
}


def _side_of(view: str) -> str:
    return next((side for module, side in SIDES.items() if view.startswith(module)), view)
