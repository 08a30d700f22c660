"""A pair that waits for a seat while the others play: seated, or gone home."""

import pytest
from django.urls import reverse

from bridgebuddy.events.models import Section
from bridgebuddy.events.services.play import changes
from tests.director.reading import LATE, address_of, decide, text
from tests.factories import section_with

pytestmark = pytest.mark.django_db


@pytest.fixture
def waiting(browser, skip_section, alice):
    """A pair came as rover in round 4, and that was taken back."""
    decide(browser, skip_section, "late", **LATE)
    section = Section.objects.get(pk=skip_section.pk)
    return changes.undo_change(section, plan=section.plan, by=alice).entries.get(contestant=None)


def take_off(browser, entry):
    address = reverse("withdraw", args=[entry.section.code, entry.pk])
    return browser.post(address, follow=True)


def test_who_waits_and_goes_home_can_be_taken_off_the_list(browser, waiting):
    code = waiting.section.code
    desk = browser.get(reverse("desk", args=[code]))
    assert reverse("withdraw", args=[code, waiting.pk]) in desk.content.decode()
    edit = browser.get(reverse("edit-pair", args=[code, waiting.pk]))
    assert "Take this pair off the list" in text(edit)

    take_off(browser, waiting)

    section = Section.objects.get(code=code)
    assert section.entries.count() == 16
    assert section.movement is not None
    assert "waiting for a seat" not in text(browser.get(reverse("desk", args=[code])))
    assert 'name="first"' in browser.get(address_of(section, "late")).content.decode()


def test_what_seated_a_pair_that_is_off_the_list_cannot_be_done_again(browser, waiting, alice):
    section = Section.objects.get(pk=waiting.section_id)
    assert changes.redoable_version(section).change == "rover"

    take_off(browser, waiting)

    section = Section.objects.get(pk=waiting.section_id)
    assert changes.redoable_version(section) is None
    answer = browser.post(reverse("redo", args=[section.code]), {"plan": section.plan}, follow=True)
    assert "There is nothing to undo." in text(answer)
    assert Section.objects.get(pk=section.pk).shown == section.shown


def test_who_has_a_seat_cannot_be_taken_off_the_list(browser, skip_section):
    entry = skip_section.entries.first()
    edit = browser.get(reverse("edit-pair", args=[skip_section.code, entry.pk]))
    assert "Take this pair off the list" not in text(edit)

    take_off(browser, entry)

    assert skip_section.entries.count() == 16


def test_a_pair_that_has_left_may_have_sat_wrong_before(browser, club, alice):
    section = section_with(16, "skip-mitchell", round=4, club=club, by=alice)
    decide(browser, section, "leaves", contestant=3)

    answer = decide(browser, Section.objects.get(pk=section.pk), "places", round=2, one=3, other=4)

    assert answer.status_code == 302
    assert section.movements.latest("version").facts["one"] == "NS 3"
