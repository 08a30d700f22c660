"""A phone at a table: a test client that sees a page as keys and taps them, without any script."""

from __future__ import annotations

import html
import re
from dataclasses import dataclass, field
from html.parser import HTMLParser
from urllib.parse import urlencode, urljoin

from django.test import Client
from django.urls import reverse

from bridgebuddy.events.models import Section
from bridgebuddy.table_phones.queries.phones import phone_settings_of
from bridgebuddy.table_phones.secrets import secret_of
from bridgebuddy.table_phones.services.phone_settings import store_phone_settings


@dataclass
class Form:
    """A form of a page, with its hidden fields."""

    method: str
    action: str
    hidden: list[tuple[str, str]] = field(default_factory=list)


@dataclass
class Key:
    """Something that can be tapped: a link, or a button of a form."""

    text: str
    address: str = ""
    form: Form | None = None
    sent: tuple[str, str] | None = None
    name: str = ""  # what a screen reader says


class Keys(HTMLParser):
    """The keys of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.keys: list[Key] = []
        self.forms: dict[str, Form] = {}
        self.texts: list[str] = []
        self._form: Form | None = None
        self._key: Key | None = None
        self._of_form: list[tuple[Key, str]] = []
        self.feed(text)
        for key, name in self._of_form:
            key.form = self.forms[name]

    def handle_starttag(self, tag, attrs):
        said = {name: value or "" for name, value in attrs}
        if tag == "form":
            self._form = Form(said.get("method", "get"), said.get("action", ""))
            self.forms[said.get("id", f"form {len(self.forms)}")] = self._form
        elif tag == "input" and self._form is not None and said.get("name"):
            self._form.hidden.append((said["name"], said.get("value", "")))
        elif tag == "a" and "href" in said:
            self._key = Key("", address=" ".join(said["href"].split()))
        elif tag == "button" and "disabled" not in said:
            sent = (said["name"], said.get("value", "")) if "name" in said else None
            self._key = Key("", form=self._form, sent=sent)
            if "form" in said:
                self._of_form.append((self._key, said["form"]))
        if self._key is not None and "aria-label" in said:
            self._key.name += said["aria-label"]

    def handle_endtag(self, tag):
        if tag == "form":
            self._form = None
        if tag in ("a", "button") and self._key is not None:
            self._key.text = " ".join(self._key.text.split())
            self.keys.append(self._key)
            self._key = None

    def handle_data(self, data):
        self.texts.append(data)
        if self._key is not None:
            self._key.text += f"{data} "


class Phone:
    """A phone with a page open; `taps` counts its taps."""

    def __init__(self, section: Section, table: int = 0, pair: str | None = None) -> None:
        self.section, self.browser, self.taps = section, Client(), 0
        self.address, self.page = "", None
        if table:
            self.scan(table)
            if pair is not None:
                self.tap(pair)
                self.taps = 0

    def scan(self, table: int):
        """Scan a table's card."""
        secret = secret_of(self.section, table, phone_settings_of(self.section))
        return self.open(reverse("table-join", args=[self.section.code, table, secret]))

    def open(self, address: str, sent=None):
        ask = self.browser.get if sent is None else self.browser.post
        self.page = ask(address, sent or {}, follow=True)
        hops = self.page.redirect_chain
        self.address = urljoin(address, hops[-1][0]) if hops else address
        return self

    @property
    def _content(self) -> str:
        """The page, without marks where a long word may be broken."""
        return self.page.content.decode().replace("\u00ad", "")

    @property
    def text(self) -> str:
        """Return the words of the page."""
        body = re.sub(r"<(style|script).*?</\1>", "", self._content, flags=re.S)
        return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", body)).split())

    @property
    def keys(self) -> list[Key]:
        return Keys(self._content).keys

    def find(self, text: str) -> Key:
        for fits in (str.__eq__, str.startswith, str.__contains__):
            for key in self.keys:
                if fits(key.text, text) or (key.name and fits(key.name, text)):
                    return key
        raise AssertionError(f"no key {text!r} at {self.address}: {[k.text for k in self.keys]}")

    def has(self, text: str) -> bool:
        return any(text in key.text for key in self.keys)

    def tap(self, *texts: str):
        """Tap one key after the other."""
        for text in texts:
            key = self.find(text)
            self.taps += 1
            if key.form is None:
                self.open(urljoin(self.address, key.address))
                continue
            sent = [*key.form.hidden, *([key.sent] if key.sent else [])]
            address = urljoin(self.address, key.form.action or self.address.partition("?")[0])
            if key.form.method == "get":
                self.open(f"{address}?{urlencode(sent)}")
            else:
                self.open(address, dict(sent))
        return self

    def table(self, table: int):
        """Open a table's page, without a tap."""
        return self.open(reverse("table", args=[self.section.code, table]))

    def enter(self, board: int, outcome: dict):
        """Enter a board as players at the table do, up to the page that asks the other side."""
        self.tap(f"Enter board {board}" if self.has(f"Enter board {board}") else f"Board {board}")
        self.say(outcome)
        return self

    def enter_quickly(self, play, outcome: dict):
        """Enter a board with its contract and declarer already tapped, as their page's address says."""
        said = {}
        if contract := outcome.get("contract"):
            plain = contract.rstrip("x")
            said = {"level": plain[0], "strain": plain[1:], "dbl": contract[len(plain) :]}
            said |= {"by": outcome["declarer"], "more": 1}
        board = reverse("table-board", args=[self.section.code, play.table, play.pk])
        self.open(f"{board}?{urlencode(said)}")
        if "passed" in outcome:
            return self.tap("All passed")
        key = next(item for item in self.keys if item.sent == ("tricks", str(outcome["tricks"])))
        return self.tap(key.text)

    def say(self, outcome: dict):
        """Tap the outcome of a board on its keys."""
        if "passed" in outcome:
            return self.tap("All passed")
        contract = outcome["contract"]
        plain = contract.rstrip("x")
        names = {"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades", "NT": "no trumps"}
        self.tap(plain[0], names[plain[1:]])
        if doubled := contract[len(plain) :]:
            self.tap(doubled.upper())
        seat = outcome["declarer"]
        key = next(item for item in self.keys if item.sent == ("by", seat))
        self.tap(key.text)
        if not any(item.sent == ("tricks", str(outcome["tricks"])) for item in self.keys):
            self.tap("−4 or more")
        key = next(item for item in self.keys if item.sent == ("tricks", str(outcome["tricks"])))
        return self.tap(key.text)


def with_phones(section: Section, **chosen) -> Section:
    """Let phones enter in a section's session."""
    usual = {"mode": "secret", "agreement": "accept", "feedback": "traveller", "asks_lead": False}
    store_phone_settings(section, **(usual | chosen), by=None)
    section.refresh_from_db()
    return section
