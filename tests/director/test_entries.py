"""Entering pairs: typed, pasted, from a file; and moving their seats."""

import re

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from bridgebuddy.clubs.models import Person
from bridgebuddy.events.models import Section
from bridgebuddy.events.services import entries as service
from tests.factories import section_with

pytestmark = pytest.mark.django_db


def words(response):
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", response.content.decode()))


@pytest.fixture
def browser(alice, signed_in):
    return signed_in(alice)


@pytest.fixture
def section(club, alice):
    """An evening with 6 pairs and no movement."""
    return section_with(6, club=club, by=alice)


def add(browser, section, first, second, **more):
    return browser.post(
        reverse("add-pair", args=[section.code]), {"first": first, "second": second, **more}
    )


def paste(browser, section, text="", file=None):
    answers = {"pairs": text} | ({"file": file} if file else {})
    return browser.post(reverse("add-list", args=[section.code]), answers)


def test_a_pair_is_entered_and_new_people_join_the_roster(browser, section):
    add(browser, section, "  Sean   O'Neill ", "Jürgen Wolf", must_stay_seated="on")

    entry = section.entries.get(position=7)
    assert (entry.names, entry.must_stay_seated) == ("Sean O'Neill & Jürgen Wolf", True)
    assert Person.objects.filter(club=section.club, name="Sean O'Neill").exists()


def test_known_people_are_found_whatever_accents_and_case(browser, section):
    add(browser, section, "Jürgen Wolf", "Sean O'Neill")
    second = section_with(0, club=section.club)

    add(browser, second, "jurgen WOLF", "sean o'neill")

    assert second.entries.get().names == "Jürgen Wolf & Sean O'Neill"
    assert Person.objects.filter(search="jurgen wolf").count() == 1


@pytest.mark.parametrize(
    ("first", "second", "sentence"),
    [
        ("", "", "This field is required."),
        ("Eve Adams", "", "This field is required."),
        ("   ", "Eve Adams", "This field is required."),
        ("Eve Adams", "eve adams", "this is the same name twice"),
        ("anna NORTH1", "Eve Adams", "anna NORTH1 is on the list already."),
        ("Eve Adams", "Bob South2", "Bob South2 is on the list already."),
        ("x" * 61, "Eve Adams", "at most 60 characters"),
        ("x" * 10_000, "Eve Adams", "at most 60 characters"),
    ],
)
def test_bad_names_get_a_sentence_and_keep_what_was_typed(
    browser, section, first, second, sentence
):
    answer = add(browser, section, first, second)

    assert answer.status_code == 422
    assert sentence in words(answer)
    if second.strip():
        assert f'value="{second}"' in answer.content.decode()
    assert section.entries.count() == 6


def test_the_121st_pair_is_refused(browser, club, alice):
    section = section_with(120, club=club, by=alice)

    answer = add(browser, section, "Eve Adams", "Max Late")

    assert "120 pairs are the most a section can have." in words(answer)
    assert section.entries.count() == 120


def test_a_pasted_list_enters_all_pairs(browser, section):
    paste(browser, section, "1. Hanna Brandt & Karl Fischer\nIda Stein, Otto Stein\n\nA B; C D\n")

    assert [entry.names for entry in section.entries.all()[6:]] == [
        "Hanna Brandt & Karl Fischer",
        "Ida Stein & Otto Stein",
        "A B & C D",
    ]


def test_a_wrong_line_enters_nothing_and_is_named(browser, section):
    answer = paste(browser, section, "Hanna Brandt & Karl Fischer\nOnly One")

    assert answer.status_code == 422
    assert "Line 2, “Only One”: Two names are needed for a pair." in words(answer)
    assert "Hanna Brandt &amp; Karl Fischer" in answer.content.decode()
    assert section.entries.count() == 6


def test_a_csv_file_in_windows_letters_is_read(browser, section):
    text = "Spieler 1;Spieler 2\nJürgen Groß;Änne Weiß\n"
    file = SimpleUploadedFile("paare.csv", text.encode("cp1252"))

    paste(browser, section, file=file)

    assert section.entries.get(position=7).names == "Jürgen Groß & Änne Weiß"


def test_an_empty_list_and_a_huge_file_are_refused(browser, section):
    assert "Type or paste at least one pair." in words(paste(browser, section, "  \n"))
    huge = SimpleUploadedFile("huge.csv", b"a,b\n" * 20_000)
    assert "too big" in words(paste(browser, section, file=huge))
    binary = SimpleUploadedFile("cat.png", bytes(range(256)) * 4)
    assert paste(browser, section, file=binary).status_code == 422
    assert section.entries.count() == 6


