"""Errors in a movement's file as sentences in the reader's language."""

from __future__ import annotations

import re

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _lazy

from movements.engine.errors import BadMovementFile

PROBLEMS = {
    "no-json": _lazy("this is no JSON (line %(line)s, column %(column)s)"),
    "no-csv": _lazy("this is no CSV: look at its quotation marks"),
    "no-movement": _lazy("a movement is a JSON object"),
    "no-comment-json": _lazy("after # there should be JSON (column %(column)s)"),
    "no-comment-object": _lazy("after # there should be a JSON object"),
    "no-object": _lazy("this should be a JSON object"),
    "no-row": _lazy("a row is a JSON object"),
    "no-rows": _lazy("there are no rows"),
    "no-list": _lazy("this should be a list, not %(value)s"),
    "no-text": _lazy("this should be text of up to %(most)s characters, not %(value)s"),
    "no-names": _lazy("this should be a list of up to %(most)s names"),
    "no-number": _lazy("%(value)s is no number up to 999"),
    "no-whole-number": _lazy(
        "this should be a whole number from %(least)s to %(most)s, not %(value)s"
    ),
    "no-fields": _lazy("this should be an object with a list of labels for each field"),
    "contest": _lazy("this should be pairs, individual or teams"),
    "key": _lazy("the key “%(key)s” is missing"),
    "key-twice": _lazy("the key %(key)s is there twice"),
    "column": _lazy("the column “%(column)s” is missing"),
    "cells": _lazy("there should be %(most)s cells"),
    "missing": _lazy("this is missing"),
    "label-twice": _lazy("a label is in “%(field)s” twice"),
    "contestants": _lazy("a movement has 1 to %(most)s contestants"),
    "entries": _lazy("there may be up to %(most)s entries"),
    "rows": _lazy("there may be up to %(most)s rows"),
    "parts": _lazy("round %(round)s, table %(table)s has more than %(most)s rows"),
    "partners": _lazy("there should be two partners or nobody"),
    "stranger": _lazy("%(value)s is not in the field"),
    "triangle": _lazy("a triangle has three teams"),
    "spaces": _lazy("the name of a board set has no spaces"),
    "law": _lazy("%(value)s is none of the laws that may be broken (%(laws)s)"),
}


def file_problem(error: BadMovementFile) -> str:
    """Return the place and the reason of an error in a movement's file as a sentence."""
    problem = str(PROBLEMS[error.fields["problem"]]) % error.fields["facts"]
    return _("%(where)s: %(problem)s.") % {
        "where": _position_text(error.fields["where"]),
        "problem": problem,
    }


def _position_text(place: str) -> str:
    """Return the place in a file as text: rows and columns in words, JSON keys unchanged."""
    if place == "file":
        return _("The file")
    return ", ".join(_step_text(step) for step in place.split(", "))


def _step_text(step: str) -> str:
    """Return one step of the path to an error as text."""
    if row := re.fullmatch(r"row (\d+)", step):
        return _("Row %(number)s") % {"number": row[1]}
    if column := re.fullmatch(r"column (\w+)", step):
        return _("column “%(name)s”") % {"name": column[1]}
    return _("“%(key)s”") % {"key": step}
