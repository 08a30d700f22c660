"""Every field of every form takes the limits of its type, or names the error: none ends in an error page."""

from html.parser import HTMLParser
from urllib.parse import urljoin

import pytest
from django.db import transaction
from django.test import Client

from bridgebuddy.events.services.play import searches
from tests.factories import section_with

from . import rights

#: by the type of a field: the least and the greatest that a browser can send, and nothing at all
ENDS = {
    "date": ("0001-01-01", "9999-12-31", ""),
    "datetime-local": ("0001-01-01T00:00", "9999-12-31T23:59", ""),
    "time": ("00:00", "23:59", ""),
    "number": (str(-(2**63)), "9" * 30, ""),
    "radio": ("",),
    "select": ("",),
}
#: forms that sign out or delete what the others need are sent last; nothing is left of any
LEFT_OUT = {"account_logout"}


class Forms(HTMLParser):
    """The forms of a page that post: their targets, fields with values, and types of fields."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.forms: list[tuple[str, dict[str, str], dict[str, str]]] = []
        self._fields: tuple[dict[str, str], dict[str, str]] | None = None
        self._select = ""
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        said = {name: value or "" for name, value in attrs}
        if tag == "form":
            self._fields = ({}, {})
            if said.get("method", "").lower() == "post":
                self.forms.append((said.get("action", ""), *self._fields))
        if self._fields is None or (tag != "option" and not said.get("name")):
            return
        values, types = self._fields
        if tag == "select":
            self._select = said["name"]
            values.setdefault(self._select, "")
            types[self._select] = "select"
        elif tag == "option" and self._select and ("selected" in said or not values[self._select]):
            values[self._select] = said.get("value", "")
        elif tag in ("input", "textarea"):
            kind = said.get("type", "text")
            if kind in ("radio", "checkbox") and "checked" not in said:
                types.setdefault(said["name"], kind)
                return
            values[said["name"]], types[said["name"]] = said.get("value", ""), kind

    def handle_endtag(self, tag):
        if tag == "form":
            self._fields = None
        if tag == "select":
            self._select = ""


@pytest.mark.django_db
def test_no_field_at_the_end_of_its_type_is_answered_with_an_error(club, alice, monkeypatch):
    monkeypatch.setattr("bridgebuddy.printing.rendering.cache.render_pdf", str.encode)
    monkeypatch.setattr(searches, "searched_proposals", lambda *arguments: [])
    section = section_with(6, "howell", round=2, club=club, by=alice)
    browser = Client(raise_request_exception=False)
    browser.force_login(alice)
    asked, failed = set(), []

    for name, page in rights.addresses_of(section, alice).items():
        if name in LEFT_OUT:
            continue
        answer = browser.get(page)
        if answer.status_code != 200 or "html" not in answer.headers.get("Content-Type", ""):
            continue
        for action, values, types in Forms(answer.content.decode()).forms:
            address = urljoin(page, action)
            for field, kind in types.items():
                if (address, field, kind) in asked:
                    continue
                asked.add((address, field, kind))
                for end in ENDS.get(kind, ()):
                    with transaction.atomic():
                        status = browser.post(address, {**values, field: end}).status_code
                        transaction.set_rollback(True)
                    if status >= 500:
                        failed.append((name, address, field, end, status))

    assert len(asked) > 100
    assert failed == []
