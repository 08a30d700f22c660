"""Live changes afterwards: taken back, done again, told, looked at."""

import re

import pytest
from django.contrib.messages import WARNING
from django.urls import reverse

from bridgebuddy.events.models import Section
from bridgebuddy.events.services.play import changes
from bridgebuddy.events.services.setup.entries import withdraw_pair
from tests.director.reading import FASTER, LATE, decide, grid_of, text

pytestmark = pytest.mark.django_db


def test_undo_and_redo_are_offered_in_turn(browser, skip_section):
    desk = reverse("desk", args=[skip_section.code])
    decide(browser, skip_section, "late", **LATE)
    seated = Section.objects.get(pk=skip_section.pk)
    assert "Undo Eve Engel & Max O’Reid came and play as rover." in text(browser.get(desk))

    undone = browser.post(reverse("undo", args=[seated.code]), {"plan": seated.plan}, follow=True)
    assert "Eve Engel & Max O’Reid are waiting for a seat." in text(undone)
    assert "Do it again Eve Engel & Max O’Reid came and play as rover." in text(undone)
    section = Section.objects.get(pk=skip_section.pk)
    assert section.movement_id == skip_section.movement_id

    again = browser.post(reverse("redo", args=[section.code]), {"plan": section.plan}, follow=True)
    assert "are waiting for a seat" not in text(again)
    assert Section.objects.get(pk=section.pk).movement_id == seated.movement_id


@pytest.mark.parametrize("name", ["undo", "redo"])
@pytest.mark.parametrize(
    ("version", "sentence"),
    [(0, FASTER), ("x", FASTER), (None, "There is nothing to undo.")],
)
def test_what_cannot_be_taken_back_gets_a_sentence(browser, skip_section, name, version, sentence):
    sent = {"plan": skip_section.plan if version is None else version}

    answer = browser.post(reverse(name, args=[skip_section.code]), sent, follow=True)

    assert sentence in text(answer)
    assert Section.objects.get(pk=skip_section.pk).shown == skip_section.shown


def test_a_second_press_of_undo_takes_nothing_more_back(browser, skip_section):
    decide(browser, skip_section, "leaves", contestant=3)
    decide(browser, Section.objects.get(pk=skip_section.pk), "leaves", contestant=4)
    section = Section.objects.get(pk=skip_section.pk)
    address, sent = reverse("undo", args=[section.code]), {"plan": section.plan}

    browser.post(address, sent)
    answer = browser.post(address, sent, follow=True)

    assert WARNING not in [message.level for message in answer.context["messages"]]
    kinds = [movement.change for movement in section.movements.all()]
    assert kinds == ["", "half-table", "half-table", "undo"]


def test_a_decision_made_again_after_undo_is_not_taken_for_the_first(browser, skip_section):
    decide(browser, skip_section, "leaves", contestant=3)
    section = Section.objects.get(pk=skip_section.pk)
    browser.post(reverse("undo", args=[section.code]), {"plan": section.plan})

    answer = decide(browser, skip_section, "leaves", contestant=3)

    assert answer.status_code == 409
    assert section.movements.count() == 3


def test_the_history_tells_who_changed_what_when_and_why(browser, skip_section):
    decide(browser, skip_section, "late", **LATE, reason="The train was late")
    section = Section.objects.get(pk=skip_section.pk)
    browser.post(reverse("undo", args=[section.code]), {"plan": section.plan})

    told = re.findall(
        r"<li>(.*?)</li>",
        browser.get(reverse("history", args=[section.code]), follow=True)
        .content.decode()
        .partition('id="history"')[2],
        re.S,
    )
    lines = [re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", line)).strip() for line in told]
    lines = [re.sub(r"\d\d:\d\d", "19:14", line) for line in lines]

    assert lines == [
        (
            "Version 3 Undone: Eve Engel &amp; Max O’Reid came and play as rover. from round 5, "
            "19:14, alice Show its rounds"
        ),
        "Version 2 Eve Engel &amp; Max O’Reid came and play as rover. The train was late "
        "from round 5, 19:14, alice Show its rounds",
        "Version 1 The movement was chosen. 19:14 Show its rounds",
    ]


def test_every_version_can_be_looked_at_round_by_round(browser, skip_section):
    address = reverse("all-rounds", args=[skip_section.code])
    planned = grid_of(browser.get(address))
    decide(browser, skip_section, "late", **LATE)

    first = grid_of(browser.get(address, {"version": 1}))
    second = grid_of(browser.get(address, {"version": 2}))

    assert first == planned
    assert second[:4] == first[:4]
    assert [len(re.findall(r"\b9 : ", round)) for round in second] == [0, 0, 0, 0, 1, 1, 1]
    assert grid_of(browser.get(address)) == second


def test_a_version_with_somebody_who_is_off_the_list_by_now_can_be_looked_at(
    browser, alice, skip_section
):
    decide(browser, skip_section, "late", **LATE)
    browser.post(reverse("seen", args=[skip_section.code]), {"version": 2})
    section = Section.objects.get(pk=skip_section.pk)
    section = changes.undo_change(section, plan=section.plan, by=alice)
    withdraw_pair(section.entries.get(contestant=None), by=alice)

    rounds = grid_of(browser.get(reverse("all-rounds", args=[section.code]), {"version": 2}))
    desk = text(browser.get(reverse("desk", args=[section.code])))

    assert [len(re.findall(r"\b9 : ", round)) for round in rounds] == [0, 0, 0, 0, 1, 1, 1]
    assert "Different from round 5 on:" in desk


@pytest.mark.parametrize("version", ["9", "x", "²", "99999999", ""])
def test_a_version_that_never_was_shows_the_present_one(browser, skip_section, version):
    answer = browser.get(reverse("all-rounds", args=[skip_section.code]), {"version": version})

    assert answer.status_code == 200
    assert answer.context["version"] is None
