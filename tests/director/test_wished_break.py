"""A wished break: planned with the movement, and shown on every page."""

import pytest
from django.urls import reverse

from bridgebuddy.audit.models import AuditRecord
from bridgebuddy.director.desk.break_form import BreakForm
from bridgebuddy.events.models import Section
from bridgebuddy.events.services.play import rounds
from bridgebuddy.events.services.setup import entries, movement
from bridgebuddy.events.services.setup.sections import divide_entries
from tests.director.reading import text
from tests.factories import section_with

pytestmark = pytest.mark.django_db

WISHES = {"fewest": 24, "most": 28, "copies": 2, "sharing": "on", "stands": "on"}


def choose(browser, section, family, size, **wishes):
    """Choose a movement on its page, and return the next page."""
    address = reverse("choose-movement", args=[section.code])
    answer = browser.post(address, WISHES | {"family": family, "size": size} | wishes, follow=True)
    return text(answer)


def test_the_wish_plans_the_break_between_the_stanzas(browser, club, alice):
    section = section_with(12, club=club, by=alice)

    said = choose(browser, section, "two-stanza", "6x4", rest="on")

    assert "A break of 15 minutes is planned after round 3." in said
    assert "to come at other tables" not in said
    section = Section.objects.get(pk=section.pk)
    assert (section.break_after, section.break_minutes) == (3, 15)
    [record] = AuditRecord.objects.filter(action="section.break")
    assert record.facts == {"after": 3, "minutes": 15}


def test_without_the_wish_no_break_is_planned_and_one_goes_with_it(browser, club, alice):
    section = section_with(12, club=club, by=alice)
    choose(browser, section, "two-stanza", "6x4", rest="on")

    said = choose(browser, section, "share-and-relay", "6x4")

    assert "A break" not in said
    section = Section.objects.get(pk=section.pk)
    assert (section.break_after, section.break_minutes) == (None, 0)


def test_where_no_round_parts_the_boards_its_cost_is_said(browser, club, alice):
    section = section_with(14, club=club, by=alice)

    said = choose(browser, section, "mitchell", "7x4", rest="on")

    assert (
        "A break of 15 minutes is planned after round 4. 28 boards are still to come at other "
        "tables: ask the players not to talk about them." in said
    )


def test_the_page_keeps_the_wish_and_counts_the_break_in_the_end(browser, club, alice):
    section = section_with(12, club=club, by=alice)
    before = text(browser.get(reverse("choose-movement", args=[section.code])))
    choose(browser, section, "two-stanza", "6x4", rest="on")

    page = browser.get(reverse("choose-movement", args=[section.code]))

    assert page.context["form"]["rest"].value() is True
    assert page.context["rows"][0].advice.facts.has_break
    assert "ends 22:03" in text(page)  # 24 boards of 7 minutes from 19:00, and the break
    assert "ends 22:03" not in before


def test_a_time_that_is_wished_has_room_for_the_break(browser, club, alice):
    section = section_with(12, club=club, by=alice)
    address = reverse("choose-movement", args=[section.code])

    enough = browser.get(address, WISHES | {"rest": "on", "until": "22:03"})
    short = browser.get(address, WISHES | {"rest": "on", "until": "22:02"})

    assert enough.context["rows"][0].advice.broken == ()
    assert short.context["rows"][0].advice.broken != ()


def test_the_break_goes_along_with_another_number_of_pairs(browser, club, alice):
    section = section_with(12, club=club, by=alice)
    choose(browser, section, "two-stanza", "6x4", rest="on")
    section = Section.objects.get(pk=section.pk)

    entries.add_pairs(section, [(f"Late One{n}", f"Late Two{n}") for n in range(4)], by=alice)

    section = Section.objects.get(pk=section.pk)
    assert (section.movement.family, section.movement.tables) == ("two-stanza", 8)
    assert section.break_after == 4


def test_a_break_that_the_director_moved_stays_while_the_boards_are_parted(club, alice):
    section = section_with(12, "barometer", club=club, by=alice)
    section = rounds.set_break(section, after_round=2, minutes=20, by=alice)

    section = movement.choose_movement(section, "barometer", boards_per_round=3, by=alice)

    assert (section.break_after, section.break_minutes) == (2, 20)


def test_the_form_says_of_each_round_what_a_break_after_it_costs(club, alice):
    section = section_with(12, "two-stanza", round=1, club=club, by=alice)

    labels = [label for _value, label in BreakForm(section).fields["after"].choices]

    boards = section.boards_per_round
    assert labels[0] == "no break"
    assert labels[3] == "3: new boards after the break"
    assert labels[1] == f"1: {3 * boards} boards are played before and after it"


