"""A director's phone during an evening: the most used buttons on the first screen, the rest not far below."""

import pytest

from tests.factories import director_of, section_with
from tests.scoring.test_tonight import enter_by_chance

from .conftest import DESKTOP, PHONE, sign_in
from .test_drawn_pages import TABLET_ACROSS, bottom_of, measured
from .test_drawn_results import named

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture(params=["en-GB", "de-DE"])
def phone(page, request):
    """Open pages of a section as who directs it."""

    def opened(section):
        shown = page(PHONE, locale=request.param)
        sign_in(shown, director_of(section.club))
        return shown

    return opened


def test_the_desk_of_a_running_evening_is_short(phone, transactional_db):
    section = section_with(16, "skip-mitchell", round=3)
    named(section)
    opened = phone(section)

    opened.goto(f"/s/{section.code}/desk/")
    measures = measured(opened, PHONE)

    assert measures.height <= 2_000
    assert bottom_of(opened, ".go .btn.primary") <= PHONE[1]
    actions = opened.locator(".actions > :is(.btn, form, details)").all()
    assert len(actions) >= 4
    assert len({round(action.bounding_box()["y"]) for action in actions}) == 1
    opened.locator(".actions .more > summary").click()  # and what opens is not cut off
    assert opened.locator(".actions .menu").bounding_box()["width"] >= 300
    measured(opened, PHONE)
    measured(opened, TABLET_ACROSS)
    measured(opened, DESKTOP)


def test_a_slip_is_stored_on_the_first_screen(phone, transactional_db):
    section = section_with(16, "skip-mitchell", round=2)
    opened = phone(section)

    opened.goto(f"/s/{section.code}/results/slips/")
    measured(opened, PHONE)
    assert bottom_of(opened, "[data-store]") <= PHONE[1]
    opened.goto(f"/s/{section.code}/results/slips/?board=4")  # a traveller of many lines
    measured(opened, PHONE)
    assert bottom_of(opened, "[data-store]") <= PHONE[1]


def test_entries_with_seats_and_results_are_short(phone, transactional_db):
    section = section_with(16, "skip-mitchell", round=0)
    named(section)
    opened = phone(section)
    opened.goto(f"/s/{section.code}/entries/")
    assert measured(opened, PHONE).height <= 2_400
    assert bottom_of(opened, ".forth") <= PHONE[1]

    played = section_with(16, "skip-mitchell", round=7, club=section.club)
    enter_by_chance(played)
    for where in (
        "results/",
        "results/boards/",
        "results/board/5/",
        "results/ranking/",
        "results/look-at/",
    ):
        opened.goto(f"/s/{played.code}/{where}")
        assert measured(opened, PHONE).height <= 2_500, where
