"""Live changes at the desk: questions, proposals, refusals and effects."""

import html
import re

import pytest
from django.urls import reverse

from bridgebuddy.director.changes.wishes import WISHES
from bridgebuddy.events.models import Section
from bridgebuddy.events.queries.plan.evening import SessionEvening
from bridgebuddy.events.services.play import changes, rounds
from bridgebuddy.events.services.play.changes import change_options
from movements.engine.changes import SkipIsMoved
from tests.director.reading import (
    ANSWERS,
    FASTER,
    LATE,
    address_of,
    alerts_on,
    decide,
    in_which_one_can,
    text,
    titles_on,
    ways_on,
)
from tests.factories import director_of, section_with
from tests.signing_in import asks_to_sign_in

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("quick_search")]

CHOOSE = "Choose from the list."
NOT_NOW = "This cannot be chosen now. Choose from the list."


def differences_on(response):
    """Return the number of rows of differences on a page."""
    return response.content.decode().count('data-label="Round"')


def test_very_many_differences_are_shown_on_request(browser, club, alice):
    section = section_with(80, "skip-mitchell", round=1, rounds=5, club=club, by=alice)
    page = browser.get(address_of(section, "skip"))
    ways = len(ways_on(page))
    way = ways_on(page)[0]
    whole = browser.get(address_of(section, "skip"), {"way": way, "whole": way})

    links = re.findall(r"Show all (\d+) differences", page.content.decode())

    last = 40  # a skip after the last round but one changes one round: all of it is there
    assert (ways, links) == (4, ["160", "120", "80"])
    assert differences_on(page) == 3 * 24 + last
    assert differences_on(whole) == 160 + 2 * 24 + last
    assert re.findall(r"Show all (\d+) differences", whole.content.decode()) == links[1:]


def test_the_differences_of_eight_tables_are_all_there(browser, skip_section):
    page = browser.get(address_of(skip_section, "skip"))

    assert "differences" not in text(page)


@pytest.mark.parametrize("chosen", [0, 1, -1])
def test_the_way_that_is_chosen_is_the_one_that_is_taken(browser, club, alice, chosen):
    section = section_with(24, "skip-mitchell", round=1, rounds=5, club=club, by=alice)
    options = change_options(section, SkipIsMoved())
    keys = ways_on(browser.get(address_of(section, "skip")))
    assert sorted(keys) == sorted({option.key for option in options})
    assert len(keys) > 2

    way = options[chosen]
    sent = {"plan": section.plan, "way": way.key}
    browser.post(address_of(section, "skip"), sent)

    section = Section.objects.get(pk=section.pk)
    assert section.movement.movement == way.proposal.movement


def test_every_wish_has_an_answer_here():
    assert ANSWERS.keys() == WISHES.keys()


@pytest.mark.parametrize("wish", WISHES)
def test_a_director_sees_every_page_before_and_after_answering(browser, skip_section, alice, wish):
    section = in_which_one_can(wish, skip_section, alice)

    asked_page = browser.get(address_of(section, wish))
    answered = browser.get(address_of(section, wish), ANSWERS[wish])

    assert (asked_page.status_code, answered.status_code) == (200, 200)
    assert str(WISHES[wish].question) in text(asked_page)
    assert alerts_on(answered) == []


@pytest.mark.parametrize("wish", WISHES)
def test_to_members_and_others_there_is_no_such_page_and_strangers_are_to_sign_in(
    skip_section, bob, carol, signed_in, client, wish
):
    before = Section.objects.values().get(pk=skip_section.pk)
    address = address_of(skip_section, wish)
    sent = {**ANSWERS[wish], **LATE, "plan": skip_section.plan, "way": "x"}

    for browser in (signed_in(bob), signed_in(carol)):
        assert browser.get(address, ANSWERS[wish]).status_code == 404
        assert browser.post(address, sent).status_code == 404
    assert asks_to_sign_in(client.get(address, ANSWERS[wish]))
    assert asks_to_sign_in(client.post(address, sent))

    assert Section.objects.values().get(pk=skip_section.pk) == before


