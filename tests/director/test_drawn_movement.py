"""Choosing a contest that is drawn from its results."""

from datetime import datetime, timedelta

import pytest
from django.urls import reverse

from tests.factories import director_of, section_with

pytestmark = pytest.mark.django_db


def choose(client, section, **answers):
    client.force_login(director_of(section.club))
    return client.post(reverse("choose-drawn", args=[section.code]), {"boards": 4, **answers})


def first_round(section):
    section.refresh_from_db()
    return [(s.ns, s.ew) for s in section.movement.movement.in_round(1)]


def test_swiss_of_pairs_is_chosen_and_seeded_in_the_order_of_the_list(client):
    section = section_with(9)

    answer = choose(client, section, rounds=4, first="fold", behind="")

    assert answer.status_code == 302
    assert first_round(section) == [(1, 8), (2, 7), (3, 6), (4, 5), (9, None)]
    assert section.movement.open_rounds == (2, 3, 4)
    assert section.boards_per_round == 4
    assert list(section.entries.values_list("position", "contestant")) == [
        (number, number) for number in range(1, 10)
    ]


def test_more_digits_than_python_converts_are_refused(client):
    answer = choose(client, section_with(9), kind="swiss", rounds="1" * 5000)

    assert answer.status_code == 422


@pytest.mark.parametrize(
    ("odd", "in_triangle"), [("triangle", (1,)), ("long-triangle", (1, 2)), ("bye", None)]
)
def test_an_odd_number_of_teams_plays_as_was_chosen(client, odd, in_triangle):
    section = section_with(9, contest="teams")

    choose(client, section, kind="swiss", rounds=4, first="slide", odd=odd)

    section.refresh_from_db()
    triangles = section.movement.movement.triangles
    assert [triangle.rounds for triangle in triangles] == ([in_triangle] if in_triangle else [])


def test_one_round_behind_has_two_rounds_drawn(client):
    section = section_with(12)

    choose(client, section, rounds=5, first="slide", behind="1")

    section.refresh_from_db()
    assert section.movement.open_rounds == (3, 4, 5)


def test_knock_out_of_teams_has_as_many_rounds_as_it_takes(client):
    section = section_with(12, contest="teams")

    assert choose(client, section, kind="knockout", rounds="").status_code == 302

    section.refresh_from_db()
    assert (section.movement.family, section.movement.rounds) == ("knockout", 4)


def test_of_a_knock_out_nothing_is_said_that_is_true_of_a_swiss(client):
    section = section_with(12, contest="teams")
    client.force_login(director_of(section.club))
    address = reverse("choose-drawn", args=[section.code])

    asked = {"kind": "knockout", "boards": 4, "rounds": ""}
    shown = client.get(address, asked, headers={"HX-Request": "true"}).content.decode()

    assert "The team with more IMPs in a match goes on." in shown
    assert "victory points" not in shown
    assert "find somebody new" not in shown


def test_what_cannot_be_is_refused_with_its_reason(client):
    section = section_with(8)

    answer = choose(client, section, rounds=9)

    assert answer.status_code == 422
    assert "Swiss can have 2 to 7 rounds here." in answer.content.decode()
    section.refresh_from_db()
    assert section.movement is None


def test_one_pair_more_keeps_the_swiss_and_its_choices(client):
    from bridgebuddy.events.services.setup.entries import add_pairs

    section = section_with(8)
    choose(client, section, rounds=4, first="fold")

    add_pairs(section, [("Eve Adams", "Max Late")], by=director_of(section.club))

    assert first_round(section) == [(1, 8), (2, 7), (3, 6), (4, 5), (9, None)]


def test_few_rounds_and_too_many_are_told_before_choosing(client):
    section = section_with(24)
    client.force_login(director_of(section.club))

    page = client.get(reverse("choose-drawn", args=[section.code])).content.decode()

    assert "play at least 7 rounds: then only one can win every match" in page
    assert (
        "Up to 12 rounds everybody gets new opponents; after that, as long as a draw is possible"
        in page
    )
    many = client.get(
        reverse("choose-drawn", args=[section.code]), {"boards": 4, "rounds": 14}
    ).content.decode()
    assert "Later the draw may repeat a meeting" in many


def test_seven_rounds_of_twelve_teams_can_be_chosen_with_a_danish_end(client):
    section = section_with(12, contest="teams")

    answer = choose(client, section, kind="swiss", rounds=7, first="slide", danish="on")

    assert answer.status_code == 302
    section.refresh_from_db()
    assert section.movement.rounds == 7
    assert section.movement_options["danish"] is True


def test_a_triangle_over_two_rounds_says_why_three_rounds_are_none(client):
    section = section_with(7, contest="teams")

    answer = choose(client, section, kind="swiss", rounds=3, first="slide", odd="long-triangle")

    assert answer.status_code == 422
    assert "A triangle lasts two rounds here, so play 2 or 4." in answer.content.decode()


@pytest.mark.parametrize(("most", "boards"), [(28, 6), (42, 7), (48, 8), (60, 8)])
def test_a_swiss_of_pairs_has_six_to_eight_boards_a_round(client, club, most, boards):
    director = director_of(club)
    section = section_with(12, club=club, by=director)
    section.session.most_boards = most
    section.session.save()
    client.force_login(director)

    form = client.get(reverse("choose-drawn", args=[section.code])).context["form"]

    assert (form["rounds"].value(), form["boards"].value()) == (6, boards)


def test_the_page_says_when_a_contest_ends(client):
    section = section_with(9)
    session = section.session
    client.force_login(director_of(section.club))

    page = client.get(reverse("choose-drawn", args=[section.code]), {"boards": 4, "rounds": 3})

    end = datetime.combine(session.date, session.starts_at)
    end += timedelta(minutes=12 * session.minutes_per_board)
    assert f"3 rounds, 12 boards, ends about {end:%H:%M}" in page.content.decode()
