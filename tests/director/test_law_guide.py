"""The guide to rulings in the browser: from the desk to the wording, and to the correction."""

import re

import pytest
from django.urls import reverse

from bridgebuddy.clubs.roles import Role
from bridgebuddy.director.law_guide.addresses import GuideAddresses
from bridgebuddy.director.results.corrections.suggested_ruling import suggested_ruling
from bridgebuddy.rulings.guide import FinalStep, steps_of_subject
from bridgebuddy.rulings.subjects import SUBJECTS
from bridgebuddy.scoring.models import Result
from bridgebuddy.scoring.services.results import enter_result
from tests.factories import director_of, member_of, section_with
from tests.scoring.test_doubts import usual

pytestmark = pytest.mark.django_db
LINK = re.compile(r'href="([^"]+)"')


@pytest.fixture
def section():
    return section_with(14, "mitchell", round=2)


@pytest.fixture
def browser(client, section):
    client.force_login(director_of(section.club))
    return client


def page_text(browser, page, *arguments, **query):
    answer = browser.get(reverse(page, args=arguments), query, follow=True)

    assert answer.status_code == 200
    return answer.content.decode()


def links(page):
    return [link.replace("&amp;", "&") for link in LINK.findall(page)]


def play_at(section, table, *, round, nth=0):
    return section.plays.filter(table=table, round=round).order_by("board")[nth]


def adjusted(section, subject="lead", step="opening-leave-helped"):
    return ("guide-law-board", section.code, subject, step)


def test_the_desk_leads_to_the_guide_in_one_press(browser, section):
    address = reverse("guide-laws", args=[section.code])

    assert address in links(page_text(browser, "desk", section.code))
    assert f"{address}?table=3" in links(page_text(browser, "desk", section.code, table=3))


def test_the_start_has_twelve_subjects_and_says_that_it_is_no_law(browser, section):
    page = page_text(browser, "guide-laws", section.code)

    firsts = [
        reverse("guide-law", args=[section.code, subject.name, subject.first.name])
        for subject in SUBJECTS
    ]
    assert [link for link in links(page) if link in firsts] == firsts
    assert "not the Laws themselves" in page


def test_a_step_has_a_page_with_its_answers_and_a_way_back(client):
    """Walk the first subject, and of each other one its first and its last step: one template shows all."""
    for subject in SUBJECTS:
        every = list(steps_of_subject(subject))
        for place in every if subject is SUBJECTS[0] else (every[0], every[-1]):
            page = page_text(client, "help-law", subject.name, place.step.name)
            before = place.previous_step
            back = (
                reverse("help-law", args=[subject.name, before.name])
                if before
                else reverse("help-laws")
            )
            onward = [
                reverse("help-law", args=[subject.name, following.way[-1][1].then.name])
                for following in steps_of_subject(subject)
                if following.previous_step is place.step
            ]

            assert back in links(page), place.step.name
            assert [link for link in links(page) if link in onward] == onward, place.step.name


def test_unknown_steps_are_not_found(browser, section):
    for subject, step in (("lead", "unknown"), ("unknown", "who"), ("call", "who")):
        assert browser.get(reverse("help-law", args=[subject, step])).status_code == 404
        address = reverse("guide-law", args=[section.code, subject, step])
        assert browser.get(address).status_code == 404


def test_the_table_stays_known_from_the_start_to_the_boards(browser, section):
    start = page_text(browser, "guide-laws", section.code, table=3)
    page = page_text(browser, "guide-law", section.code, "lead", "opening-leave-helped", table=3)

    first = reverse("guide-law", args=[section.code, "lead", "who"])
    assert f"{first}?table=3" in links(start)
    assert f"{reverse(adjusted(section)[0], args=adjusted(section)[1:])}?table=3" in links(page)


def test_the_guide_of_the_help_knows_no_table(rf, section):
    request = rf.get("/", {"table": "3"})

    assert GuideAddresses.of_request(request, section).table == 3
    assert GuideAddresses.of_request(request, None).table == 0


