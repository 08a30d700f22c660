"""The club's documents row by row: every movement they name has its page in the library."""

import pytest
from django.urls import reverse

from tests.checklist import MOVEMENTS, build, named, options_of

pytestmark = pytest.mark.django_db


def page_of(client, row):
    asked = {name: row[name] for name in ("rounds", "missing") if name in row}
    address = reverse("movement", args=[row["family"], row["tables"]])
    return client.get(address, {**asked, **options_of(row)})


@pytest.mark.parametrize("row", named(row for row in MOVEMENTS if not row.get("refused")))
def test_the_library_shows_the_movement_as_it_is_asked_for(client, row):
    page = page_of(client, row)

    built, shown = build(row), page.context["movement"]
    assert (page.status_code, page.context["problem"]) == (200, "")
    assert (shown.seatings, shown.fields) == (built.seatings, built.fields)
    assert page.content.count(b'scope="row"') >= built.rounds - len(built.open_rounds)


@pytest.mark.parametrize("row", named(row for row in MOVEMENTS if row.get("refused")))
def test_the_library_says_why_there_is_no_such_movement(client, row):
    page = page_of(client, row)

    said = page.context.get("refusal") or page.context["problem"]
    assert page.status_code in (404, 422)
    assert said.endswith(".")
