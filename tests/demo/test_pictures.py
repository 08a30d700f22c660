"""The pictures of the README and of the first page are those of today's pages."""

import pytest
from PIL import Image

from bridgebuddy.demo.people import WORDS
from bridgebuddy.director.sessions.pictures import NAMES

from .pictured import IMAGES, digests, kept_digests

MOST_BYTES = 130_000


@pytest.mark.django_db
@pytest.mark.parametrize("language", WORDS)
def test_pages_say_what_the_pictures_show(language):
    """Words are compared, not pixels. Numbers do not count."""
    before = {name: kept for name, kept in kept_digests().items() if name.startswith(language)}

    changed = [name for name, now in digests(language).items() if before.get(name) != now]

    assert changed == [], "these pages say something else now: run `make pictures`, look, commit"


@pytest.mark.parametrize("language", WORDS)
@pytest.mark.parametrize("name", NAMES)
def test_every_picture_is_there_and_small(language, name):
    path = IMAGES / language / f"{name}.png"

    assert path.stat().st_size < MOST_BYTES
    with Image.open(path) as image:
        assert image.width >= 375
