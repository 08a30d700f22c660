"""Takes the pictures of the first page from the product: `python -m pytest tests/browser/pictures.py`.

The names are invented, as everywhere; run it again when a page in a picture looks otherwise.
"""

from pathlib import Path

from bridgebuddy.events.services import entries, movement, rounds
from tests.browser.conftest import PHONE, sign_in, wait_for_fonts
from tests.factories import director_of, section_with

FOLDER = Path(__file__).parents[2] / "static" / "images"
WIDE = (1280, 800)
FIRST = ("Hanna", "Karl", "Ruth", "Otto", "Mary", "John", "Ida", "Paul", "Nora")
LAST = (
    "Brandt",
    "Fischer",
    "Hughes",
    "Collins",
    "Lehmann",
    "Richter",
    "Turner",
    "Bennett",
    "Miller",
)


def names(count):
    """So many pairs, no two players of one name."""
    people = [f"{first} {last}" for last in LAST for first in FIRST]
    mixed = people[::2] + people[1::2]
    return list(zip(mixed[:count], reversed(mixed[-count:]), strict=True))


def take(page, address, name):
    page.goto(address)
    wait_for_fonts(page)
    page.screenshot(path=FOLDER / f"{name}.png")


def test_pictures_of_the_first_page(page, transactional_db):
    evening = section_with(0)
    user = director_of(evening.club, email="anna@example.org")
    entries.add_pairs(evening, names(26), by=user)
    evening = movement.choose_movement(evening, "mitchell", boards_per_round=2, by=user)
    for after in range(3):
        evening = rounds.start_next_round(evening, after=after, by=user)
    planned = section_with(0, club=evening.club, by=user)
    entries.add_pairs(planned, names(27), by=user)

    desk = page(WIDE)
    sign_in(desk, user.email)
    take(desk, f"/s/{evening.code}/desk/", "first-desk")
    take(desk, f"/s/{planned.code}/movement/", "first-choose")
    take(page(WIDE), f"/p/{evening.code}/room/", "first-room")
    take(page(PHONE), f"/p/{evening.code}/EW4/", "first-phone")