@pytest.mark.parametrize("name", ["undo", "redo", "history"])
def test_to_others_there_is_nothing_to_take_back_or_read(
    skip_section, bob, carol, signed_in, client, name
):
    address = reverse(name, args=[skip_section.code])
    ask = {"plan": skip_section.plan}

    def answer_of(browser):
        return browser.get(address) if name == "history" else browser.post(address, ask)

    assert [answer_of(signed_in(user)).status_code for user in (bob, carol)] == [404, 404]
    assert asks_to_sign_in(answer_of(client))


@pytest.mark.parametrize("wish", ["nonsense", "late-pair", "0"])
def test_a_wish_nobody_has_is_no_page(browser, skip_section, wish):
    assert browser.get(f"/s/{skip_section.code}/change/{wish}/").status_code == 404


@pytest.mark.parametrize(
    ("wish", "answers", "sentence"),
    [
        ("leaves", {"contestant": "99"}, NOT_NOW),
        ("leaves", {"contestant": ""}, CHOOSE),
        ("arrows", {"round": "4"}, NOT_NOW),
        ("arrows", {"round": "5", "table": "9"}, NOT_NOW),
        ("length", {"rounds": "x"}, NOT_NOW),
        ("boards", {"boards": "3"}, NOT_NOW),
        ("places", {"round": "4", "one": "2", "other": "2"}, "Choose two different pairs."),
        ("places", {"round": "5", "one": "1", "other": "2"}, NOT_NOW),
        (
            "wrong-boards",
            {"round": "4", "table": "3", "other_table": "3"},
            "Choose two different tables.",
        ),
        ("other-way", {"round": "4", "table": "0"}, NOT_NOW),
    ],
)
def test_a_wrong_answer_gets_a_sentence_and_the_others_stay(
    browser, skip_section, alice, wish, answers, sentence
):
    section = in_which_one_can(wish, skip_section, alice)
    address = address_of(section, wish)

    for answer in (
        browser.get(address, answers),
        browser.post(address, {**answers, "plan": section.plan, "way": "x"}),
    ):
        assert answer.status_code == 422
        (said,) = alerts_on(answer)
        assert said == sentence
        form = answer.context["form"]
        assert {name: form[name].value() for name in answers} == answers
    assert Section.objects.get(pk=section.pk).shown == section.shown


@pytest.mark.parametrize(
    "wish", [name for name, wish in WISHES.items() if not wish.is_before_start]
)
def test_before_the_start_people_are_changed_on_the_list(browser, club, alice, wish):
    section = section_with(16, "skip-mitchell", club=club, by=alice)

    answer = browser.get(address_of(section, wish))

    assert answer.headers["Location"] == reverse("entries", args=[section.code])


@pytest.mark.parametrize("wish", [name for name, wish in WISHES.items() if wish.is_before_start])
def test_before_the_start_the_movement_can_be_changed(browser, club, alice, wish):
    family = "howell" if wish == "arrows" else "skip-mitchell"
    section = section_with(16, family, club=club, by=alice)

    answer = browser.get(address_of(section, wish))

    assert answer.status_code == 200
    assert "is being played" not in text(answer)


@pytest.mark.parametrize("wish", WISHES)
def test_after_the_end_there_is_nothing_to_change(browser, skip_section, alice, wish):
    section = rounds.finish_session(skip_section, round=4, by=alice)

    for answer in (
        browser.get(address_of(section, wish), ANSWERS[wish], follow=True),
        browser.post(address_of(section, wish), ANSWERS[wish], follow=True),
    ):
        assert answer.redirect_chain == [(reverse("desk", args=[section.code]), 302)]
        assert "No round is being played." in text(answer)


def test_without_a_movement_the_desk_leads_on(browser, club, alice):
    section = section_with(6, club=club, by=alice)

    answer = browser.get(address_of(section, "late"), follow=True)

    assert answer.redirect_chain[-1] == (reverse("entries", args=[section.code]), 302)


