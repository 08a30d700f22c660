"""Pictures of a movement's comparisons, and their words."""

import re

import pytest
from django.urls import reverse

from movements.engine import catalogue
from movements.engine.fairness.balance import balance
from movements.engine.options import merge_fields
from movements.library.heat import heat_picture, heat_sentence, heat_squares, heat_thumbnail


def test_squares_hold_the_weights_and_how_far_they_are_from_usual():
    howell = catalogue.build_movement("howell", 5)

    rows = heat_squares(howell, balance(howell))

    assert rows[0] == [
        ("d", ""), ("h1", "6"), ("h1", "6"), ("l1", "2"), ("l1", "2"),
        ("l1", "2"), ("l1", "2"), ("h1", "6"), ("h1", "6"), ("h0", "4"),
    ]  # fmt: skip


def test_an_even_movement_is_one_colour_with_its_diagonal():
    matches = re.findall(r'class="c-(\w+)"', heat_thumbnail(catalogue.build_movement("howell", 6)))

    assert matches == ["l0", "d"]


def test_two_winners_stand_apart_in_the_picture():
    mitchell = catalogue.build_movement("mitchell", 5)

    drawn = heat_thumbnail(mitchell)

    assert '<path class="c-l0" d="M0 0h40v40h-40zM40 40h40v40h-40z"/>' in drawn
    assert heat_squares(mitchell, balance(mitchell))[0][5] == ("x", "0")


def test_the_large_picture_writes_every_number_and_who_is_who():
    howell = catalogue.build_movement("howell", 3)

    drawn = heat_picture(howell, balance(howell))

    numbers = [
        number for row in heat_squares(howell, balance(howell)) for _, number in row if number
    ]
    assert re.findall(r'class="on-\w+"[^>]*>([^<]*)<', drawn) == [*numbers]
    assert re.findall(r'class="name[^>]*>([^<]*)<', drawn) == [*"123456", *"123456"]


def test_very_large_fields_are_drawn_without_numbers():
    mitchell = catalogue.build_movement("mitchell", 25)

    assert "<text" not in heat_picture(mitchell, balance(mitchell))


def test_no_picture_has_a_style_of_its_own():
    drawn = heat_thumbnail(catalogue.build_movement("skip-mitchell", 8))

    assert (re.findall("style", drawn), drawn[:20]) == ([], '<svg class="thumb" w')


@pytest.mark.parametrize(
    ("family", "tables", "words"),
    [
        ("howell", 6, "Every pair influences every other equally."),
        (
            "partial-howell",
            6,
            "Every pair influences every other about equally; pairs 1 and 10 a little more;"
            " pairs 2 and 6 clearly less.",
        ),
        ("rainbow", 5, "Everybody influences everybody else equally."),
    ],
)
def test_the_words_say_who_stands_out(family, tables, words):
    movement = catalogue.build_movement(family, tables)

    assert heat_sentence(movement, balance(movement)) == words


def test_an_unequal_movement_is_called_so():
    movement = merge_fields(catalogue.build_movement("mitchell", 7))

    assert heat_sentence(movement, balance(movement)) == (
        "Pairs influence each other unequally; pairs 1 and 2 clearly more;"
        " pairs 1 and 8 clearly less."
    )


def test_a_draw_without_boards_has_no_picture():
    assert heat_thumbnail(catalogue.build_movement("swiss", 8)) == ""


@pytest.mark.django_db
def test_the_library_shows_picture_and_words(client):
    page = client.get(reverse("movement", args=["partial-howell", 6])).content.decode()

    assert page.count('<svg class="heat"') == 1
    assert "<p>Every pair influences every other about equally; pairs 1 and 10" in page
