"""A query that is compiled once reads the rows that Django reads, with the same values."""

import pytest
from django.db import connection
from django.utils import timezone

from bridgebuddy.events.queries.sessions import sections
from bridgebuddy.events.queries.sessions.sections import section_by_code, sections_with_session
from bridgebuddy.table_phones.models import PhoneSettings
from bridgebuddy.table_phones.queries.phones import USUAL
from tests.factories import SectionFactory, section_with
from tests.table_phones.tapping import with_phones

pytestmark = pytest.mark.django_db


def values_of(row):
    """Return the values read of a row and of its related rows."""
    related = {name: values_of(value) for name, value in row._state.fields_cache.items() if value}
    columns = {field.attname for field in row._meta.concrete_fields} - row.get_deferred_fields()
    more = getattr(row, "has_others", None)
    return type(row), {name: getattr(row, name) for name in columns}, related, more


@pytest.mark.parametrize("movement", ["skip-mitchell", None])
@pytest.mark.parametrize("is_alone", [True, False])
def test_a_section_is_read_as_django_reads_it(movement, is_alone, django_assert_num_queries):
    section = section_with(16, movement, round=3 if movement else 0)
    if not is_alone:
        SectionFactory(session=section.session, name="B")
    expected = sections_with_session().get(pk=section.pk)

    with django_assert_num_queries(1):
        found = section_by_code(section.code)
        values = values_of(found)

    assert values == values_of(expected)
    assert values[2].keys() == {"session"} | ({"movement"} if movement else set())
    assert not found._state.adding
    assert found._state.db == connection.alias


def test_another_value_is_another_row():
    first, second = section_with(4, "howell"), section_with(6, "mitchell", round=1)

    assert [section_by_code(item.code).pk for item in (second, first)] == [second.pk, first.pk]
    assert section_by_code("ABCDEF") is None
    assert sections.BY_CODE.rows(first.code, timezone.now())[0].session.event.club == first.club


def test_a_row_without_related_ones_is_read_as_django_reads_it(club, alice):
    section = with_phones(section_with(6, "mitchell", round=1, club=club, by=alice), mode="any")

    [found] = USUAL.rows(club.pk, section.session_id)

    assert values_of(found) == values_of(PhoneSettings.objects.get())
