"""Results of the field with a board: contracts counted, no pair judged."""

import re

import pytest

from bridgebuddy.scoring.field_words import field_text

SUITS = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}


def played(*lines):
    return [
        {"contract": line.split()[0], "declarer": line.split()[1], "tricks": int(line.split()[2])}
        for line in lines
    ]


@pytest.mark.parametrize(
    ("outcomes", "said"),
    [
        (played("4H S 10", "4H S 9"), ""),
        ([None, {"artificial": {}}, *played("4H S 10", "4H S 9")], ""),
        (played("4H S 10", "4H S 11", "4Hx N 10"), "3 tables played 4♥: all made it."),
        (played("4H S 9", "4H S 9", "4H N 8"), "3 tables played 4♥: nobody made it."),
        (
            [*played("4H S 10", "4H S 9", "3NT W 8"), {"passed": True}],
            "2 tables played 4♥: 1 made it, 1 went down. Otherwise 3NT W −1, passed.",
        ),
        (
            played("4H S 10", "4H S 9", *(f"{level}C E 7" for level in range(1, 7))),
            (
                "2 tables played 4♥: 1 made it, 1 went down. Other results: 1♣ E =, 2♣ E −1, 3♣ E "
                "−2, 4♣ E −3 and 2 more."
            ),
        ),
        (played("4H S 10", "3H S 9", "2H N 8"), "All tables played different contracts."),
        ([{"passed": True}] * 3, "All tables played different contracts."),
    ],
)
def test_the_field_in_a_sentence(outcomes, said):
    text = re.sub(
        r'<svg class="su (.)".*?</svg>', lambda found: SUITS[found[1]], field_text(outcomes)
    )
    assert " ".join(re.sub(r"<[^>]+>", "", text).split()) == said
