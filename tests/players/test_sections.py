"""One code for all sections: players find theirs by name, and the room shows them beside each other."""

from datetime import timedelta

import pytest

from bridgebuddy.events import code_limits as limits
from bridgebuddy.events.models import Section
from bridgebuddy.events.services.play import rounds
from bridgebuddy.events.services.setup import entries, movement, sections
from tests.factories import section_with

from .reading import HTMX, lookup, words

pytestmark = pytest.mark.django_db


@pytest.fixture
def halves(club, alice):
    """Six pairs in A, seven in B, where Zoë plays; each with a Mitchell."""
    section = section_with(12, club=club, by=alice)
    entries.add_pairs(section, [("Jürgen Groß", "Zoë Müller")], by=alice)
    keys = list(section.entries.order_by("pk").values_list("pk", flat=True))
    parts = sections.divide_entries(section, [keys[:6], keys[6:]], same_deals=True, by=alice)
    movement.choose_movement(parts[0], "mitchell", boards_per_round=3, by=alice)
    movement.choose_movement(parts[1], "howell", boards_per_round=3, by=alice)
    return [Section.objects.get(pk=entry.pk) for entry in parts]


def room(client, section, how="1", **more):
    return client.get(f"/p/{section.code}/room/", {"all": how}, **more)


# ── finding oneself ──


@pytest.mark.parametrize("which", [0, 1])
def test_the_code_of_any_section_lists_everybody_with_the_letter_of_theirs(client, halves, which):
    page = lookup(client, halves[which])

    assert "A NS 1 Anna North1 Bob South1" in words(page)
    assert "B 6 Jürgen Groß Zoë Müller" in words(page)
    assert f'href="/p/{halves[0].code}/NS1/"' in page.content.decode()
    assert f'href="/p/{halves[1].code}/6/"' in page.content.decode()


@pytest.mark.parametrize("typed", ["zoe", "b6", "B 6"])
def test_somebody_is_found_in_another_section(client, halves, typed):
    page = lookup(client, halves[0], q=typed)

    assert [
        (contestant.section.name, contestant.label) for contestant in page.context["found"]
    ] == [("B", "6")]


def test_the_list_follows_all_sections(client, halves, alice):
    address = f"/p/{halves[0].code}/"
    version = lookup(client, halves[0]).context["version"]
    asked = {"v": version, "all": 1}
    assert client.get(address, asked, headers=HTMX).status_code == 204

    rounds.start_next_round(halves[1], after=0, by=alice)

    assert client.get(address, asked, headers=HTMX).status_code == 200


def test_who_is_entered_in_a_section_without_a_movement_is_told_so(client, club, alice):
    section = section_with(12, club=club, by=alice)
    keys = list(section.entries.order_by("pk").values_list("pk", flat=True))
    first, _ = sections.divide_entries(section, [keys[:6], keys[6:]], same_deals=True, by=alice)
    movement.choose_movement(first, "mitchell", boards_per_round=3, by=alice)

    page = words(lookup(client, Section.objects.get(pk=first.pk)))

    assert "A NS 1 Anna North1" in page
    assert "Entered so far Anna North7 Bob South7" in page


def test_a_phone_says_in_which_section_its_table_is(client, halves):
    page = words(client.get(f"/p/{halves[1].code}/6/"))

    assert "B 6 Groß & Müller" in page
    assert "Table B" in page


def test_a_phone_that_knows_one_code_knows_those_of_the_other_sections(client, halves):
    lookup(client, halves[0])
    for number in range(70):
        client.get(f"/p/ZZZ{number:03}/")
    assert client.get("/p/ZZZZZZ/").status_code == 429

    assert client.get(f"/p/{halves[1].code}/6/").status_code == 200


def test_a_phone_keeps_each_code_once_its_own_first(client, halves):
    lookup(client, halves[1])

    known = lookup(client, halves[1]).wsgi_request.get_signed_cookie(limits.COOKIE)

    assert known.split("-") == [halves[1].code, halves[0].code]


def test_of_one_section_no_phone_says_a_letter(client, club, alice):
    section = section_with(6, "mitchell", club=club, by=alice)

    for address in (f"/p/{section.code}/", f"/p/{section.code}/NS1/"):
        page = client.get(address)
        assert "section" not in words(page).lower()
        assert 'class="sec"' not in page.content.decode()


# ── the room ──


def test_two_sections_stand_beside_each_other(client, halves, alice):
    rounds.start_rounds(halves[0], {"A": 0, "B": 0}, by=alice)

    page = room(client, halves[1])

    assert page.content.decode().count("data-half") == 2
    assert "Look for your section: A left, B right" in words(page)
    assert page.content.decode().count('role="timer"') == 1  # both began at once
    assert f"Code {halves[0].spaced_code}" in words(page)


def test_with_clocks_apart_each_half_has_its_own(client, halves, alice):
    rounds.start_rounds(halves[0], {"A": 0, "B": 0}, by=alice)
    late = Section.objects.get(pk=halves[1].pk).clock_ends_at + timedelta(minutes=4)
    Section.objects.filter(pk=halves[1].pk).update(clock_ends_at=late)

    page = room(client, halves[0]).content.decode()

    assert page.count('role="timer"') == 2


def test_in_turn_each_section_has_the_screen_for_itself(client, halves, alice):
    rounds.start_rounds(halves[0], {"A": 0, "B": 0}, by=alice)

    page = room(client, halves[0], "turn").content.decode()

    assert "data-half" not in page
    assert page.count("data-display") == 2
    assert "all=turn" in page


def test_a_third_section_has_the_screen_for_itself(client, club, alice):
    section = section_with(18, club=club, by=alice)
    keys = list(section.entries.order_by("pk").values_list("pk", flat=True))
    parts = [keys[:6], keys[6:12], keys[12:]]
    for entry in sections.divide_entries(section, parts, same_deals=True, by=alice):
        movement.choose_movement(entry, "mitchell", boards_per_round=3, by=alice)

    page = room(client, Section.objects.get(pk=section.pk)).content.decode()

    assert (page.count("data-half"), page.count("data-display")) == (2, 2)


def test_a_section_that_is_over_leaves_the_screen_to_the_other(client, halves, alice):
    rounds.start_rounds(halves[0], {"A": 0, "B": 0}, by=alice)
    rounds.finish_session(halves[0], round=1, by=alice)

    page = room(client, halves[0])

    assert "data-half" not in page.content.decode()
    assert "Thank you" not in words(page)


def test_the_screen_says_aloud_what_each_section_does(client, halves, alice):
    rounds.start_rounds(halves[0], {"A": 0, "B": 0}, by=alice)

    page = room(client, halves[0]).content.decode()

    assert 'data-say="Section A: The round is over. East-West move up one table.' in page
    assert "Section B: The round is over." in page


def test_one_clock_of_sections_with_other_numbers_of_rounds_names_the_round_alone(
    client, halves, alice
):
    rounds.set_clocks(halves[0], common=True, by=alice)
    halves = [Section.objects.get(pk=half.pk) for half in halves]
    rounds.start_rounds(halves[0], {half.name: 0 for half in halves}, by=alice)

    page = words(room(client, halves[0]))

    assert "Round 1" in page
    assert "Round 1 of" not in page
