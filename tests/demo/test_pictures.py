"""The pictures of the README and of the first page are those of today's pages."""

import pytest
from PIL import Image

from bridgebuddy.demo.people import WORDS
from bridgebuddy.director.sessions.pictures import NAMES

from .pictured import IMAGES, kept_words, likeness, words_now

MOST_BYTES = 130_000
#: the share of words that a page must have in common with its picture
ALIKE = 0.85


@pytest.mark.django_db
@pytest.mark.parametrize("language", WORDS)
def test_pages_say_what_the_pictures_show(language):
    """Words are compared, not pixels, and numbers do not count. A changed label or two makes no picture untrue."""
    before, now = kept_words(), words_now(language)

    outdated = {
        name: sorted({*words} ^ {*before.get(name, ())})
        for name, words in now.items()
        if likeness(before.get(name, []), words) < ALIKE
    }

    assert outdated == {}, "these pages say other words: run `make pictures`, look, commit"


def test_another_page_is_noticed_and_a_changed_label_is_not():
    kept = kept_words()
    desk = kept["en/desk"]

    assert likeness(desk, kept["en/choose"]) < ALIKE
    assert likeness(desk, kept["de/desk"]) < ALIKE
    assert likeness(desk, [*desk[2:], "Another", "label"]) > ALIKE


@pytest.mark.parametrize("language", WORDS)
@pytest.mark.parametrize("name", NAMES)
def test_every_picture_is_there_and_small(language, name):
    path = IMAGES / language / f"{name}.png"

    assert path.stat().st_size < MOST_BYTES
    with Image.open(path) as image:
        assert image.width >= 375
