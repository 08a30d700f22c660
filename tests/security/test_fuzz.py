"""Random requests to any address: the answer is a page, never an error of the program.

Every address gets its expected data with some of the fields that it reads spoilt. The seed is fixed, so
that a failure can be repeated: `SEED=7 INPUTS=20000 …/pytest tests/security/test_fuzz.py` looks further.
"""

from __future__ import annotations

import os
import random
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from http.cookies import SimpleCookie
from io import BytesIO
from typing import Any
from urllib.parse import quote

import pytest
from django.db import transaction
from django.http import QueryDict
from django.test import Client

from bridgebuddy.events.services.play import searches
from tests.factories import section_with
from tests.pages.addresses import forms, pages

from . import rights

SEED = int(os.environ.get("SEED", 13))
INPUTS = int(os.environ.get("INPUTS", 1600))

SPOILT = [
    *("", " ", "0", "-1", "1", "3", "1.5", "1e9", "NaN", "inf", "9" * 30, "1" * 5000),
    *("²", "٣", "①", "½", "Ⅷ", "߃", "0x10", "1_000", "+1", "１"),
    *("\x00", "a\x00b", "\r\nX: y", "\x1b[0m", "\ufffe", "\u2028"),
    *("\u202eabc", "\u200b", "\u200d\u2060", "\u3164", "😀", "ß" * 130, "ﷺ" * 30, "é" * 61),
    *("'", '"', "<b>", "' OR 1=1--", "%s%n", "{0}", "{{ x }}", "../..", "//evil.example", "a"),
    *("2026-02-30", "0000-00-00", "9999-12-31", "99:99", "24:00", "true", "on", "None", "[]", "{}"),
    *('{"a": 1}', "x" * 61, "x" * 5000, "NS1", "ew²", "A", "all", "turn", "en", "howell", "home"),
    *("Anna North1", "Anna North1, Bob South1", "a;b;c\n\n,,,", "1-1-1", "²-²-²", "9" * 19),
]
NAMES = [
    *("v", "all", "q", "field", "page", "club", "day", "month", "next", "code", "entry", "table"),
    *("tables", "rounds", "missing", "option-version", "for", "form", "move", "version", "since"),
    *("contestant", "who", "second", "started", "open", "plan", "after", "way", "reason", "name"),
    *(
        "email",
        "login",
        "password",
        "password1",
        "role",
        "language",
        "key",
        "pairs",
        "line",
        "text-1",
    ),
    *("round", "board", "table", "one", "instead", "field"),
    *("first", "second", "team", "boards", "family", "size", "method", "seed", "how", "sections"),
]
HEADERS = {
    "Content-Type": [
        "application/x-www-form-urlencoded; charset=utf-16",
        "application/x-www-form-urlencoded; charset=utf-7",
        "application/x-www-form-urlencoded; charset=\x7f",
        "multipart/form-data",
        "multipart/form-data; boundary=" + "x" * 300,
        "application/json",
        "text/plain; charset",
        ";",
    ],
    "X-Forwarded-For": ["a, b", "1.2.3.4", "::1, ::1, ::1", ",", "[::1]:80"],
    "Accept-Language": ["x" * 6000, "de;q=x", "*", "²", "de-" * 200],
    "HX-Current-URL": ["http://[", "a", "//x", "http://testserver/s/²/desk/"],
    "Referer": ["http://[", "a", "\\"],
    "HX-Target": ["pairs", "live", "²"],
    "Cookie": [
        "phone=²; browser=a:b:c",
        "sessionid=x\x00y",
        "csrftoken=²",
        "django_language=²",
        "=;;",
    ],
    "Content-Length": ["²", "-1", ""],
}


@dataclass(frozen=True)
class Input:
    """One request, by the name of its address."""

    name: str
    method: str
    address: str
    sent: dict[str, object] = field(default_factory=dict)
    headers: dict[str, str] = field(default_factory=dict)

    def send(self, browser: Client) -> int:
        headers = {name: value for name, value in self.headers.items() if name != "Content-Type"}
        if kind := self.headers.get("Content-Type"):
            body = "&".join(f"{k}={quote(str(v))}" for k, v in self.sent.items()).encode()
            answer = browser.generic(
                self.method, self.address, body, content_type=kind, headers=headers
            )
        else:
            ask = browser.post if self.method == "POST" else browser.get
            answer = ask(self.address, self.sent, headers=headers)
        return answer.status_code


def spoilt(value: str, chance: random.Random) -> str:
    """Something that is not meant, or nearly."""
    if value and chance.random() < 0.2:
        at = chance.randrange(len(value))
        return value[:at] + chance.choice(SPOILT)[:9] + value[at + 1 :]
    return chance.choice(SPOILT)


