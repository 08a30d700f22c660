"""Reading of JSON documents and public pages: strict schemas, and the figures of a page as decimals."""

from __future__ import annotations

import json
import re
from html import unescape
from typing import Any

import jsonschema

from bridgebuddy.players.api.views import SCHEMAS


def strict(schema: Any) -> Any:
    """Return a schema that allows no key beyond those it names."""
    if isinstance(schema, list):
        return [strict(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    parts = {name: strict(part) for name, part in schema.items()}
    return parts | ({"additionalProperties": False} if parts.get("type") == "object" else {})


def document(client, address: str, schema: str, status: int = 200, **headers: str) -> Any:
    """Return the document at an address, checked by its schema."""
    answer = client.get(address, headers=headers)
    assert (answer.status_code, answer.headers["Content-Type"].partition(";")[0]) == (
        status,
        "application/json",
    ), answer.content
    rules = json.loads((SCHEMAS / f"{schema}.schema.json").read_text())
    jsonschema.Draft202012Validator.check_schema(rules)
    found = answer.json()
    checker = jsonschema.Draft202012Validator(
        strict(rules), format_checker=jsonschema.FormatChecker()
    )
    checker.validate(found)
    return found


def rows_of(page: str, mark: str = "<tr") -> list[list[str]]:
    """Return the texts of the cells of all rows of a page that begin with a mark."""
    rows = re.findall(rf"{mark}[^>]*>(.*?)</tr>", page, re.DOTALL)
    return [
        [text_of(cell) for cell in re.findall(r"<td[^>]*>(.*?)</td>", row, re.DOTALL)]
        for row in rows
    ]


def text_of(markup: str) -> str:
    """Return the text of markup, with single spaces."""
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", markup)).split())


def plain(shown: str) -> str:
    """Return a German number as a decimal with a point."""
    return shown.replace(",", ".").replace("−", "-").removesuffix(" %")