def test_an_end_in_play_leads_back_to_the_desk_and_asks_for_damage(browser, section):
    page = page_text(browser, "guide-law", section.code, "lead", "opening-leave")

    later = reverse("guide-law", args=[section.code, "lead", "opening-leave-helped"])
    assert "Play on" in page
    assert later in links(page)
    assert reverse("desk", args=[section.code]) in links(page)


def test_boards_in_play_are_not_offered_for_an_adjusted_score(browser, section):
    none = page_text(browser, *adjusted(section))
    play = play_at(section, 3, round=2)
    enter_result(section, play.pk, usual(play.board), by=None)
    some = page_text(browser, *adjusted(section))

    assert "Play on" in none
    assert not any("/results/line/" in link for link in links(none))
    assert some.count("Still in play") == section.plays.filter(round=2).count() - 1


def test_a_board_with_a_result_opens_the_correction_with_the_ruling_filled_in(browser, section):
    play = play_at(section, 3, round=2)
    enter_result(section, play.pk, usual(play.board), by=None)

    page = page_text(browser, *adjusted(section))
    (correction,) = [link for link in links(page) if "/results/line/" in link]
    form = browser.get(correction).context["form"]

    assert correction.startswith(reverse("results-line", args=[section.code, play.pk]))
    assert form["kind"].value() == "weighted"
    assert form["reason"].value() == "Lead out of turn, Law 50E3, 12C1(b)"


def test_averages_are_filled_in_and_stored_by_one_press(browser, section):
    page = page_text(
        browser, "guide-law-board", section.code, "slow", "no-time-fault-ns", table=3, round=2
    )
    correction = next(link for link in links(page) if "/results/line/" in link)
    asked = browser.get(correction)
    form = asked.context["form"]
    sent = {name: form[name].value() or "" for name in form.fields if name != "outside"}
    sent |= {"after": 0, "shown": asked.context["shown"], "do": "give"}
    given = browser.post(correction, sent)

    assert [form[name].value() for name in ("kind", "award_ns", "award_ew")] == [
        "average",
        "AVE-",
        "AVE+",
    ]
    assert given.status_code == 302
    stored = Result.objects.get()
    assert stored.outcome == {"artificial": {"ns": "AVE-", "ew": "AVE+"}}
    assert stored.reason == "Slow play, Law 82B2, 12C2(a)"
    assert stored.play == play_at(section, 3, round=2)


def test_a_postponed_board_is_to_be_played_later(browser, section):
    page = page_text(browser, "guide-law-board", section.code, "unfinished", "not-begun-yes")
    form = browser.get(next(link for link in links(page) if "/results/line/" in link)).context[
        "form"
    ]

    assert (form["kind"].value(), form["why_not"].value()) == ("not_played", "later")


def test_tricks_after_a_revoke_open_the_result_and_no_ruling(browser, section):
    play = play_at(section, 1, round=2)
    enter_result(section, play.pk, usual(play.board), by=None)

    page = page_text(browser, "guide-law-board", section.code, "revoke", "two")

    corrections = [link for link in links(page) if "/results/line/" in link]
    assert corrections == [reverse("results-line", args=[section.code, play.pk])]
    assert browser.get(corrections[0]).context["page_of"].is_ruling is False


def test_the_boards_of_an_earlier_round_are_one_press_away(browser, section):
    play = play_at(section, 3, round=1)
    enter_result(section, play.pk, usual(play.board), by=None)

    now = page_text(browser, *adjusted(section), table=3)
    before = page_text(browser, *adjusted(section), table=3, round=1)

    assert "?round=1&table=3" in links(now)
    assert not any("/results/line/" in link for link in links(now))
    assert any(f"/results/line/{play.pk}/" in link for link in links(before))


