"""Impossible movements as sentences with a way out."""

from __future__ import annotations

from django.utils.translation import gettext as _

from movements.engine import catalogue
from movements.engine.errors import (
    MovementError,
    TooFewBoards,
    UnknownOption,
    WrongRounds,
    WrongTables,
)
from movements.engine.families.family import number_runs

from .sentences import family_title


def movement_refused(error: MovementError) -> str:
    """Return sentences on why a movement is impossible, with an alternative."""
    name = family_title(error.family)
    fields = error.fields
    if isinstance(error, WrongTables):
        return _allowed_sizes_sentence(error)
    if isinstance(error, WrongRounds) and fields["allowed"]:
        return _possible_rounds(name, list(fields["allowed"]))
    if isinstance(error, TooFewBoards):
        return _(
            "%(boards)s boards cannot fill %(sets)s sets. Take more boards or fewer rounds."
        ) % {
            "boards": fields["boards"],
            "sets": fields["sets"],
        }
    if isinstance(error, UnknownOption):
        return _("“%(value)s” is not possible for this movement. Possible: %(allowed)s.") % {
            "value": fields["value"],
            "allowed": fields.get("allowed") or "–",
        }
    return _("This movement is not possible with so many. Choose another one.")


def _possible_rounds(name: str, numbers: list[int]) -> str:
    """Return a sentence on the possible numbers of rounds of a family."""
    if len(numbers) > 1 and numbers == list(range(numbers[0], numbers[-1] + 1)):
        return _("%(movement)s can have %(first)s to %(last)s rounds here.") % {
            "movement": name,
            "first": numbers[0],
            "last": numbers[-1],
        }
    return _("%(movement)s can have %(rounds)s rounds here.") % {
        "movement": name,
        "rounds": ", ".join(number_runs(numbers, to="–")),
    }


def _allowed_sizes_sentence(error: WrongTables) -> str:
    """Return a sentence on the sizes in which a family has movements, or on what it needs."""
    family = catalogue.find_family(error.family)
    facts = {**error.fields, "movement": family_title(error.family)}
    if facts["tables"] not in family.sizes:
        facts["sizes"] = ", ".join(number_runs(family.sizes, to="–"))
        if family.counted == "teams":
            return _("%(movement)s exists for %(sizes)s teams, not for %(tables)s.") % facts
        return _("%(movement)s exists for %(sizes)s tables, not for %(tables)s.") % facts
    if "most_rounds" in facts:
        return (
            _(
                "%(movement)s with %(tables)s tables has at most %(most_rounds)s rounds. More need a"
                " skip or a relay."
            )
            % facts
        )
    return _("%(movement)s is not possible in this way. Choose other options or another one.") % {
        "movement": facts["movement"]
    }