def test_a_pair_can_be_corrected_and_withdrawn(browser, section):
    entry = section.entries.first()

    browser.post(
        reverse("edit-pair", args=[section.code, entry.pk]),
        {"first": "Anna Nordstrom", "second": "Bob South1"},
    )
    browser.post(reverse("withdraw", args=[section.code, section.entries.last().pk]))

    assert section.entries.first().names == "Anna Nordstrom & Bob South1"
    assert [entry.position for entry in section.entries.all()] == [1, 2, 3, 4, 5]


def test_a_substitute_keeps_the_seat_during_the_evening(browser, skip_section):
    entry = skip_section.entries.get(contestant=9)

    browser.post(
        reverse("edit-pair", args=[skip_section.code, entry.pk]),
        {"first": "New Player", "second": entry.players[1].name},
    )

    assert skip_section.entries.get(contestant=9).names.startswith("New Player & ")


def test_nobody_is_added_or_withdrawn_after_the_start(browser, skip_section):
    answer = add(browser, skip_section, "Eve Adams", "Max Late")
    browser.post(reverse("withdraw", args=[skip_section.code, skip_section.entries.first().pk]))

    assert "The session has begun" in words(answer)
    assert skip_section.entries.count() == 16


def test_when_the_pairs_change_the_movement_is_made_anew_or_given_up(browser, club, alice):
    section = section_with(16, "skip-mitchell", club=club, by=alice)

    add(browser, section, "Eve Adams", "Max Late")
    section = Section.objects.get(pk=section.pk)
    assert section.movement is None  # 9 tables: no skip
    assert not section.entries.exclude(contestant=None).exists()

    section = section_with(15, "skip-mitchell", club=club, by=alice)
    service.add_pairs(section, [("Eve Black", "Max Black")], by=alice)
    section = Section.objects.get(pk=section.pk)
    assert (section.movement.tables, section.entries.filter(contestant=None).count()) == (8, 0)
    assert not section.movement.movement.has_sit_out


def test_two_pairs_change_seats(browser, club, alice):
    section = section_with(16, "skip-mitchell", club=club, by=alice)
    names = {entry.contestant: entry.names for entry in section.entries.all()}

    browser.post(reverse("swap", args=[section.code]), {"one": 1, "other": 12})

    swapped = {entry.contestant: entry.names for entry in section.entries.all()}
    assert swapped == names | {1: names[12], 12: names[1]}


@pytest.mark.parametrize(
    "answers", [{}, {"one": 1}, {"one": 1, "other": 99}, {"one": "x", "other": 2}]
)
def test_a_nonsense_swap_changes_nothing(browser, club, alice, answers):
    section = section_with(16, "skip-mitchell", club=club, by=alice)
    before = dict(section.entries.values_list("pk", "contestant"))

    browser.post(reverse("swap", args=[section.code]), answers)

    assert dict(section.entries.values_list("pk", "contestant")) == before


def test_the_same_seed_draws_the_same_seats(browser, club, alice):
    section = section_with(16, "skip-mitchell", club=club, by=alice)
    seats = reverse("seat", args=[section.code])

    browser.post(seats, {"method": "random"})
    section.refresh_from_db()
    drawn = dict(section.entries.values_list("pk", "contestant"))
    browser.post(seats, {"method": "order"})
    in_order = dict(section.entries.values_list("pk", "contestant"))
    browser.post(seats, {"method": "random", "seed": section.seed})

    assert dict(section.entries.values_list("pk", "contestant")) == drawn
    assert drawn != in_order
    page = browser.get(reverse("entries", args=[section.code]))
    assert f"Seats drawn with seed {section.seed}" in words(page)


def test_moving_works_without_javascript(browser, club, alice):
    section = section_with(15, "skip-mitchell", club=club, by=alice)

    page = browser.get(reverse("entries", args=[section.code]), {"move": 3}).content.decode()

    assert page.count('name="one" value="3"') == 14
    assert "Free seat" in page


def test_suggestions_know_the_usual_partner_and_who_is_here(browser, section):
    answer = browser.get(
        reverse("suggestions", args=[section.code]),
        {"q": "bob s", "partner": "", "field": "second"},
    )
    assert answer.content.decode().count("already entered") == 6

    tomorrow = section_with(0, club=section.club)
    answer = browser.get(
        reverse("suggestions", args=[tomorrow.code]), {"q": "", "partner": "anna north3"}
    )
    assert 'data-name="Bob South3"' in answer.content.decode()
    assert "usually plays with anna north3" in words(answer)


def test_another_clubs_people_are_never_suggested(browser, section, carol):
    section_with(3, club=carol.clubs.get(), by=carol)
    Person.objects.create(club=carol.clubs.get(), name="Secret Person")

    answer = browser.get(reverse("suggestions", args=[section.code]), {"q": "secret"})

    assert answer.content.decode().strip() == ""


def test_an_unchanged_poll_is_one_query(browser, section, django_assert_num_queries):
    section.refresh_from_db()
    address = f"{reverse('entries', args=[section.code])}?v={section.version}"

    with django_assert_num_queries(1):
        assert browser.get(address).status_code == 204