def test_one_board_of_one_table_opens_at_once(client):
    section = section_with(14, "mitchell", round=1, boards_per_round=1)
    client.force_login(director_of(section.club))
    play = play_at(section, 2, round=1)
    address = reverse(adjusted(section)[0], args=adjusted(section)[1:])

    still = client.get(address, {"table": 2})
    enter_result(section, play.pk, usual(play.board), by=None)
    at_once = client.get(address, {"table": 2})
    without_table = client.get(address)

    assert still.status_code == without_table.status_code == 200
    assert at_once.status_code == 302
    assert at_once["Location"].startswith(reverse("results-line", args=[section.code, play.pk]))


def test_only_ends_with_a_ruling_ask_for_a_board(browser, section):
    for step in ("who", "opening-leave", "misled"):
        page, *arguments = adjusted(section, step=step)
        assert browser.get(reverse(page, args=arguments)).status_code == 404


def test_every_ruling_of_the_guide_is_taken_by_the_correction(browser, section):
    play = play_at(section, 3, round=2)
    enter_result(section, play.pk, usual(play.board), by=None)
    kinds = set()
    for subject in SUBJECTS:
        for place in steps_of_subject(subject):
            end = place.step
            if not isinstance(end, FinalStep) or not end.award or end.award in kinds:
                continue
            kinds.add(end.award)
            page = page_text(browser, "guide-law-board", section.code, subject.name, end.name)
            address = next(link for link in links(page) if f"/line/{play.pk}/" in link)
            form = browser.get(address).context["form"]

            if end.award.kind != "result":
                assert form["kind"].value() == end.award.kind
                assert len(form["reason"].value()) <= 200

    assert len(kinds) == 8


def test_a_suggested_ruling_takes_known_values_only():
    good = {"kind": "average", "award_ns": "AVE+", "award_ew": "AVE-", "reason": " why\0 "}
    bad = {"kind": "gift", "award_ns": "100", "why_not": "rain", "reason": "because"}

    assert suggested_ruling(good) == {**good, "reason": "why"}
    assert suggested_ruling(bad) == {}
    assert suggested_ruling({**good, "reason": "x" * 300})["reason"] == "x" * 200


def test_a_helper_uses_the_guide_and_another_club_does_not(client, section):
    helper = member_of(section.club, Role.HELPER)
    other = section_with(8, "howell", round=1)
    client.force_login(helper)

    for page, *arguments in (("guide-laws", section.code), adjusted(section)):
        assert client.get(reverse(page, args=arguments)).status_code == 200
        assert client.get(reverse(page, args=[other.code, *arguments[1:]])).status_code == 404


def test_the_second_section_offers_its_own_boards_only(browser, section):
    other = section_with(14, "mitchell", round=1, club=section.club)
    play = play_at(other, 3, round=1)
    enter_result(other, play.pk, usual(play.board), by=None)

    assert not any(
        "/results/line/" in link for link in links(page_text(browser, *adjusted(section)))
    )


def test_the_paper_has_every_end_and_one_subject_alone(client):
    whole = page_text(client, "help-laws-print")
    alone = page_text(client, "help-laws-print", only="revoke")

    assert all(str(subject.title) in whole for subject in SUBJECTS)
    assert "Two tricks go to the opponents" in alone
    assert "The lead stands" not in alone


@pytest.mark.parametrize(
    ("typed", "subject", "language"),
    [
        ("revoke", "revoke", "en"),
        ("hesitation", "hesitation", "en"),
        ("lead out of turn", "lead", "en"),
        ("ausspiel falsche", "lead", "de"),
        ("unzureichendes gebot", "bid", "de"),
    ],
)
def test_the_search_of_the_help_finds_subjects(client, typed, subject, language):
    page = client.get(
        reverse("help"), {"q": typed}, headers={"accept-language": language}
    ).content.decode()

    assert any(f"/help/laws/{subject}/" in link for link in links(page))


def test_german_names_laws_by_paragraph(client):
    address = reverse("help-law", args=["lead", "opening-leave"])
    page = client.get(address, headers={"accept-language": "de"}).content.decode()

    assert "§§\N{NO-BREAK SPACE}54D, 50B" in page
    assert "„Die Karte bleibt offen auf dem Tisch liegen.“" in page
    assert "Law" not in page.split("<main", 1)[1]