class FieldReads:
    """Names of the fields that the pages of each address have read."""

    def __init__(self, patches: pytest.MonkeyPatch) -> None:
        self.of: defaultdict[str, dict[str, None]] = defaultdict(dict)
        self.now = ""
        for way in ("__getitem__", "getlist"):
            patches.setattr(QueryDict, way, self._noting(getattr(QueryDict, way)))
        patches.setattr(QueryDict, "items", lambda query: ((k, v[-1]) for k, v in query.lists()))

    def _noting(self, read: Callable[..., Any]) -> Callable[..., Any]:
        def noting(query: QueryDict, name: str, *more: Any, **named: Any) -> Any:
            self.of[self.now].setdefault(name)
            return read(query, name, *more, **named)

        return noting

    def names(self, one: Input, chance: random.Random) -> list[str]:
        """Return names to spoil: once the read fields are known, mostly those."""
        if (read := list(self.of[one.name])) and chance.random() < 0.9:
            return chance.sample(read, min(len(read), chance.randint(1, 4)))
        return chance.sample([*one.sent, *NAMES], chance.randint(1, 3))


def spoilt_one(one: Input, reads: FieldReads, chance: random.Random) -> Input:
    sent = dict(one.sent)
    for name in reads.names(one, chance):
        sent[name] = spoilt(str(sent.get(name, "")), chance)
    for name in [name for name in sent if chance.random() < 0.05]:
        sent[name] = [spoilt("", chance), spoilt("", chance)]
    method = chance.choice(["GET", "POST"]) if chance.random() < 0.15 else one.method
    if method == "POST" and chance.random() < 0.05:
        file = BytesIO(
            chance.choice([b"", b"\xff\xfe\x00", b"\x89PNG\r\n\x1a\n", b"{", b"a,b\n" * 9])
        )
        file.name = chance.choice(["a.csv", "²", "x" * 300])
        sent[chance.choice(["file", "logo", "pairs", "text"])] = file
    address = one.address
    if chance.random() < 0.1:
        parts = address.split("/")
        at = chance.randrange(len(parts))
        parts[at] = quote(chance.choice(SPOILT)[:300], safe="")
        address = "/" + "/".join(parts).lstrip("/")
    headers = dict(one.headers)
    if chance.random() < 0.15:
        name = chance.choice(list(HEADERS))
        headers[name] = chance.choice(HEADERS[name])
    return Input(one.name, method, address, sent, headers)


def known_inputs(section, listed, by) -> list[Input]:
    """Return the expected input of every address: of sections as other tests send it, of all others without data."""
    found = []
    for element in (section, listed):
        for asked in [*pages(element), *forms(element)]:
            code = {} if asked.name == "home" else {"code": element.code}
            address = rights.reverse(asked.name, kwargs={**code, **asked.rest})
            method = "POST" if asked.is_form else "GET"
            found.append(Input(asked.name, method, address, dict(asked.sent), dict(asked.headers)))
    addresses = {**rights.addresses_of(section, by), **rights.other_addresses()}
    for name, address in addresses.items():
        found += [Input(name, "GET", address), Input(name, "POST", address)]
    # forms first: they are sent once more when it is known what they read
    return sorted(found, key=lambda item: item.method == "GET")


@pytest.mark.django_db
def test_nothing_that_is_sent_is_answered_with_an_error(club, alice, monkeypatch):
    monkeypatch.setattr("bridgebuddy.printing.rendering.cache.render_pdf", str.encode)
    monkeypatch.setattr(searches, "searched_proposals", lambda *arguments: [])
    monkeypatch.setattr("movements.engine.fairness.switching.proposals", lambda *_: [])
    section = section_with(10, "mitchell", round=2, club=club, by=alice)
    listed = section_with(8, club=club, by=alice)  # of which no movement is chosen yet
    known = known_inputs(section, listed, alice)
    browser = Client(raise_request_exception=False)
    browser.force_login(alice)
    signed_in = browser.cookies.output(header="", sep=";")

    failed, reads, chance = [], FieldReads(monkeypatch), random.Random(SEED)
    step = max(1.0, len(known) / INPUTS)  # fewer inputs than that come by every so-manyth
    for number in range(INPUTS):
        one = spoilt_one(known[int(number * step) % len(known)], reads, chance)
        reads.now = one.name
        browser.cookies = SimpleCookie(signed_in)
        with transaction.atomic():
            status = one.send(browser)
            transaction.set_rollback(True)
        if status >= 500:
            failed.append((status, one))

    assert failed == []
