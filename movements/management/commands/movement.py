"""The engine on the command line: `movement FAMILY --tables N …` builds, `movement --list` lists."""

from __future__ import annotations

import csv
import io
import json
from argparse import ArgumentParser
from collections.abc import Mapping, Sequence
from typing import Any

from movements.engine import catalogue
from movements.engine.errors import MovementError, UnknownOption
from movements.engine.fairness.chart import movement_chart
from movements.engine.families.family import Family, FamilyOption, number_runs
from movements.engine.files import document
from movements.engine.model import Movement
from movements.management.refusing import RefusingCommand

FORMATS = ("text", "json", "csv")
KINDS = {
    "int": "a number",
    "ints": "numbers",
    "flag": "yes or no",
    "labels": "names",
}


class Command(RefusingCommand):
    """Print a movement, or the list of families."""

    help = "Build a movement and print it, or list the families of movements."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the family, its size and options, and the output format."""
        parser.add_argument("family", nargs="?", help="the family, as --list names it")
        parser.add_argument("--list", action="store_true", help="list the families")
        parser.add_argument("--tables", type=int, help="tables (teams in a contest of teams)")
        parser.add_argument("--rounds", type=int, help="rounds, if not the usual number")
        parser.add_argument("--missing", help='who is missing, as "EW 5": a half table')
        parser.add_argument(
            "--option", action="append", default=[], metavar="KEY=VALUE", help="see --list"
        )
        parser.add_argument("--format", choices=FORMATS, default="text")

    def handle(self, **options: Any) -> None:
        """Print a movement, or with `--list` the catalogue of families."""
        if options["list"]:
            written = LISTS[options["format"]]()
        elif not options["family"]:
            self.exit_with_error("Name a family of movements, or --list to see them all.")
        else:
            written = self._build_movement(options)
        self.stdout.write(written, ending="")

    def _build_movement(self, options: dict[str, Any]) -> str:
        """Return the movement as text; exit with an error if it is impossible."""
        try:
            family = catalogue.find_family(options["family"])
            if options["tables"] is None:
                self.exit_with_error(f"Say how many {family.counted} with --tables.")
            if options["missing"] is not None and not options["missing"].strip():
                self.exit_with_error('Say who is missing, as "EW 5" or "5".')
            movement = catalogue.build_movement(
                family.name,
                options["tables"],
                options["rounds"],
                options["missing"],
                read_options(family, options["option"]),
            )
        except MovementError as error:
            self.exit_with_error(catalogue.explain_refusal(error))
        return format_movement(movement, family, options["format"])


def read_options(family: Family, texts: Sequence[str]) -> dict[str, Any]:
    """Return a family's options from texts "key=value". Raises `UnknownOption`."""
    by_name = {option.name: option for option in family.options}
    chosen: dict[str, Any] = {}
    for wish in texts:
        key, has_value, value = wish.partition("=")
        if key in by_name and by_name[key].kind == "flag" and not has_value:
            value = "yes"
        if key not in by_name:
            allowed = ", ".join(by_name) or "no options"
            raise UnknownOption(family.name, option=key, value=value, allowed=allowed)
        try:
            chosen[key] = by_name[key].read(value)
        except ValueError:
            allowed = allowed_values_text(by_name[key])
            raise UnknownOption(family.name, option=key, value=value, allowed=allowed) from None
    return chosen


def allowed_values_text(option: FamilyOption) -> str:
    """Return the allowed values of an option as text."""
    return ", ".join(option.choices) or KINDS[option.kind]


def format_movement(movement: Movement, family: Family, form: str) -> str:
    """Return a movement as text, JSON or CSV."""
    if form == "text":
        return movement_chart(movement, family.title)
    if form == "csv":
        return document.write_csv(movement)
    size = f"{movement.tables} tables, {movement.rounds} rounds"
    about: dict[str, Any] = {
        "name": f"{family.title}, {size}",
        "source": {"document": family.source or "BridgeBuddy", "section": family.title},
    }
    is_drawn_later = any(item.law == "draw" for item in movement.exemptions)
    if movement.contest.has_halves and not is_drawn_later:
        about["claims"] = {"full_matches" if movement.sets else "draw": True}
    return document.write_json(document.MovementDocument(movement, about))


# ── the list ──


def list_as_text() -> str:
    """Return the catalogue of families as text, with requirements and options."""
    lines = []
    for family in catalogue.FAMILIES:
        winners = "one winner" if family.winners == 1 else f"{family.winners} winners"
        lines += [
            f"{family.name}: {family.title} ({family.contest}, {winners})",
            f"  needs {family.needs}",
            f"  {family.counted}: {', '.join(number_runs(family.sizes))}",
        ]
        if family.also_called:
            lines.append(f"  also called {', '.join(family.also_called)}")
        lines += [
            f"  --option {option.name}=…: {option.help} ({allowed_values_text(option)})"
            for option in family.options
        ]
    return "\n".join(lines) + "\n"


def list_as_data() -> list[dict[str, Any]]:
    """Return the catalogue of families as data, with the possible rounds by number of tables.

    Each choice that affects the sizes has its own rounds.
    """
    return [
        {
            "name": family.name,
            "title": family.title,
            "contest": family.contest,
            "winners": family.winners,
            "needs": family.needs,
            "also_called": list(family.also_called),
            "source": family.source,
            "counts": family.counted,
            "half_table": family.takes_missing_pair,
            "options": [
                {
                    "name": option.name,
                    "kind": option.kind,
                    "help": option.help,
                    "choices": list(option.choices),
                    "sizes": {
                        choice: sizes_as_data(family, {option.name: choice})
                        for choice in (option.choices if option.sizes else ())
                    },
                }
                for option in family.options
            ],
            "sizes": sizes_as_data(family, {}),
        }
        for family in catalogue.FAMILIES
    ]


def sizes_as_data(family: Family, options: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the possible rounds of a family with these options, by number of tables."""
    return [
        {
            "tables": tables,
            "rounds": list(family.possible_rounds(tables, options)),
            "usual": family.default_rounds(tables, options),
        }
        for tables in family.sizes_with(options)
    ]


def list_as_csv() -> str:
    """Return the catalogue of families as CSV: a row for each family and number of tables."""
    out = io.StringIO()
    columns = ["name", "title", "contest", "winners", "options", "tables", "rounds", "usual"]
    writer = csv.DictWriter(out, columns, extrasaction="ignore", lineterminator="\n")
    writer.writeheader()
    for family in list_as_data():
        names = " ".join(option["name"] for option in family["options"])
        for size in family["sizes"]:
            rounds = " ".join(map(str, size["rounds"]))
            writer.writerow({**family, **size, "options": names, "rounds": rounds})
    return out.getvalue()


LISTS = {
    "text": list_as_text,
    "json": lambda: json.dumps(list_as_data(), ensure_ascii=False, indent=1) + "\n",
    "csv": list_as_csv,
}
