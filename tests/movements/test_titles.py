"""What the catalogue says, and what contestants are called, in the reader's language."""

import pytest
from django.utils import translation

from movements.engine import catalogue
from movements.engine.families.mitchell import mitchell
from movements.engine.families.rainbow import FAMILY as RAINBOW
from movements.words.catalogue_words import CHOICES, NEEDS, OPTIONS
from movements.words.sentences import family_title, label_of, plain_label
from movements.words.titles import TITLES


@pytest.fixture
def in_german():
    with translation.override("de"):
        yield


def test_all_the_catalogue_says_is_marked_for_translation():
    families = catalogue.FAMILIES
    names = {family.name for family in families}

    assert set(TITLES) == {family.title for family in families}
    assert set(NEEDS) == {family.needs for family in families}
    assert set(OPTIONS) == {option.help for family in families for option in family.options}
    choices = {
        choice for family in families for option in family.options for choice in option.choices
    }
    assert choices - set(CHOICES) - names == set()
    assert set(CHOICES) - choices == set()


def test_families_have_german_names(in_german):
    assert family_title("skip-mitchell") == "Skip-Mitchell"
    assert family_title("partial-howell") == "Dreiviertel-Howell"
    assert family_title("unheard-of") == "unheard-of"


def test_labels_follow_the_language():
    movement = mitchell(5)
    individual = RAINBOW.build(5)

    assert [label_of(movement, number) for number in (1, 6)] == ["NS 1", "EW 1"]
    with translation.override("de"):
        assert [label_of(movement, number) for number in (1, 6)] == ["NS 1", "OW 1"]
        assert [label_of(individual, number) for number in (1, 6, 11, 16)] == [
            "N 1",
            "S 1",
            "O 1",
            "W 1",
        ]


@pytest.mark.parametrize(
    ("typed", "plain"),
    [
        ("OW3", "EW3"),
        ("ow 3", "EW3"),
        ("O 12", "E12"),
        ("W4", "W4"),
        ("EW3", "EW3"),
        ("NS 3", "NS3"),
        ("7", "7"),
        ("Ost", "Ost"),
        ("", ""),
    ],
)
def test_labels_are_understood_in_german_and_as_addresses_have_them(in_german, typed, plain):
    assert plain_label(typed) == plain


def test_english_knows_no_german_labels():
    assert plain_label("OW3") == "OW3"
