"""Rows that services write, as pages to be read: tests/data/written has one for each table of services.

Keys, moments and secrets are others each time and are left out: a row is the how-maniest of its kind. Empty
fields of a new row are left out, and equal rows are only counted.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Iterator
from datetime import date, datetime, time
from decimal import Decimal
from difflib import unified_diff
from itertools import groupby
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
#: another one each time
SECRETS = {"id", "seed", "token", "next_token", "secret", "salt", "code", "former_code", "key"}
SECRETS |= {"subject_id", "brought_people"}
MOMENTS = {"DateTimeField", "DateField", "TimeField"}
EMPTY = ("none", "0", "“”", "“[]”", "“{}”")
#: a day, a key of somebody, a fingerprint
_OTHERS = re.compile(r'\d{4}-\d\d-\d\d[ \d.:+-]*|(?<=")\d+(?=")|\b[0-9a-f]{32,}\b')
LONGEST, MANY = 120, 8


def written(before: World, after: World) -> Iterator[str]:
    """Yield a line for each row that is another now, with its columns that are."""
    for model, found in groupby(different(before, after), key=lambda item: item[0]):
        rows = list(found)
        if len(rows) > MANY and all(was is None for _, was, _ in rows):
            yield f"  {len(rows)} {model} are new"
            continue
        for _, was, now in rows:
            yield f"  {_line(model, was, now, before, after)}"


def _line(model: str, was: dict | None, now: dict | None, before: World, after: World) -> str:
    name = _called(model, (was or now or {})[MODELS[model]._meta.pk.column], before, after)
    if now is None:
        return f"{name} is gone"
    columns = {
        column: _shown(model, column, value, before, after)
        for column, value in sorted(now.items())
        if column not in SECRETS and value != (was or {}).get(column)
    }
    if model == "AuditRecord":
        columns["subject"] = _called(now["subject"].title(), now["subject_id"], before, after)
    if was is None:
        columns = {column: value for column, value in columns.items() if value not in EMPTY}
    return f"{name}{'' if was else ' is new'}: {', '.join(map(' '.join, columns.items()))}"


def _called(model: str, key: Any, before: World, after: World) -> str:
    """A row by its place among all of its kind: keys differ from database to database."""
    if model not in after:
        return model
    keys = sorted(before[model].keys() | after[model].keys())
    return f"{model} {keys.index(key) + 1}" if key in keys else f"{model} unknown"


def _shown(model: str, column: str, value: Any, before: World, after: World) -> str:
    (field,) = (field for field in MODELS[model]._meta.concrete_fields if field.column == column)
    if value is None:
        return "none"
    if field.related_model is not None:
        return _called(field.related_model.__name__, value, before, after)
    if isinstance(value, datetime | date | time) or field.get_internal_type() in MOMENTS:
        return "a time"
    if isinstance(value, int | float | Decimal):  # of which SQLite and PostgreSQL have other ones
        return f"{float(value):g}"
    text = str(value)
    if field.get_internal_type() == "JSONField":
        text = json.dumps(json.loads(text), sort_keys=True, ensure_ascii=False)
    text = _OTHERS.sub("…", text)  # keys are longer in a database that has had many
    return "much" if len(text) > LONGEST else f"“{text}”"


def titled(title: str, taken: Iterable[str]) -> str:
    """A title of the page: a service that is asked several times has them counted."""
    again = sum(item.partition(",")[0] == title for item in taken)
    return f"{title}, the {again + 1}. time" if again else title


def unlike_the_page(name: str, found: dict[str, list[str]]) -> list[str]:
    """Return the differences of written rows from the page of that name; with WRITE in the environment write it anew."""
    path = PAGES / f"{name}.txt"
    lines = [line for title, of_it in found.items() for line in (title, *of_it)]
    if os.environ.get("WRITE"):
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return [*unified_diff(path.read_text(encoding="utf-8").splitlines(), lines, lineterm="", n=0)]
