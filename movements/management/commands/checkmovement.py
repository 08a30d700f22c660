"""Check a movement in a file: its form, the laws, and its fairness."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from typing import Any

from movements.engine import catalogue, laws
from movements.engine.errors import BadMovementFile
from movements.engine.fairness.balance import balance
from movements.engine.files import document
from movements.engine.model import Movement
from movements.management.refusing import RefusingCommand


class Command(RefusingCommand):
    """Check whether a movement is lawful."""

    help = "Check a movement: exit code 0 lawful, 1 unlawful, 2 unreadable."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the movement's file and the output format."""
        parser.add_argument(
            "file", help="the movement as JSON (or *.csv); - reads the standard input"
        )
        parser.add_argument("--format", choices=("text", "json"), default="text")

    def handle(self, **options: Any) -> None:
        """Print the broken laws and the fairness of a movement; exit with 1 on a violation."""
        name = options["file"]
        text = self.read_text(name)
        try:
            read, stated = _read_movement(text, is_csv=name.lower().endswith(".csv"))
        except BadMovementFile as error:
            self.exit_with_error(f"{name}: {error}.")
        results = violations_and_balance(read.movement, stated)
        as_text = options["format"] == "text"
        self.stdout.write(
            findings_text(read, results) if as_text else json.dumps(results, indent=1)
        )
        if results["errors"]:
            raise SystemExit(1)


def _read_movement(text: str, *, is_csv: bool) -> tuple[document.MovementDocument, tuple[str, ...]]:
    """Return the movement in a text, and the document's statements that contradict its seatings."""
    if is_csv:
        return document.read_csv(text), ()
    read = document.read_json(text)
    return read, document.contradicting_statements(
        json.loads(text.removeprefix("\ufeff")), read.movement
    )


def violations_and_balance(movement: Movement, stated: tuple[str, ...] = ()) -> dict[str, Any]:
    """Return every broken law of a movement, and the fairness of a lawful one, as data."""
    violations = [
        {
            "law": violation.law,
            "severity": violation.severity,
            "round": violation.round,
            "table": violation.table,
            "contestants": [
                _contestant_label(movement, contestant) for contestant in violation.contestants
            ],
            "sets": list(violation.sets),
            "rounds": list(violation.rounds),
            "tables": list(violation.tables),
            "missing": list(violation.missing),
            "sentence": violation.sentence(movement),
        }
        for violation in laws.find_violations(movement)
    ]
    violations += [
        {"law": "document", "severity": "error", "sentence": f"document: {sentence}"}
        for sentence in stated
    ]
    errors = sum(violation["severity"] == "error" for violation in violations)
    return {
        "family": movement.family,
        "errors": errors,
        "warnings": len(violations) - errors,
        "violations": violations,
        "balance": None if errors else fairness_figures(movement),
    }


def _contestant_label(movement: Movement, contestant: int) -> str:
    """Return the label of a contestant, also of an unknown one."""
    is_contestant = contestant in movement.contestants
    return movement.label(contestant) if is_contestant else f"unknown {contestant}"


def fairness_figures(movement: Movement) -> dict[str, Any] | None:
    """Return the figures of a movement's fairness; None for a draw."""
    if not movement.sets or movement.open_rounds:
        return None
    whole = balance(movement)
    return {
        "score": whole.score,
        "word": whole.word,
        "luck": round(whole.luck, 4),
        "largest_luck": round(whole.largest_luck, 4),
        "fields": [
            {
                "field": field.name,
                "quality": round(field.quality, 1),
                "mean": round(float(field.mean), 3),
                "sd": round(field.sd, 3),
                "minimum": round(float(field.minimum), 3),
                "maximum": round(float(field.maximum), 3),
            }
            for field in whole.fields
        ],
    }


def findings_text(document_read: document.MovementDocument, findings: dict[str, Any]) -> str:
    """Return broken laws and fairness as English text."""
    movement = document_read.movement
    name = document_read.about.get("name")
    is_shown = isinstance(name, str) and name and name.isprintable()
    title = name if is_shown else catalogue.family_title(movement.family)
    size = f"{movement.tables} tables, {movement.rounds} rounds"
    verdict = "unlawful" if findings["errors"] else "lawful"
    lines = [f"{title} ({size}): {verdict}"]
    lines += [
        f"{violation['severity']}: {violation['sentence']}" for violation in findings["violations"]
    ]
    if even := findings["balance"]:
        lines.append(f"fairness: {even['score']} of 100, {even['word']}")
        lines += [
            f"field {field['field']}: quality {field['quality']} of 100, weights from "
            f"{field['minimum']:g} to {field['maximum']:g}, mean {field['mean']:g}, "
            f"deviation {field['sd']:g}"
            for field in even["fields"]
        ]
    return "\n".join(lines)
