"""Impossible movements as sentences with the way out."""

from __future__ import annotations

from django.utils.translation import gettext as _

from movements.engine.errors import (
    EvenTables,
    MovementError,
    OddTables,
    TooFewBoards,
    TooFewTables,
    UnknownOption,
    WrongRounds,
)

from .sentences import family_title


def movement_refused(error: MovementError) -> str:
    """Say why a movement cannot be had, and what can be done instead."""
    name = family_title(error.family)
    fields = error.fields
    if isinstance(error, EvenTables):
        return _(
            "%(movement)s needs an odd number of tables. %(tables)s tables need a skip or a relay."
        ) % {
            "movement": name,
            "tables": fields["tables"],
        }
    if isinstance(error, OddTables):
        return _("%(movement)s needs an even number of tables; there are %(tables)s.") % {
            "movement": name,
            "tables": fields["tables"],
        }
    if isinstance(error, TooFewTables):
        return _("%(movement)s needs more than %(tables)s tables.") % {
            "movement": name,
            "tables": fields["tables"],
        }
    if isinstance(error, WrongRounds):
        allowed = list(fields["allowed"])
        return _("%(movement)s can have %(first)s to %(last)s rounds here.") % {
            "movement": name,
            "first": allowed[0] if allowed else 0,
            "last": allowed[-1] if allowed else 0,
        }
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
    return _("This movement is not possible with so many pairs. Choose another one.")
