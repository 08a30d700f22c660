"""Numbers are written as the reader's language has them."""

from fractions import Fraction

import pytest
from django.utils.translation import override

from bridgebuddy.scoring.words import number_text


@pytest.mark.parametrize(
    ("number", "places", "en", "de"),
    [
        (Fraction(5, 2), 2, "2.50", "2,50"),
        (Fraction(-21, 4), 1, "−5.2", "−5,2"),
        (Fraction(1, 100), 2, "0.01", "0,01"),
        (Fraction(6003, 100), 0, "60", "60"),
        (Fraction(0), 1, "0.0", "0,0"),
        (Fraction(12345), 1, "12345.0", "12345,0"),
        (7, 0, "7", "7"),
    ],
)
def test_a_number_has_so_many_places_and_the_readers_point(number, places, en, de):
    found = []
    for language in ("en", "de"):
        with override(language):
            found.append(number_text(number, places))

    assert found == [en, de]