def test_a_late_pair_is_seated_and_the_desk_says_so(browser, skip_section):
    answer = decide(browser, skip_section, "late", **LATE, reason="The train")

    assert answer.headers["Location"] == reverse("desk", args=[skip_section.code])
    section = Section.objects.get(pk=skip_section.pk)
    late = next(
        contestant
        for contestant in SessionEvening(section).contestants.values()
        if "Eve" in contestant.names
    )
    assert (late.names, late.label, late.first_round) == ("Eve Engel & Max O’Reid", "NS 9", 5)
    version = section.movements.get(version=2)
    assert (version.reason, version.by.email) == ("The train", "alice@example.org")
    said = "Eve Engel & Max O’Reid came and play as rover."
    address = reverse("desk", args=[section.code])
    form_page = browser.get(address, {"v": "old"}, headers={"HX-Request": "true"})
    assert said_once(form_page) == []  # left to the page that is opened next
    assert said in said_once(browser.get(address))


def said_once(answer):
    """Return the message at the top of a page about the last action."""
    matches = re.findall(r'(?s)<p class="note[^>]*role="status">.*?</p>', answer.content.decode())
    return [html.unescape(re.sub("<[^>]+>", "", item)).strip() for item in matches]


@pytest.mark.parametrize(
    ("pair", "sentence"),
    [
        ({"first": "", "second": "Max O’Reid"}, "A name is missing."),
        (
            {"first": "Eve Engel", "second": "eve engel"},
            "A pair is two people; this is the same name twice.",
        ),
        ({"first": "Eve Engel", "second": "x" * 61}, "Ensure this value has at most 60 characters"),
        ({"first": "anna north3", "second": "Max O’Reid"}, "anna north3 is on the list already."),
    ],
)
def test_wrong_names_of_a_late_pair_stay_with_a_sentence(browser, skip_section, pair, sentence):
    answer = decide(browser, skip_section, "late", **pair, reason="The train")

    assert answer.status_code == 422
    (said,) = alerts_on(answer)
    assert said.startswith(sentence)
    form = answer.context["pair_form"]
    assert {name: form[name].value() for name in pair} == pair
    assert 'value="The train"' in answer.content.decode()
    assert Section.objects.get(pk=skip_section.pk).shown == skip_section.shown


def test_a_reason_too_long_is_kept_with_a_sentence(browser, skip_section):
    answer = decide(browser, skip_section, "leaves", reason="x" * 201)

    assert answer.status_code == 422
    assert alerts_on(answer) == ["Ensure this value has at most 200 characters (it has 201)."]
    assert "x" * 201 in answer.content.decode()


@pytest.mark.parametrize("wish", [name for name in WISHES if name not in ("skip", "arrows")])
def test_who_browsers_on_an_old_page_is_told_and_sees_what_is_possible_now(
    browser, skip_section, alice, wish
):
    section = in_which_one_can(wish, skip_section, alice)
    movement, old = section.movement, section.plan
    faster = director_of(skip_section.club)
    section = rounds.take_back_round(section, round=section.round, by=faster)
    section = rounds.start_next_round(section, after=section.round, by=faster)

    answer = decide(browser, section, wish, plan=old, reason="The train", **LATE)

    assert answer.status_code == 409
    assert alerts_on(answer) == [
        f"{FASTER}Round {section.round}. ({faster}) Back to round {section.round - 1}. ({faster})"
    ]
    page = answer.content.decode()
    assert f'name="plan" value="{section.plan}"' in page
    assert 'value="The train"' in page
    if wish == "late":
        assert 'value="Eve Engel"' in page
    assert Section.objects.get(pk=section.pk).movement == movement


def test_a_way_that_is_not_possible_is_refused(browser, skip_section):
    answer = decide(browser, skip_section, "late", way="0123456789ab", **LATE)

    assert answer.status_code == 409
    assert alerts_on(answer) == ["This is no longer possible. These options remain."]
    assert ways_on(answer) != []


@pytest.mark.parametrize("version", ["", "x", "-1", "99999999999999999999"])
def test_a_nonsense_version_changes_nothing(browser, skip_section, version):
    answer = decide(browser, skip_section, "late", plan=version, **LATE)

    assert answer.status_code == 422
    assert alerts_on(answer) == ["The page you used was out of date. This is the current state."]
    assert Section.objects.get(pk=skip_section.pk).shown == skip_section.shown


