"""Takes the pictures of the first page from the product: `python -m pytest tests/browser/pictures.py`.

The names are invented, as everywhere; run it again when a page in a picture looks otherwise.
"""

from pathlib import Path

from tests.browser.conftest import PHONE, sign_in, wait_for_fonts
from tests.factories import director_of, section_with

FOLDER = Path(__file__).parents[2] / "static" / "images"
WIDE = (1280, 800)


def take(page, address, name):
    page.goto(address)
    wait_for_fonts(page)
    page.screenshot(path=FOLDER / f"{name}.png")


def test_pictures_of_the_first_page(page, transactional_db):
    evening = section_with(26, "mitchell", round=3, boards_per_round=2)
    user = director_of(evening.club, email="anna@example.org")
    planned = section_with(27, club=evening.club, by=user)

    desk = page(WIDE)
    sign_in(desk, user.email)
    take(desk, f"/s/{evening.code}/desk/", "first-desk")
    take(desk, f"/s/{planned.code}/movement/", "first-choose")
    take(page(WIDE), f"/p/{evening.code}/room/", "first-room")
    take(page(PHONE), f"/p/{evening.code}/EW4/", "first-phone")
