"""Finding one's pair."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bridgebuddy.events.queries.plan.games import Contestant
from bridgebuddy.events.services.play import rounds
from bridgebuddy.events.services.setup import entries, movement
from bridgebuddy.players.search import fits_text
from tests.factories import section_with

from .reading import HTMX, lookup, words

pytestmark = pytest.mark.django_db

ASKED = "Which pair are you?"


def listed_labels(response) -> list[str]:
    """The labels in the list, in order."""
    return [contestant.label for contestant in response.context["found"]]


@pytest.fixture
def section(club, alice):
    """NS 1 to NS 3 and EW 1 to EW 3; EW 3 has names worth searching."""
    section = section_with(5, club=club, by=alice)
    entries.add_pairs(section, [("Jürgen Groß", "Zoë O'Neill-Müller")], by=alice)
    return movement.choose_movement(section, "mitchell", boards_per_round=3, by=alice)


def test_everybody_is_listed_with_both_full_names(client, section):
    page = lookup(client, section)

    assert listed_labels(page) == ["NS 1", "NS 2", "NS 3", "EW 1", "EW 2", "EW 3"]
    assert "NS 1 Anna North1 Bob South1" in words(page)
    assert f'href="/p/{section.code}/EW3/"' in page.content.decode()


@pytest.mark.parametrize(
    "typed",
    ["jurgen", "GROSS", "Groß", "zoe", "o'neill", "oneill", "neill", "muller", "müller", "jur zoe",
     "EW 3", "ew3", "  zo  "],
)  # fmt: skip
def test_a_pair_is_found_by_any_of_its_names_and_its_label(client, section, typed):
    assert listed_labels(lookup(client, section, q=typed)) == ["EW 3"]


def test_a_number_finds_it_in_both_lines(client, section):
    assert listed_labels(lookup(client, section, q="2")) == ["NS 2", "EW 2"]


@pytest.mark.parametrize("typed", ["nobody", "urgen", "jurgen anna", "'", "<i>", "99", "z" * 500])
def test_whom_nobody_is_called_gets_a_sentence(client, section, typed):
    page = lookup(client, section, q=typed)

    assert listed_labels(page) == []
    assert f"No name here contains “{typed[:80]}”. Try another part of the name." in words(page)
    assert "<i>" not in page.content.decode()


def test_a_team_is_listed_and_found_by_its_name(client, club, alice):
    section = section_with(6, "team-round-robin", contest="teams", club=club, by=alice)
    team = section.entries.get(contestant=2)
    team.name = "Dorchester"
    team.save()

    assert "2 Dorchester Anna North2" in words(lookup(client, section))
    assert listed_labels(lookup(client, section, q="dorch")) == ["2"]


def test_as_one_types_only_the_list_comes(client, section):
    address = f"/p/{section.code}/"
    page = client.get(address, {"q": "zoe"}, headers={**HTMX, "HX-Target": "pairs"})

    assert page.content.decode().strip().startswith('<div id="pairs"')
    assert "Jürgen Groß" in words(page)
    assert ASKED not in words(page)


def test_before_the_movement_is_chosen_the_names_are_listed(client, club, alice):
    section = section_with(6, club=club, by=alice)

    page = words(lookup(client, section))

    assert "The director is still entering the pairs" in page
    assert "Entered so far Anna North1 Bob South1 Anna North2" in page
    assert ASKED not in page


def test_as_soon_as_there_are_seats_they_can_be_chosen(client, club, alice):
    section = section_with(6, club=club, by=alice)
    version = section.shown
    poll = {"v": version, "q": ""}
    live = {**HTMX, "HX-Target": "live"}
    lookup(client, section)
    assert client.get(f"/p/{section.code}/", poll, headers=live).status_code == 204

    movement.choose_movement(section, "mitchell", boards_per_round=3, by=alice)
    page = client.get(f"/p/{section.code}/", poll, headers=live)

    assert ASKED in words(page)
    assert "<html" not in page.content.decode()


def test_a_poll_keeps_what_was_typed(client, section):
    live = {**HTMX, "HX-Target": "live"}

    page = client.get(f"/p/{section.code}/", {"v": 1, "q": "zoe"}, headers=live)

    assert words(page).endswith(
        "Which pair are you? Your name or number EW 3 Jürgen Groß Zoë O'Neill-Müller"
    )
    assert 'value="zoe"' in page.content.decode()


def test_an_empty_session_and_a_finished_one_have_their_list(client, club, alice, skip_section):
    assert "The director is still" in words(lookup(client, section_with(0, club=club, by=alice)))
    rounds.finish_session(skip_section, round=4, by=alice)

    page = lookup(client, skip_section)

    assert len(listed_labels(page)) == 16
    assert "every 5s" not in page.content.decode()


def test_names_are_text_never_markup(client, club, alice):
    section = section_with(5, club=club, by=alice)
    name = "<script>alert(1)</script>" + "x" * 35
    entries.add_pairs(section, [(name, "Sean <b> O'Neill")], by=alice)

    unseated = lookup(client, section).content.decode()
    movement.choose_movement(section, "mitchell", boards_per_round=3, by=alice)
    pages = [
        client.get(f"/p/{section.code}/{path}").content.decode() for path in ("", "EW3/", "room/")
    ]

    for page in (unseated, *pages):
        assert "<script>alert" not in page
        assert "<b> O" not in page
    assert "&lt;script&gt;" in pages[0]


@pytest.mark.parametrize("pairs", [6, 60])
def test_the_list_costs_the_same_for_few_and_many(client, pairs, django_assert_num_queries):
    section = section_with(pairs, "mitchell" if pairs == 6 else "skip-mitchell", round=1)
    lookup(client, section)

    with django_assert_num_queries(1):  # the section: the rest has been worked out
        lookup(client, section)
    section.touch()
    with django_assert_num_queries(
        6
    ):  # section, entries, people, plays, the rows to come, movements
        lookup(client, section)
    with django_assert_num_queries(1):
        assert lookup(client, section, v=section.shown).status_code == 204


@given(st.text(max_size=30), st.text(min_size=1, max_size=30))
@settings(deadline=None, derandomize=True, max_examples=80)
def test_whatever_is_typed_every_full_name_finds_its_owner(typed, name):
    one = Contestant(1, "NS 1", "1", "NS1", "ns", name, name, (name,))

    assert fits_text(one, typed) in (True, False)
    assert fits_text(one, name) or not any(c.isalnum() for c in name)
