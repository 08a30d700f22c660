"""Titles of the catalogue and names of contestants, in the reader's language."""

import re

import pytest
from babel.messages.pofile import read_po
from django.conf import settings
from django.utils import translation

from movements.engine import catalogue
from movements.engine.families.family import CHOICES
from movements.engine.families.individuals.rainbow import FAMILY as RAINBOW
from movements.engine.families.mitchells.mitchell import mitchell
from movements.words.sentences import choice_word, family_title, label_of, plain_label


@pytest.fixture
def in_german():
    with translation.override("de"):
        yield


def german_ids(context=None):
    """The sentences of the German catalogue that have a translation."""
    po = settings.LOCALE_PATHS[0] / "de" / "LC_MESSAGES" / "django.po"
    with po.open("rb") as file:
        return {item.id for item in read_po(file) if item.context == context and item.string}


def test_all_the_catalogue_says_is_marked_and_translated():
    families = catalogue.FAMILIES
    options = [option for family in families for option in family.options]
    shown = {text for family in families for text in (family.title, family.needs)}

    assert (shown | {option.help for option in options}) - german_ids() == set()
    assert set(CHOICES.values()) - german_ids("choice") == set()


def test_whatever_can_be_chosen_is_a_word_or_a_family():
    families = catalogue.FAMILIES
    choices = {
        choice for family in families for option in family.options for choice in option.choices
    }

    assert choices - set(CHOICES) - {family.name for family in families} == set()
    assert set(CHOICES) - choices == set()


def test_sizes_said_in_a_sentence_are_those_that_can_be_had():
    for family in catalogue.FAMILIES:
        if found := re.fullmatch(r"(\d+) to (\d+) tables", family.needs):
            assert (family.smallest, family.largest) == (int(found[1]), int(found[2]))


def test_a_choice_is_said_in_the_readers_language(in_german):
    assert [choice_word(text) for text in ("two-back", "web", "skip-mitchell")] == [
        *("zwei zurück", "Web", "Skip-Mitchell"),
    ]


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
