"""The director's pages in an engine: desk, entry by keyboard, a late pair, the ranking, and a sheet to print."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher
from io import BytesIO

from django.test import Client
from django.urls import reverse
from pypdf import PdfReader

from bridgebuddy.clubs.models import User
from bridgebuddy.events.models import Section
from bridgebuddy.scoring.models import Result

from .drivers import BidiEngine, WebDriverEngine
from .evening import wait_until
from .phone import EnginePhone

#: the steps as the page docs/dev/engines.md names them
STEPS: dict[str, Callable[[Desk], None]] = {}
TYPED = ("4hs=", "3nw-1", "p")
SHEET = "seating"
NEWCOMERS = ("Eve Engel", "Max Ohm")
STORED = [
    {"contract": "4H", "declarer": "S", "tricks": 10},
    {"contract": "3NT", "declarer": "W", "tricks": 8},
    {"passed": True},
]


@dataclass
class Desk:
    """The browser of a section's director."""

    engine: BidiEngine | WebDriverEngine
    section: Section
    user: User
    server: str

    @property
    def page(self) -> EnginePhone:
        return EnginePhone(self.engine)

    @property
    def client(self) -> Client:
        client = Client()
        client.force_login(self.user)
        return client

    def open(self, name: str, *args: object) -> None:
        """Open a page by the name of its address."""
        self.page.open(self.server + reverse(name, args=[self.section.code, *args]))

    def read(self, name: str, *args: object) -> bytes:
        """Return the content of a page without the engine."""
        return self.client.get(reverse(name, args=[self.section.code, *args])).content

    def type_at(self, place: int, fields: str, *keys: str) -> None:
        """Wait until the field at a place among those that a selector finds has the focus, and press keys."""
        self.page.until(
            "document.readyState === 'complete' && document.activeElement === "
            f"document.querySelectorAll({json.dumps(fields)})[{place}]"
        )
        self.engine.press(*keys)


def step(name: str) -> Callable[[Callable[[Desk], None]], Callable[[Desk], None]]:
    """Add a function to the steps."""

    def add(function: Callable[[Desk], None]) -> Callable[[Desk], None]:
        STEPS[name] = function
        return function

    return add


def work_at_desk(desk: Desk) -> Iterator[str]:
    """Do every step, and yield the names of those that are done."""
    for name, act in STEPS.items():
        act(desk)
        yield name


@step("desk")
def open_desk(desk: Desk) -> None:
    desk.page.open(f"{desk.server}/ping")  # a cookie is set from a page of its server
    desk.page.see("BridgeBuddy")
    cookie = desk.client.cookies["sessionid"].value
    desk.page.run(f"document.cookie = 'sessionid={cookie}; path=/'")
    desk.open("desk")
    desk.page.see("Round 1 of")
    desk.page.see_element("#table-1")


@step("entry by keyboard")
def enter_slip(desk: Desk) -> None:
    desk.open("slips")
    desk.page.see("Slip: table 1, round 1")
    for place, line in enumerate(TYPED):
        desk.type_at(place, "input[data-line]", *line, "Enter")
    desk.page.see("Slip: table 2, round 1")
    stored = Result.objects.filter(play__section=desk.section, play__table=1, stands=True)
    wait_until(
        lambda: [result.outcome for result in stored.order_by("play__board")] == STORED,
        "the slip is not stored",
    )


@step("late pair")
def seat_late_pair(desk: Desk) -> None:
    desk.open("desk")
    desk.page.until("document.readyState === 'complete' && self.htmx && true")
    desk.page.tap("Late pair")
    for place, name in enumerate(NEWCOMERS):
        desk.type_at(place, "#who [data-combo]", *name, "Tab")
    desk.page.tap_key("dialog[open] .decide button")
    desk.page.until("!document.querySelector('dialog[open]')")
    desk.page.see(f"{' & '.join(NEWCOMERS)} came and play as")
    assert desk.section.entries.count() == 17


@step("ranking")
def open_ranking(desk: Desk) -> None:
    desk.open("ranking")
    desk.page.see("North1")
    desk.page.see_element("main table")


@step("sheet to print")
def open_sheet(desk: Desk) -> None:
    """Look at the seating list as it is printed; an engine that prints makes the pages that the server makes."""
    desk.open("print-preview", SHEET)
    desk.page.until("document.readyState === 'complete' && document.fonts.status === 'loaded'")
    desk.page.see("North1")
    if not isinstance(desk.engine, BidiEngine):
        return
    made = PdfReader(BytesIO(desk.read("print-pdf", SHEET)))
    printed = PdfReader(BytesIO(desk.engine.print()))
    assert len(printed.pages) == len(made.pages)
    for ours, theirs in zip(made.pages, printed.pages, strict=True):
        words = [characters_on(page.extract_text()) for page in (ours, theirs)]
        assert SequenceMatcher(None, *words, autojunk=False).ratio() > 0.9


def characters_on(page: str) -> list[str]:
    """Return the characters of a page, sorted: programs write columns in orders of their own."""
    return sorted(re.sub(r"\s+|…", "", page))
