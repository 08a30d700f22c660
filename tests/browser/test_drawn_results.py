"""What the drawings of pages of results promise and a ruler can tell."""

import pytest
from playwright.sync_api import expect

from tests.director.test_results_journey import truth
from tests.factories import director_of, section_with
from tests.scoring.test_doubts import written_down

from .conftest import PHONE, sign_in
from .test_drawn_pages import TABLET_ACROSS, bottom_of, measured

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_a_result_is_put_right_by_two_presses_and_a_line(page, transactional_db):
    section = written_down(section_with(14, "mitchell", round=7), truth)
    desk = page()
    sign_in(desk, director_of(section.club))
    desk.goto(f"/s/{section.code}/results/board/5/")

    desk.get_by_role("link", name="Change").nth(2).click()
    line = desk.get_by_label("What is right?")
    expect(line).to_be_focused()
    desk.keyboard.type("7nn=")  # typed over what stands
    expect(desk.locator("#says")).to_contain_text("13 tricks")
    expect(desk.locator("#does ins").first).to_be_visible()
    for size in (None, TABLET_ACROSS, PHONE):
        found = measured(desk, *filter(None, [size]))
        assert bottom_of(desk, "#store") <= desk.viewport_size["height"]
    sheet = desk.get_by_role("dialog")
    assert sheet.locator(".btn:visible").count() <= 4
    assert sheet.locator(".btn.primary:visible").count() == 1
    assert sheet.locator("input:not([type=hidden])").count() == 1
    assert found.filled == 1

    desk.get_by_role("button", name="Store 7").click()
    expect(sheet).to_have_count(0)
    expect(desk.locator(".traveller")).to_contain_text("corrected")


BROKEN = """() => [...document.querySelectorAll(".rank4 .nm")].filter((one) => {
  const names = [...one.querySelectorAll(".who")].map((name) => name.getBoundingClientRect());
  return new Set(names.map((name) => Math.round(name.top))).size > 1 || names.some((name) => name.height > 30);
}).length"""


@pytest.mark.parametrize(("pairs", "family"), [(16, "skip-mitchell"), (14, "howell")])
def test_the_ranking_is_one_page_with_names_on_a_line(page, transactional_db, pairs, family):
    section = written_down(section_with(pairs, family, round=7), truth)
    desk = page()
    sign_in(desk, director_of(section.club))
    desk.goto(f"/s/{section.code}/results/ranking/")

    for size, high in ((None, 940), (TABLET_ACROSS, 960)):
        found = measured(desk, *filter(None, [size]))
        assert found.height <= high
        assert desk.evaluate(BROKEN) == 0
        assert found.filled == 1
        assert 3 <= found.buttons <= 7
    assert bottom_of(desk, ".btn.primary") <= 768
    measured(desk, PHONE)
    assert desk.locator(".rank4").count() == 2  # a list alone has the width of the page, too
