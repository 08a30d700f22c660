"""What services write, row by row, as a page to be read: tests/data/written has one for each table of services.

Keys, dates and secrets are others each time, and are left out: of a row is said the how-maniest of its kind it is.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from datetime import date, datetime, time
from decimal import Decimal
from pathlib import Path
from typing import Any

from django.apps import apps

from .states import World, different

PAGES = Path(__file__).parents[1] / "data" / "written"
MODELS = {
    model.__name__: model
    for model in apps.get_models()
    if model.__module__.startswith(("bridgebuddy.", "movements."))
}
_DAY = re.compile(r"\d{4}-\d\d-\d\d")
#: codes, keys and what was drawn
_SECRET = re.compile(r"[0-9a-zA-Z_=-]{20,}|\b[0-9A-HJ-NP-Z]{6}\b|\d{6,}|^\d+$|(?<=\")\d+(?=\")")
LONGEST = 120
#: columns with no meaning of their own, or another one each time
PASSED_OVER = {"id", "subject_id", "seed"}


def written(before: World, after: World) -> Iterator[str]:
    """Yield a line for each row that is another now, with its columns that are."""
    for model, was, now in different(before, after):
        row = was or now
        assert row is not None
        name = _called(model, row[MODELS[model]._meta.pk.column], before, after)
        if now is None:
            yield f"  {name} is gone"
            continue
        columns = [
            f"{column} {_shown(model, column, value, before, after)}"
            for column, value in sorted(now.items())
            if column not in PASSED_OVER and value != (was or {}).get(column)
        ]
        yield f"  {name}{'' if was else ' is new'}: {', '.join(columns)}"


def _called(model: str, key: Any, before: World, after: World) -> str:
    """A row by its place among all of its kind: keys differ from database to database."""
    if model not in after:
        return model
    keys = sorted(before[model].keys() | after[model].keys())
    return f"{model} {keys.index(key) + 1}" if key in keys else f"{model} unknown"


def _shown(model: str, column: str, value: Any, before: World, after: World) -> str:
    fields = {field.column: field for field in MODELS[model]._meta.concrete_fields}
    of = fields[column].related_model
    if value is None:
        return "none"
    if of is not None:
        return _called(of.__name__, value, before, after)
    match value:
        case bool():
            return str(int(value))
        case int() | float() | Decimal():
            return f"{float(value):g}"
        case datetime() | date() | time():
            return "a time"
    if fields[column].get_internal_type() in ("DateTimeField", "DateField", "TimeField"):
        return "a time"
    text = str(value)
    if fields[column].get_internal_type() == "JSONField":
        text = json.dumps(json.loads(text), sort_keys=True, ensure_ascii=False)
    if len(text) > LONGEST:
        return "much"
    return f"“{_SECRET.sub('…', _DAY.sub('a day', text))}”"


def as_the_page_says(name: str, found: dict[str, list[str]]) -> bool:
    """Compare what services wrote with the page of that name; with WRITE in the environment write it anew."""
    path = PAGES / f"{name}.txt"
    text = "\n".join("\n".join([title, *lines]) for title, lines in found.items()) + "\n"
    if os.environ.get("WRITE"):
        path.write_text(text, encoding="utf-8")
    return text.splitlines() == path.read_text(encoding="utf-8").splitlines()
