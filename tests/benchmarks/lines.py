"""Pieces of work for benchmarks, each with its name and a function. Runs in this or an older checkout.

The lines use only names that both checkouts have: addresses of pages, families and few functions. `against` runs
this file as a process of its own: it gets the name of a line, does the work, and answers with its CPU seconds.
"""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Callable
from functools import cache, partial
from itertools import count
from time import process_time

Work = Callable[[], object]
LEAST = 0.05  # seconds a measurement takes at least: quick work is done more than once

FAMILIES = (
    *(("mitchell", 13), ("mitchell", 39), ("skip-mitchell", 16), ("share-and-relay", 20)),
    *(("crisscross", 12), ("web", 14), ("two-stanza", 10), ("scrambled-mitchell", 9)),
    *(("howell", 7), ("partial-howell", 9), ("individual", 4), ("rainbow", 8)),
    *(("ns-rover", 11), ("hesitation", 8), ("appendix-mitchell", 9), ("team-round-robin", 9)),
)
SHEETS = ("guide-cards", "table-cards", "master", "score-slips", "score-cards", "board-labels")


def engine() -> dict[str, Callable[[], Work]]:
    """Yield the work of the engine, with empty caches."""
    found: dict[str, Callable[[], Work]] = {}
    for family, tables in FAMILIES:
        found[f"build {family} {tables}"] = partial(building, family, tables)
        found[f"laws of {family} {tables}"] = partial(checking, family, tables)
    for kind in ("PairArrives", "PairLeaves", "LengthChanges", "SatInEachOthersPlace"):
        for family, tables in (("skip-mitchell", 12), ("howell", 7)):
            found[f"{kind} in {family} {tables}"] = partial(changing, kind, family, tables)
    for pairs in (8, 16, 28):
        found[f"advice for {pairs} pairs"] = partial(advising, pairs)
    for family in ("skip-mitchell", "scrambled-mitchell"):
        found[f"luck of 40 tables × 30 boards, {family}"] = partial(looking_back, family, 40)
    return found


def building(family: str, tables: int) -> Work:
    from movements.engine import catalogue

    return afresh(lambda: catalogue.build_movement(family, tables))


def checking(family: str, tables: int) -> Work:
    from movements.engine import catalogue, laws

    movement = catalogue.build_movement(family, tables)
    return afresh(lambda: laws.find_violations(movement))


def changing(kind: str, family: str, tables: int) -> Work:
    from movements.engine import catalogue, changes

    movement = catalogue.build_movement(family, tables)
    one, other, fixed = 1, 3, movement.rounds // 2
    of_kind = getattr(changes, kind)
    arguments = {
        "PairArrives": (),
        "PairLeaves": (one,),
        "LengthChanges": (movement.rounds - 1,),
        "SatInEachOthersPlace": (fixed, one, other),
    }
    return afresh(lambda: changes.proposals(movement, fixed, of_kind(*arguments[kind])))


def advising(pairs: int) -> Work:
    from movements.engine.adviser import Wishes, advise_movements

    return afresh(lambda: advise_movements(Wishes(pairs)))


def looking_back(family: str, tables: int) -> Work:
    from random import Random

    from bridgebuddy.seasons.rules.luck import SessionLuck, firm_places
    from movements.engine import catalogue
    from tests.proofs.luck import plays_of, results

    movement = catalogue.build_movement(family, tables)
    plays = results(
        plays_of(movement, rounds=10), dict.fromkeys(movement.contestants, 0.0), Random(1)
    )
    fields = [list(map(str, movement.members(field))) for field in movement.fields]

    def look() -> None:
        lucks = SessionLuck(plays, fields)
        for field in fields:
            firm_places(lucks, [(person, -float(place)) for place, person in enumerate(field)])
            for person in field:
                lucks.shares(person, 0.1)

    return look


