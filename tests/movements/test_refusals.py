"""Reasons of impossible movements: true ones, at the command line and on the page."""

import re

import pytest
from django.urls import reverse

from movements.engine import catalogue
from movements.engine.errors import MovementError, WrongTables
from movements.words.refusals import movement_refused

FAMILIES = [family.name for family in catalogue.FAMILIES]
OF_SEVERAL_SIZES = [family.name for family in catalogue.FAMILIES if len(family.sizes) > 1]


def numbers_in(text):
    """The numbers a text names: "3–5, 9" or "4, 6, 8 … 60"."""
    if "…" in text:
        first, second, *_more, last = map(int, re.findall(r"\d+", text))
        return list(range(first, last + 1, second - first))
    found = []
    for first, last in re.findall(r"(\d+)(?:(?:–| to )(\d+))?", text):
        found += range(int(first), int(last or first) + 1)
    return found


def refused(name, tables, rounds=None):
    error = catalogue.find_refusal(name, tables, rounds)
    assert isinstance(error, WrongTables)
    return error


def words(page):
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", "", page.content.decode()))


@pytest.mark.parametrize("name", FAMILIES)
def test_every_family_says_for_which_sizes_it_exists_and_for_no_others(name):
    family = catalogue.find_family(name)
    impossible = [size for size in range(1, family.largest + 2) if size not in family.sizes]

    for size in [*impossible, 999]:
        said = movement_refused(refused(name, size))
        sizes, asked = re.fullmatch(
            rf".* exists for (.+) {family.counted}, not for (\d+)\.", said
        ).groups()

        assert (numbers_in(sizes), int(asked)) == (list(family.sizes), size)


@pytest.mark.parametrize("name", OF_SEVERAL_SIZES)
def test_the_command_names_the_sizes_where_another_is_out_of_reach(name):
    family = catalogue.find_family(name)

    for size in (family.smallest - 1, family.largest + 1, 999):
        said = catalogue.explain_refusal(refused(name, size))
        sizes = re.search(rf" needs (.+) {family.counted}; you asked for {size}\.", said)[1]

        assert numbers_in(sizes) == list(family.sizes)


@pytest.mark.parametrize(
    ("name", "tables", "sentence"),
    [
        ("mitchell", 999, "Mitchell needs 3 to 60 tables; you asked for 999."),
        ("skip-mitchell", 61, "Skip Mitchell needs 4, 6, 8 … 60 tables; you asked for 61."),
        (
            "crisscross",
            6,
            "Crisscross Mitchell needs a multiple of 4 tables; you asked for 6."
            " Share-and-Relay Mitchell and Skip Mitchell work with 6.",
        ),
        ("howell", 1, "Howell needs 2 to 10 tables; you asked for 1."),
        ("hesitation", 60, "Hesitation Mitchell needs an odd number of tables; you asked for 60."),
        ("team-rings", 999, "Team Rings needs 5 or 9 teams; you asked for 999."),
        ("team-round-robin", 999, "Round Robin needs 4 or 6 to 60 teams; you asked for 999."),
    ],
)
def test_the_command_refuses_in_true_sentences(name, tables, sentence):
    said = catalogue.explain_refusal(refused(name, tables))

    assert said.startswith(sentence)


def test_a_mitchell_for_an_even_number_of_tables_is_short():
    assert movement_refused(refused("mitchell", 8)) == (
        "Mitchell with 8 tables has at most 4 rounds. More need a skip or a relay."
    )


def test_what_only_an_option_makes_impossible_is_not_blamed_on_the_tables():
    with pytest.raises(WrongTables) as caught:
        catalogue.build_movement("ew-rover", 7, options={"base": "skip-mitchell"})

    assert movement_refused(caught.value) == (
        "Rover Mitchell, East-West is not possible in this way. Choose other options or another one."
    )


@pytest.mark.parametrize(
    ("name", "size", "options", "sentence"),
    [
        (
            "two-stanza",
            12,
            {"stanzas": 3},
            "“3” is not possible for this movement. Possible: 2, 4, 6.",
        ),
        (
            "two-stanza",
            12,
            {"stanzas": 0},
            "“0” is not possible for this movement. Possible: 2, 4, 6.",
        ),
        ("barometer", 12, {"base": "howell"}, "Howell exists for 2–10 tables, not for 12."),
    ],
)
def test_an_option_that_is_not_possible_is_named_with_what_is(name, size, options, sentence):
    with pytest.raises(MovementError) as caught:
        catalogue.build_movement(name, size, options=options)

    assert movement_refused(caught.value) == sentence


@pytest.mark.parametrize(
    ("name", "size", "rounds", "options", "sentence"),
    [
        ("web", 14, 20, {}, "Web can have 2 to 13 rounds here."),
        ("howell", 5, 3, {}, "Howell can have 9 rounds here."),
        ("team-awl", 9, 3, {}, "American Whist can have 2, 4, 6, 8 rounds here."),
        ("barometer", 4, 3, {"base": "howell"}, "Barometer Mitchell can have 7 rounds here."),
    ],
)
def test_the_possible_rounds_are_said_as_they_are(name, size, rounds, options, sentence):
    with pytest.raises(MovementError) as caught:
        catalogue.build_movement(name, size, rounds, options=options)

    assert movement_refused(caught.value) == sentence


@pytest.mark.parametrize(
    ("name", "size", "heading", "sentence", "nearest"),
    [
        (
            "mitchell",
            999,
            "Mitchell does not exist for 999 tables",
            "Mitchell exists for 3–60 tables, not for 999. The nearest:",
            [57, 58, 59, 60],
        ),
        (
            "howell",
            1,
            "Howell does not exist for 1 table ",
            "Howell exists for 2–10 tables, not for 1. The nearest:",
            [2, 3, 4, 5],
        ),
        (
            "skip-mitchell",
            39,
            "Skip Mitchell does not exist for 39 tables",
            "Skip Mitchell exists for 4, 6, 8 … 60 tables, not for 39."
            " Needs: an even number of tables. The nearest:",
            [36, 38, 40, 42],
        ),
        (
            "swiss",
            999,
            "Swiss does not exist for 999 teams",
            "Swiss exists for 4–128 teams, not for 999. The nearest:",
            [125, 126, 127, 128],
        ),
    ],
)
@pytest.mark.django_db
def test_the_library_says_what_exists(client, name, size, heading, sentence, nearest):
    page = client.get(reverse("movement", args=[name, size]))

    assert page.status_code == 404
    assert heading in words(page)
    assert sentence in words(page)
    links = re.findall(rf'href="/movements/{name}/(\d+)/"', page.content.decode())
    assert [int(link) for link in links] == nearest
    assert all(
        client.get(reverse("movement", args=[name, link])).status_code == 200 for link in links
    )


@pytest.mark.django_db
def test_what_works_instead_works(client):
    far, near = (client.get(reverse("movement", args=["howell", size])) for size in (999, 61))

    assert "These work instead" not in words(far)
    others = re.findall(r'href="/movements/([a-z-]+)/61/"', near.content.decode())
    assert others == ["knockout", "swiss"]
