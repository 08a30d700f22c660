"""The second half of a double tap presses no button, whichever one has come under the finger meanwhile."""

import pytest
from playwright.sync_api import expect

from bridgebuddy.scoring.models import Result
from bridgebuddy.table_phones.models import ResultClaim
from tests.table_phones.tapping import with_phones

from .test_tables import joined

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

#: the time in which a tap belongs to the one before ends when the test says so, however slow the machine is
HOLD = """() => {
    const { setTimeout } = window;
    self.held = [];
    window.setTimeout = (does, ms, ...more) => (ms === 700 ? self.held.push(does) : setTimeout(does, ms, ...more));
}"""
WIDTHS = (320, 375, 390)
PRESSED = "document.querySelectorAll('#pad .key.on:not([name=dbl])').length"


class Finger:
    """A finger that taps the same spot twice."""

    def __init__(self, phone):
        self.phone = phone

    def double_tap(self, target, comes):
        """Tap a key until the next step has come, and the same spot once more."""
        target.scroll_into_view_if_needed()
        box = target.bounding_box()
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        self.phone.mouse.click(x, y)
        expect(comes).to_be_visible()
        self.phone.mouse.click(x, y)
        expect(comes).to_be_visible()
        self.phone.evaluate("() => { for (const end of held.splice(0)) end(); }")


def phone_at(page, section, width):
    phone = joined(page, section, 1, service_workers="block")
    phone.add_init_script(f"({HOLD})()")  # a page that is loaded anew holds them, too
    phone.evaluate(HOLD)
    phone.set_viewport_size({"width": width, "height": 667})
    return phone


@pytest.mark.parametrize("width", WIDTHS)
def test_a_double_tap_answers_one_question_at_every_step(page, section, width):
    with_phones(section)
    phone = phone_at(page, section, width)
    finger, tricks = Finger(phone), phone.locator("#tricks")
    boards = section.plays.filter(round=section.round, table=1, taken_back_at=None).order_by(
        "board"
    )

    finger.double_tap(phone.get_by_role("link", name="Enter board"), phone.locator("#pad"))
    assert phone.evaluate(PRESSED) == 0
    phone.get_by_role("button", name="4", exact=True).click()
    phone.get_by_role("button", name="spades").click()
    for seat in "NESW":
        finger.double_tap(phone.locator(f"#pad [name=by][value={seat}]"), tricks)
        assert (seat, ResultClaim.objects.count(), Result.objects.count()) == (seat, 0, 0)
        finger.double_tap(tricks.get_by_role("link", name="Change"), phone.locator("#pad"))
        assert phone.evaluate(PRESSED) == 3
    phone.locator("#pad [name=by][value=S]").click()
    finger.double_tap(phone.locator("#tricks [data-more]"), tricks)
    assert ResultClaim.objects.count() == 0
    finger.double_tap(tricks.locator("[name=tricks][value='10']"), phone.locator("#yes"))
    assert [claim.outcome["tricks"] for claim in ResultClaim.objects.all()] == [10]
    finger.double_tap(phone.locator("#yes"), phone.get_by_text("is saved"))
    assert {claim.side for claim in ResultClaim.objects.all()} == {"ns", "ew"}
    assert phone.url.endswith(f"/board/{boards[0].pk}/check/agreed/")


@pytest.mark.parametrize("width", WIDTHS)
def test_a_double_tap_answers_one_question_where_leads_are_asked(page, section, width):
    with_phones(section, asks_lead=True)
    phone = phone_at(page, section, width)
    finger, lead, tricks = Finger(phone), phone.locator("#lead"), phone.locator("#tricks")
    phone.get_by_role("link", name="Enter board").click()
    phone.locator("#pad [name=by][value=S]").click()
    phone.get_by_role("button", name="4", exact=True).click()

    finger.double_tap(phone.locator("#pad").get_by_role("button", name="spades"), lead)
    assert phone.locator("#lead .key.on").count() == 0
    for seat in "NESW":
        finger.double_tap(lead.get_by_role("link", name="Change"), phone.locator("#pad"))
        finger.double_tap(phone.locator(f"#pad [name=by][value={seat}]"), lead)
    phone.get_by_role("button", name="hearts").click()
    finger.double_tap(phone.get_by_role("button", name="K", exact=True), tricks)

    assert (ResultClaim.objects.count(), Result.objects.count()) == (0, 0)


def test_another_spot_and_the_keyboard_answer_at_once(page, section):
    with_phones(section)
    phone = phone_at(page, section, 375)
    phone.get_by_role("link", name="Enter board").click()
    for name in ("4", "spades"):
        phone.get_by_role("button", name=name, exact=name == "4").click()

    phone.locator("#pad [name=by][value=N]").focus()
    phone.keyboard.press("Enter")
    phone.locator("#tricks [name=tricks][value='10']").focus()
    phone.keyboard.press("Enter")
    expect(phone.locator("#yes")).to_be_visible()
    phone.get_by_role("link", name="They answer on their own phone").click()
    phone.get_by_role("link", name="Enter board").click()
    phone.get_by_role("button", name="All passed").click()

    expect(phone.locator("#yes")).to_be_visible()
    assert ResultClaim.objects.count() == 2
