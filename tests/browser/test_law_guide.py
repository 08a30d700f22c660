"""The guide to rulings on a phone beside the table: large answers, few presses, no scripts."""

import pytest

from bridgebuddy.rulings.guide import steps_of_subject
from bridgebuddy.rulings.subjects import SUBJECTS
from tests.factories import director_of, section_with

from .conftest import PHONE, scrolls_sideways, sign_in, wait_for_fonts

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

LOWEST_TILE, ANSWER = 810, 72
BOXES = "(all) => all.map((link) => link.getBoundingClientRect())"


@pytest.mark.parametrize(
    ("language", "presses"),
    [
        ("en", ["Lead out of turn", "first card, face up", "leave the card", "The card helped"]),
        ("de", ["Ausspiel von der", "erste Karte, offen", "Karte bleibt liegen", "Die Karte hat"]),
    ],
)
def test_a_ruling_takes_three_presses_and_an_adjusted_score_a_fourth(page, language, presses):
    section = section_with(14, "mitchell", round=2)
    opened = page(PHONE, java_script_enabled=False, locale=language)
    sign_in(opened, director_of(section.club))

    opened.goto(f"/s/{section.code}/laws/")
    wait_for_fonts(opened)
    tiles = opened.locator(".law-subjects a").evaluate_all(BOXES)
    assert len(tiles) == 12
    assert max(tile["bottom"] for tile in tiles) <= LOWEST_TILE
    for press in presses:
        assert not scrolls_sideways(opened)
        answers = opened.locator(".law-answers a").evaluate_all(BOXES)
        assert all(answer["height"] >= ANSWER for answer in answers)
        opened.locator("main a", has_text=press).click()

    foot = opened.locator(".law-foot").evaluate("(foot) => foot.getBoundingClientRect().bottom")
    assert opened.locator(".law-say li").count() == 3
    assert foot <= PHONE[1]
    assert not scrolls_sideways(opened)


@pytest.mark.parametrize("language", ["en", "de"])
def test_each_subject_is_walked_to_an_end_with_one_thumb(page, language):
    """The way with the longest texts: large answers, nothing sideways, and the foot of an end in sight."""
    section = section_with(14, "mitchell", round=2)
    opened = page(PHONE, java_script_enabled=False, locale=language)
    sign_in(opened, director_of(section.club))

    for subject in SUBJECTS:
        longest = max(steps_of_subject(subject), key=lambda place: len(place.way))
        opened.goto(f"/s/{section.code}/laws/{subject.name}/{subject.first.name}/")
        for step, answer in longest.way:
            assert opened.url.endswith(f"/{step.name}/")
            assert not scrolls_sideways(opened)
            boxes = opened.locator(".law-answers a").evaluate_all(BOXES)
            assert all(box["height"] >= ANSWER for box in boxes)
            opened.locator(f"main a[href*='/{answer.then.name}/']").first.click()
        assert opened.url.endswith(f"/{longest.step.name}/")
        assert not scrolls_sideways(opened)
        foot = opened.locator(".law-foot").evaluate("(foot) => foot.getBoundingClientRect().bottom")
        assert foot <= PHONE[1]
