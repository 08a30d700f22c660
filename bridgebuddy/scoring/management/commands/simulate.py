"""Random evenings with live changes, or contests drawn as they go, checked at every step."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError
from django.db import connection

from bridgebuddy.events.models import Section
from bridgebuddy.scoring.rules.evenings import audited, scored_session
from bridgebuddy.scoring.rules.score import score_document
from bridgebuddy.scoring.simulation import contests
from bridgebuddy.scoring.simulation.dumps import event_document
from movements.engine.simulation import Broken, Counts, Evening, simulated
from movements.management.refusing import RefusingCommand


@contextmanager
def own_database() -> Iterator[None]:
    """A database that is made for this and goes with it: no club's is touched."""
    name = connection.settings_dict["NAME"]
    connection.creation.create_test_db(verbosity=0, autoclobber=True, serialize=False)
    try:
        yield
    finally:
        connection.creation.destroy_test_db(name, verbosity=0)


class Command(RefusingCommand):
    help = (
        "Play random evenings with live changes, or with --contests Swisses, knock-outs, round robins and "
        "leagues; check every step, and print what happened."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--evenings", type=int, default=100)
        parser.add_argument("--seed", type=int, default=1)
        parser.add_argument(
            "--dump", type=Path, help="write one JSON file an evening or event here"
        )
        parser.add_argument("--scores", action="store_true", help="enter results, and score them")
        parser.add_argument(
            "--contests",
            type=int,
            help="instead of evenings play so many contests that are drawn from their results, on a "
            "database made for them: results late and corrected, teams late, leaving and back",
        )
        parser.add_argument(
            "--first", type=int, default=0, help="of these contests begin with this one (0, 1, 2 …)"
        )

    def handle(self, **options: Any) -> None:
        if options["contests"] is not None:
            self._contests(options)
            return
        if options["evenings"] < 1:
            self.refuse("At least one evening.")
        folder = self._folder(options)
        counts, results = Counts(), 0
        try:
            for index, evening in enumerate(
                simulated(options["evenings"], options["seed"], counts), start=1
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
        self.stdout.write(counts.table())
        if options["scores"]:
            self.stdout.write(f"{results} results scored, every field adds up")

    def _folder(self, options: dict[str, Any]) -> Path | None:
        """Make the folder that is written to, where one was asked for."""
        folder: Path | None = options["dump"]
        if folder:
            try:
                folder.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                self.refuse(f"{folder} cannot be made: {error}")
        return folder

    def _contests(self, options: dict[str, Any]) -> None:
        if options["contests"] < 1:
            self.refuse("At least one contest.")
        counts, folder, written = contests.Counts(), self._folder(options), 0

        def write(name: str, section: Section) -> None:
            nonlocal written
            if folder:
                written += 1
                text = json.dumps(event_document(name, section), ensure_ascii=False)
                (folder / f"event-{written:05}.json").write_text(text, encoding="utf-8")

        try:
            with own_database():
                many, first = options["contests"], max(0, options["first"])
                played = contests.simulated(many, options["seed"], counts, first, write)
                for name in played:
                    if options["verbosity"] > 1:
                        self.stdout.write(name)
        except Broken as error:
            raise CommandError(str(error), returncode=1) from error
        self.stdout.write(counts.table())


def _scored(evening: Evening) -> dict[str, Any]:
    """Return the evening's session and its results. Raises `Broken` where a field does not add up."""
    session = scored_session(evening)
    results = score_document(json.dumps(session))
    for wrong in audited(session, results):
        raise Broken(f"{evening.name}: {wrong}")
    return {"session": session, "results": results}