def afresh(work: Work) -> Work:
    """Let the engine remember nothing of the time before."""
    import gc

    remembered = [item for item in gc.get_objects() if type(item).__name__ == "_lru_cache_wrapper"]
    own = [item for item in remembered if str(item.__module__).startswith("movements.")]

    def from_scratch() -> None:
        for item in own:
            item.cache_clear()
        work()

    return from_scratch


def pages() -> dict[str, Callable[[], Work]]:
    """Yield the pages of an evening of sixteen tables in round 2."""
    found: dict[str, Callable[[], Work]] = {
        "a phone": lambda: showing("/p/{code}/NS1/"),
        "a phone that has nothing new": polling,
        "whose phone": lambda: showing("/p/{code}/"),
        "the room": lambda: showing("/p/{code}/room/"),
        **{
            page or "home": partial(showing, f"/s/{{code}}/{page}/" if page else "/")
            for page in ("", "desk", "entries", "movement", "rounds", "print")
        },
        "the next round and back": driving,
        "the library": lambda: showing("/movements/"),
        "score an evening": scoring,
    }
    for sheet in SHEETS:
        found[f"{sheet}, as a page"] = partial(showing, f"/s/{{code}}/print/{sheet}.html")
        found[f"{sheet}, as PDF"] = partial(showing, f"/s/{{code}}/print/{sheet}.pdf")
    return found


@cache
def club() -> tuple[str, object]:
    """Make an evening; return its code and a browser whose director has signed in."""
    os.environ["DATABASE_URL"] = "sqlite://:memory:"
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "bridgebuddy.settings")
    import django

    django.setup()
    from django.core.management import call_command
    from django.test import Client
    from django.test.utils import setup_test_environment

    from tests.factories import director_of, section_with

    setup_test_environment()
    call_command("migrate", verbosity=0)
    section = section_with(32, "skip-mitchell", round=2, rounds=8)
    browser = Client()
    browser.force_login(director_of(section.club))
    return section.code, browser


def showing(address: str) -> Work:
    from django.core.cache import cache as kept

    code, browser = club()

    def show() -> None:
        kept.clear()
        answer = browser.get(address.format(code=code))  # type: ignore[attr-defined]
        assert answer.status_code == 200, answer.status_code

    return show


def polling() -> Work:
    code, browser = club()
    address = f"/p/{code}/NS1/"
    page = browser.get(address).content.decode()  # type: ignore[attr-defined]
    version = re.findall(r'data-version="(\d+)"', page)[0]

    def poll() -> None:
        answer = browser.get(address, {"v": version}, headers={"HX-Request": "true"})  # type: ignore[attr-defined]
        assert answer.status_code == 204, answer.status_code

    return poll


def driving() -> Work:
    code, browser = club()

    def drive() -> None:
        for action, fields in (("next-round", {"after": 2}), ("back", {"round": 3})):
            answer = browser.post(f"/s/{code}/{action}/", fields)  # type: ignore[attr-defined]
            assert answer.status_code == 302, answer.status_code

    return drive


def scoring() -> Work:
    from bridgebuddy.scoring.rules.score import score_document
    from tests.benchmarks.bench_scoring import evening

    text = json.dumps(evening(20, 24) | {"profile": {"method": "matchpoints"}})
    return lambda: score_document(text)


LINES = engine() | pages()


def seconds(work: Work) -> float:
    """Return the CPU seconds of the work, repeated until they can be measured."""
    begin = process_time()
    for times in count(1):
        work()
        if (taken := process_time() - begin) > LEAST:
            return taken / times
    raise AssertionError


def main() -> None:
    """Answer each name from standard input with seconds or an error."""
    ready: dict[str, Work] = {}
    for name in map(str.strip, sys.stdin):
        try:
            if name not in ready:
                if name in pages():
                    club()
                ready[name] = LINES[name]()
                ready[name]()  # what is read or imported only once is not measured
            answer: dict[str, object] = {"seconds": seconds(ready[name])}
        except Exception as fault:  # an older checkout knows less
            answer = {"fault": f"{type(fault).__name__}: {fault}".splitlines()[0]}
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    sys.path.insert(0, os.getcwd())
    main()
