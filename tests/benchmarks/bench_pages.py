"""Cost of pages at the busiest moments: queries, and milliseconds of a core.

    python -m tests.benchmarks.bench_pages [TABLES]

The server's own program is asked in one process, without a network: a section whose round has just begun, the first
phone that asks and the others after it, the room, the table's phone, the desk, and results on which nothing changes.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.cookies import SimpleCookie
from statistics import median
from time import process_time
from typing import Any

TABLES = 15
TIMES = 9


@dataclass
class PageCost:
    """Cost of an answer."""

    status: int
    body: str
    cookies: str
    seconds: float
    queries: int


@contextmanager
def counted() -> Iterator[list[str]]:
    """Hear of every query."""
    from django.db import connection

    heard: list[str] = []

    def hear(execute: Callable[..., Any], sql: str, *rest: Any) -> Any:
        if not sql.startswith(("BEGIN", "SET TRANSACTION")):
            heard.append(sql)
        return execute(sql, *rest)

    with connection.execute_wrapper(hear):
        yield heard


class Browser:
    """A browser that calls the application without a network."""

    def __init__(self, cookies: str = "") -> None:
        from django.core.wsgi import get_wsgi_application
        from django.test import RequestFactory

        self.cookies, self.program, self.make = cookies, get_wsgi_application(), RequestFactory()

    def ask(self, address: str, form: dict[str, object] | None = None, **headers: str) -> PageCost:
        token = "x" * 32
        cookies = f"csrftoken={token}; {self.cookies}"
        given: dict[str, Any] = {"HTTP_COOKIE": cookies, "SERVER_NAME": "127.0.0.1", **headers}
        if form is None:
            request = self.make.get(address, **given)
        else:
            request = self.make.post(address, {**form, "csrfmiddlewaretoken": token}, **given)
        told: list[Any] = []
        with counted() as queries:
            begin = process_time()
            answer = self.program(request.environ, lambda *head: told.append(head))
            body = b"".join(answer)
            answer.close()
            seconds = process_time() - begin
        status, headers_of = told[0][:2]
        found: SimpleCookie = SimpleCookie()
        for name, value in headers_of:
            if name.lower() == "set-cookie":
                found.load(value)
        learnt = "; ".join(f"{key}={row.value}" for key, row in found.items())
        return PageCost(int(status.split()[0]), body.decode(), learnt, seconds, len(queries))


def told(what: str, found: list[PageCost]) -> None:
    """Print the median."""
    seconds, queries = (median(item.seconds for item in found), max(item.queries for item in found))
    statuses = {item.status for item in found} - {200, 204, 302}
    print(
        f"  {what:46} {1000 * seconds:7.1f} ms {queries:3} queries"
        f"{f'  status {statuses}' if statuses else ''}",
        flush=True,
    )


def forget() -> None:
    """Be a process that has just been started, as far as a section goes."""
    from bridgebuddy.operations import caching, process_cache

    caching.memory.clear()
    process_cache.LIFE += "."


def phones(section: Any, browser: Browser, phone: Browser) -> None:
    """Start rounds, and let phones ask, each the first time in the round."""
    labels = [
        section.movement.without_seatings.label(entry.contestant).replace(" ", "")
        for entry in section.entries.all()
    ]
    addresses = [f"/p/{section.code}/{label}/" for label in labels]
    phone.cookies = phone.ask(addresses[0]).cookies
    browser.ask(f"/s/{section.code}/desk/")
    presses, desks, firsts, seconds, rooms, others, again, screens = [], [], [], [], [], [], [], []
    for after in range(2, 2 + TIMES):
        presses.append(browser.ask(f"/s/{section.code}/next-round/", {"after": after}))
        desks.append(browser.ask(f"/s/{section.code}/desk/"))
        again.append(browser.ask(f"/s/{section.code}/desk/"))
        forget()
        firsts.append(phone.ask(addresses[0], HTTP_HX_REQUEST="true"))
        seconds += [phone.ask(address, HTTP_HX_REQUEST="true") for address in addresses[1:6]]
        others.append(phone.ask(f"/p/{section.code}/", HTTP_HX_REQUEST="true"))
        rooms.append(phone.ask(f"/p/{section.code}/room/", HTTP_HX_REQUEST="true"))
        screens.append(phone.ask(f"/p/{section.code}/room/", HTTP_HX_REQUEST="true"))
    told("the press that starts a round", presses)
    told("the desk after it", desks)
    told("the desk once more", again)
    told("first phone", firsts)
    told("the phones after it", seconds)
    told("whose phone", others)
    told("the room after them", rooms)
    told("another screen in the room", screens)


def tables_phones(section: Any, by: Any) -> None:
    """Let the phones of tables ask for the pages of result entry."""
    from django.urls import reverse

    from bridgebuddy.events.models import Section
    from bridgebuddy.table_phones.queries.phones import phone_settings_of
    from bridgebuddy.table_phones.secrets import secret_of
    from bridgebuddy.table_phones.services.phone_settings import store_phone_settings

    store_phone_settings(
        section, mode="secret", agreement="accept", feedback="none", asks_lead=False, by=by
    )
    section = Section.objects.get(pk=section.pk)
    settings = phone_settings_of(section)
    pages, again = [], []
    forget()
    for table in range(1, 8):
        secret = secret_of(section, table, settings)
        there = section.plays.filter(round=section.round, table=table).first()
        phone = Browser()
        at = reverse("table", args=[section.code, table])
        joined = phone.ask(reverse("table-join", args=[section.code, table, secret]))
        phone.cookies = joined.cookies
        whose = phone.ask(f"{at}?who={there.ns_id}")
        phone.cookies = "; ".join(filter(None, (joined.cookies, whose.cookies)))
        pages.append(phone.ask(at, HTTP_HX_REQUEST="true"))
        again.append(phone.ask(at, HTTP_HX_REQUEST="true"))
    told("a table's phone", pages)
    told("the same once more", again)


def evening(tables: int, sections: int = 1) -> tuple[Any, Any]:
    """Make an evening with this number of tables and sections."""
    from tests.factories import ClubFactory, director_of, section_with

    club = ClubFactory()
    by = director_of(club)
    return section_with(2 * tables, "mitchell", round=2, boards_per_round=2, club=club, by=by), by


def signed_in(user: Any) -> str:
    from django.conf import settings
    from django.test import Client

    client = Client()
    client.force_login(user)
    return f"sessionid={client.cookies[settings.SESSION_COOKIE_NAME].value}"


def results(pairs: int) -> None:
    """Play and publish a whole evening, and ask for its unchanged pages."""
    from django.utils import timezone

    from bridgebuddy.scoring.models import ScoringSettings
    from tests.factories import ClubFactory, director_of, section_with
    from tests.scoring.test_tonight import enter_by_chance

    club = ClubFactory()
    by = director_of(club)
    section = section_with(pairs, "mitchell", club=club, by=by, round=5)
    enter_by_chance(section)
    scoring, _ = ScoringSettings.objects.get_or_create(session=section.session)
    scoring.published_at = timezone.now()
    scoring.save()
    browser = Browser()
    browser.cookies = browser.ask(f"/p/{section.code}/NS1/").cookies
    base = f"/r/{scoring.token}/"
    pages = {
        "published list": base,
        "published sheet": f"{base}sheets/{section.name}/NS1/",
        "published board": f"{base}boards/{section.name}/1/",
        "My results": f"/p/{section.code}/NS1/results/",
    }
    for what, address in pages.items():
        forget()
        told(f"{what}, {pairs} pairs, first", [browser.ask(address)])
        told(f"{what}, {pairs} pairs, unchanged", [browser.ask(address) for _ in range(TIMES)])
    others = {
        "other sheets": [f"{base}sheets/{section.name}/EW{n}/" for n in range(1, 8)],
        "other boards": [f"{base}boards/{section.name}/{n}/" for n in range(2, 9)],
    }
    forget()
    browser.ask(base)
    for what, addresses in others.items():
        told(f"{what} after the list, {pairs} pairs, first", list(map(browser.ask, addresses)))


def main(tables: int = TABLES) -> None:
    with tempfile.TemporaryDirectory() as folder:
        os.environ["DATABASE_URL"] = (
            os.environ.get("BENCH_DATABASE") or f"sqlite:///{folder}/pages.sqlite3"
        )
        os.environ["VAR_DIR"] = folder
        os.environ.setdefault("DJANGO_SETTINGS_MODULE", "bridgebuddy.settings")
        import django

        django.setup()
        from django.core.management import call_command

        call_command("migrate", verbosity=0)
        call_command("createcachetable")
        section, by = evening(tables)
        print(f"{tables} tables")
        phones(section, Browser(signed_in(by)), Browser())
        tables_phones(section, by)
        for pairs in (14, 50):
            results(pairs)


if __name__ == "__main__":
    sys.path.insert(0, os.getcwd())
    main(*map(int, sys.argv[1:]))