def test_a_break_elsewhere_is_planned_with_a_warning(browser, club, alice):
    section = section_with(12, "two-stanza", round=1, club=club, by=alice)
    address = reverse("break", args=[section.code])

    warned = text(browser.post(address, {"after": "4", "minutes": "30"}, follow=True))
    silent = text(browser.post(address, {"after": "3", "minutes": "30"}, follow=True))

    assert "boards are still to come at other tables: ask the players not to talk" in warned
    assert "still to come" not in silent


def divided(club, alice, *, common=True):
    """Divide 26 pairs into sections of 6 and 7 tables."""
    section = section_with(26, club=club, by=alice)
    keys = [*section.entries.order_by("position").values_list("pk", flat=True)]
    halves = divide_entries(section, [keys[:12], keys[12:]], same_deals=False, by=alice)
    if common:
        rounds.set_clocks(halves[0], common=True, by=alice)
    return halves


def planned(*sections):
    found = (Section.objects.get(pk=section.pk) for section in sections)
    return [(section.break_after, section.break_minutes) for section in found]


def test_sections_with_one_clock_have_the_break_after_the_same_round(browser, club, alice):
    """In the Mitchell beside it no round parts the boards, so the one between the stanzas is best for both."""
    first, second = divided(club, alice)
    choose(browser, first, "two-stanza", "6x4", rest="on")

    said = choose(browser, second, "mitchell", "7x4", rest="on")

    assert "planned after round 3. It holds for all sections: they have one clock." in said
    assert planned(first, second) == [(3, 15), (3, 15)]
    # the boards of the second section are numbered as before
    numbers = Section.objects.get(pk=second.pk).movement.numbers.values()
    assert min(map(min, numbers)) == 25


def test_the_wish_of_a_later_section_plans_the_break_of_the_one_before(browser, club, alice):
    first, second = divided(club, alice)
    choose(browser, first, "two-stanza", "6x4")
    assert planned(first, second) == [(None, 0), (None, 0)]

    choose(browser, second, "mitchell", "7x4", rest="on")

    assert planned(first, second) == [(3, 15), (3, 15)]
    numbers = Section.objects.get(pk=second.pk).movement.numbers.values()
    assert min(map(min, numbers)) == 25


def test_a_section_without_a_movement_keeps_the_wish_of_the_one_before(browser, club, alice):
    first, second = divided(club, alice)
    choose(browser, first, "two-stanza", "6x4", rest="on")

    page = browser.get(reverse("choose-movement", args=[second.code]))

    assert page.context["form"]["rest"].value() is True


def test_without_a_common_clock_each_section_has_its_own_break(browser, club, alice):
    first, second = divided(club, alice, common=False)
    choose(browser, first, "two-stanza", "6x4", rest="on")

    said = choose(browser, second, "mitchell", "7x4", rest="on")

    assert "one clock" not in said
    assert planned(first, second) == [(3, 15), (4, 15)]


def test_a_common_clock_makes_planned_breaks_one(browser, club, alice):
    first, second = divided(club, alice, common=False)
    choose(browser, first, "two-stanza", "6x4", rest="on")
    choose(browser, second, "mitchell", "7x4", rest="on")

    rounds.set_clocks(first, common=True, by=alice)

    assert planned(first, second) == [(3, 15), (3, 15)]


def test_a_common_clock_takes_the_break_that_is_still_to_come_and_its_length(club, alice):
    """The first section's break is over; the second one's is longer."""
    first, second = divided(club, alice, common=False)
    Section.objects.filter(pk=first.pk).update(round=4, break_after=3, break_minutes=15)
    Section.objects.filter(pk=second.pk).update(round=4, break_after=5, break_minutes=20)

    rounds.set_clocks(first, common=True, by=alice)

    assert planned(first, second) == [(5, 20), (5, 20)]


def test_a_common_clock_makes_breaks_after_the_same_round_as_long(club, alice):
    first, second = divided(club, alice, common=False)
    Section.objects.filter(pk=first.pk).update(break_after=3, break_minutes=15)
    Section.objects.filter(pk=second.pk).update(break_after=3, break_minutes=30)

    rounds.set_clocks(first, common=True, by=alice)

    assert planned(first, second) == [(3, 15), (3, 15)]


def test_another_number_of_pairs_keeps_the_common_break(browser, club, alice):
    first, second = divided(club, alice)
    choose(browser, second, "mitchell", "7x4", rest="on")
    choose(browser, first, "two-stanza", "6x4", rest="on")

    entries.add_pairs(
        Section.objects.get(pk=first.pk),
        [(f"Late One{n}", f"Late Two{n}") for n in range(4)],
        by=alice,
    )

    assert Section.objects.get(pk=first.pk).movement.tables == 8
    assert planned(first, second) == [(3, 15), (3, 15)]
