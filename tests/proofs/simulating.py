"""The work of `manage.py simulate`: see docs/dev/simulate.md."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NoReturn

from django.core.management.base import CommandError
from django.db import connection

from bridgebuddy.events.models import Section
from bridgebuddy.scoring.rules.score import score_document

from . import contests
from .dumps import event_document
from .scored_evenings import audited, scored_session
from .simulation import Broken, Counts, PlayedEvening, simulated

Write = Callable[[str], object]
Refuse = Callable[[str], NoReturn]


@contextmanager
def own_database() -> Iterator[None]:
    """A database that is made for this and goes with it: no club's is touched."""
    name = connection.settings_dict["NAME"]
    connection.creation.create_test_db(verbosity=0, autoclobber=True, serialize=False)
    try:
        yield
    finally:
        connection.creation.destroy_test_db(name, verbosity=0)


def run(options: Mapping[str, Any], write: Write, refuse: Refuse) -> None:
    """Play the requested evenings, and write a report. Raises `CommandError` if a check fails."""
    if options["contests"] is not None:
        _contests(options, write, refuse)
        return
    if options["evenings"] < 1:
        refuse("At least one evening.")
    folder, first = _folder(options, refuse), max(0, options["first"])
    counts, results = Counts(), 0
    try:
        for index, evening in enumerate(
            simulated(options["evenings"], options["seed"], counts, first), start=first + 1
        ):
            document = evening.document() if folder else {}
            if options["scores"]:
                document |= _scored(evening)
                results += document["results"]["results"][0]
            if folder:
                text = json.dumps(document, ensure_ascii=False)
                (folder / f"evening-{index:05}.json").write_text(text, encoding="utf-8")
    except Broken as error:
        raise CommandError(str(error), returncode=1) from error
    write(counts.table())
    if options["scores"]:
        write(f"{results} results scored, every field adds up")


def _folder(options: Mapping[str, Any], refuse: Refuse) -> Path | None:
    """Make the folder that is written to, where one was asked for."""
    folder: Path | None = options["dump"]
    if folder:
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            refuse(f"{folder} cannot be made: {error}")
    return folder


def _contests(options: Mapping[str, Any], write: Write, refuse: Refuse) -> None:
    if options["contests"] < 1:
        refuse("At least one contest.")
    counts, folder, written = contests.Counts(), _folder(options, refuse), 0

    def dump(name: str, section: Section) -> None:
        nonlocal written
        if folder:
            written += 1
            text = json.dumps(event_document(name, section), ensure_ascii=False)
            (folder / f"event-{written:05}.json").write_text(text, encoding="utf-8")

    try:
        with own_database():
            many, first = options["contests"], max(0, options["first"])
            played = contests.simulated(
                many, options["seed"], counts, first, dump, has_leavers=options["leavers"]
            )
            for name in played:
                if options["verbosity"] > 1:
                    write(name)
    except Broken as error:
        raise CommandError(str(error), returncode=1) from error
    write(counts.table())


def _scored(evening: PlayedEvening) -> dict[str, Any]:
    """Return the evening's session and its results. Raises `Broken` where a field does not add up."""
    session = scored_session(evening)
    results = score_document(json.dumps(session))
    for wrong in audited(session, results):
        raise Broken(f"{evening.name}: {wrong}")
    return {"session": session, "results": results}