def test_a_decision_after_the_end_is_answered_on_the_desk(browser, skip_section, alice):
    address = address_of(skip_section, "late")
    sent = {"plan": skip_section.plan, "way": ways_on(browser.get(address))[0], **LATE}
    rounds.finish_session(skip_section, round=4, by=alice)

    answer = browser.post(address, sent, follow=True)

    assert answer.redirect_chain == [(reverse("desk", args=[skip_section.code]), 302)]
    assert Section.objects.get(pk=skip_section.pk).entries.count() == 16


def test_names_are_text_whatever_is_in_them(browser, skip_section):
    pair = {"first": "<b>Eve</b> O'Hara", "second": "M" * 60}

    decide(browser, skip_section, "late", **pair)
    section = Section.objects.get(pk=skip_section.pk)

    for address, answers in (
        (reverse("desk", args=[section.code]), {}),
        (reverse("desk", args=[section.code]), {"open": "history"}),
        (address_of(section, "leaves"), {"contestant": 9}),
    ):
        page = browser.get(address, answers).content.decode()
        assert "<b>Eve" not in page
        assert "&lt;b&gt;Eve&lt;/b&gt; O&#x27;Hara" in page
        assert "M" * 60 in page


def test_a_waiting_pair_needs_no_names(browser, skip_section, alice):
    decide(browser, skip_section, "late", **LATE)
    section = Section.objects.get(pk=skip_section.pk)
    section = changes.undo_change(section, plan=section.plan, by=alice)

    page = browser.get(address_of(section, "late"))
    assert "Eve Engel & Max O’Reid" in text(page)
    assert 'name="first"' not in page.content.decode()
    answer = decide(browser, section, "late")

    assert answer.status_code == 302
    section = Section.objects.get(pk=section.pk)
    assert section.entries.filter(contestant=None).count() == 0
    assert section.entries.count() == 17


def test_of_the_boards_of_a_running_round_those_are_named_for_which_there_is_time(
    browser, club, alice
):
    section = section_with(13, "mitchell", round=1, club=club, by=alice)
    Section.objects.filter(pk=section.pk).update(
        clock_ends_at=section.clock_ends_at - 6 * (section.round_length / 21)
    )

    page = browser.get(address_of(section, "late"))

    assert titles_on(page)[0] == "The free seat, now"
    assert re.search(
        (
            "1\\d minutes are left. Table 7 has time for boards 19–20, but not for board 21. Enter "
            "board 21 as not played under Results."
        ),
        text(page),
    )


def off_on(response):
    """The ways a page says are not possible."""
    matches = re.findall(r'<div class="choice off">(.*?)</div>', response.content.decode(), re.S)
    return [re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", item)).strip() for item in matches]


def test_what_a_director_looks_for_in_vain_is_there_with_the_reason(browser, club, alice):
    full = section_with(16, "skip-mitchell", round=1, club=club, by=alice)
    half = section_with(13, "mitchell", round=1, club=club, by=alice)
    pages = [browser.get(address_of(section, "late")) for section in (full, half)]
    decide(browser, full, "late", **LATE)
    pages.append(browser.get(address_of(full, "late")))

    assert [off_on(page) for page in pages] == [
        [
            "The free seat Not possible: There is no half table.",
            "Party table Not possible: Only for a second late pair, if a pair sits out.",
        ],
        [],
        ["The free seat Not possible: There is no half table."],
    ]


def test_where_no_seat_is_left_the_search_is_offered(browser, club, alice, monkeypatch):
    section = section_with(16, "skip-mitchell", round=4, club=club, by=alice)
    monkeypatch.setattr(changes, "proposals", lambda *arguments: [])

    page = browser.get(address_of(section, "late"))

    assert ways_on(page) == []
    assert str(WISHES["late"].nothing) in text(page)
    assert f"{address_of(section, 'rebuild')}?effort=1&amp;arrives=on" in page.content.decode()


@pytest.mark.parametrize("pairs", [6, 34])
def test_a_page_costs_as_many_queries_for_few_tables_as_for_many(
    browser, club, alice, pairs, django_assert_num_queries
):
    section = section_with(pairs, "mitchell", round=1, club=club, by=alice)
    browser.get(address_of(section, "late"))

    with django_assert_num_queries(11):
        browser.get(address_of(section, "late"))
