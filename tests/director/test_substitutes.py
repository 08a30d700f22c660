"Enter a substitute: put in, put right and taken back, and everywhere by the right name."

import re

import pytest
from django.urls import reverse

from bridgebuddy.audit.models import AuditRecord
from bridgebuddy.events.models import Entry, EntryPerson, Play, Section
from bridgebuddy.events.queries.plan.evening import SessionEvening
from bridgebuddy.events.services.play import people, rounds
from tests.events.states import different, world
from tests.factories import section_with

pytestmark = pytest.mark.django_db


@pytest.fixture
def section(club, alice):
    """16 pairs, 7 rounds, the third is being played."""
    return section_with(16, "skip-mitchell", round=3, club=club, by=alice)


def words(answer):
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", answer.content.decode())).replace(
        "&#x27;", "'"
    )


def bob(section, number=1):
    """Bob's place in a pair, as the page that asks names it."""
    entry = section.entries.get(contestant=number)
    link = entry.links_in(section.shown_round)[1]
    return f"{entry.pk}-2-{link.pk}"


def put_in(browser, section, name="Zoë Neu", first=4, last="", **more):
    answers = {"who": bob(section), "substitute": name, "from_round": first, "until_round": last}
    return browser.post(reverse("substitutes", args=[section.code]), answers | more, follow=True)


def link(name="Zoë Neu"):
    return EntryPerson.objects.get(person__name=name, entry__section__round__gt=0).pk


def correct(browser, section, key, name="Zoë Neu", first=4, last=""):
    answers = {"substitute": name, "from_round": first, "until_round": last}
    return browser.post(
        reverse("correct-substitute", args=[section.code, key]), answers, follow=True
    )


def take_back(browser, section, key):
    return browser.post(reverse("end-substitute", args=[section.code, key]), follow=True)


def bobs(section):
    """Return the players at Bob's place, round by round."""
    entry = Entry.objects.get(section=section, contestant=1)
    return [entry.people_in(round)[1].name for round in range(1, 8)]


BOB, ZOE = "Bob South1", "Zoë Neu"


def test_the_desk_leads_to_it_in_two_presses(browser, section):
    desk = browser.get(reverse("desk", args=[section.code])).content.decode()
    address = reverse("substitutes", args=[section.code])
    assert f'href="{address}"' in desk

    page = browser.get(address)
    assert words(page).count("Anna North1 ") == 1
    assert 'value="3" selected>3 (now)' in page.content.decode()


def test_the_list_leads_to_it_by_the_pair_whose_people_alone_are_asked_about(browser, section):
    entry = section.entries.get(contestant=1)
    names = browser.get(reverse("edit-pair", args=[section.code, entry.pk])).content.decode()
    address = f"{reverse('substitutes', args=[section.code])}?entry={entry.pk}"
    assert f'href="{address}"' in names

    page = browser.get(address).content.decode()
    assert re.findall(r'<option value="\d+-\d-\d+"[^>]*>NS 1 +(.*?)<', page) == ["Anna North1", BOB]


def test_a_substitute_plays_from_a_round_on_and_the_log_says_so(browser, section):
    desk = put_in(browser, section, reason="ill")

    assert bobs(section) == [BOB] * 3 + [ZOE] * 4
    assert desk.redirect_chain == [(reverse("desk", args=[section.code]), 302)]
    assert "Zoë Neu plays for Bob South1 from round 4 on." in words(desk)
    assert "ill" in words(desk)


def test_a_substitute_plays_until_a_round_or_in_one_alone(browser, section):
    told = words(put_in(browser, section, last=5))
    assert bobs(section) == [BOB] * 3 + [ZOE] * 2 + [BOB] * 2
    assert "Zoë Neu plays for Bob South1 in rounds 4 to 5." in told

    told = words(put_in(browser, section, "Max Alt", first=7, last=7))
    assert bobs(section)[6] == "Max Alt"
    assert "Max Alt plays for Bob South1 from round 7 on." in told


def test_a_round_already_played_says_who_really_sat_there(browser, section):
    put_in(browser, section, first=2, last=2)

    plays = Play.objects.filter(section=section, ns__contestant=1)
    played = {
        round: set(plays.filter(round=round).values_list("south__name", flat=True))
        for round in (1, 2, 3)
    }
    assert played == {1: {BOB}, 2: {ZOE}, 3: {BOB}}


def test_a_session_that_is_over_can_still_say_who_sat_there(browser, section, alice):
    rounds.finish_session(section, round=3, by=alice)
    section.refresh_from_db()

    put_in(browser, section, first=3)

    assert bobs(section)[:3] == [BOB, BOB, ZOE]
    assert Play.objects.filter(round=3, south__name=ZOE).exists()


def test_before_the_start_a_substitute_is_for_some_rounds_too(browser, club, alice):
    section = section_with(16, "skip-mitchell", club=club, by=alice)

    put_in(browser, section, first=1, last=2)

    assert bobs(section) == [ZOE, ZOE] + [BOB] * 5


def test_without_a_movement_there_are_no_rounds_to_choose(browser, club, alice):
    section = section_with(6, club=club, by=alice)

    page = browser.get(reverse("substitutes", args=[section.code]), follow=True)

    assert page.redirect_chain == [(reverse("entries", args=[section.code]), 302)]
    assert "Choose the movement first." in words(page)


def test_rounds_are_put_right_and_what_is_not_played_goes_back(browser, section):
    put_in(browser, section, first=3)
    page = browser.get(reverse("correct-substitute", args=[section.code, link()]), follow=True)
    assert "Zoë Neu plays for Bob South1 from round 3 on." in words(page)

    desk = correct(browser, section, link(), first=4, last=6)

    assert bobs(section) == [BOB] * 3 + [ZOE] * 3 + [BOB]
    assert "Corrected: Zoë Neu plays for Bob South1 in rounds 4 to 6." in words(desk)
    assert not Play.objects.filter(south__name=ZOE).exists()


def test_another_substitute_or_a_misspelt_one_is_put_right(browser, section):
    put_in(browser, section, "Zoe Nau")

    correct(browser, section, link("Zoe Nau"), "Zoë Neu")
    assert bobs(section)[3:] == [ZOE] * 4
    assert not EntryPerson.objects.filter(person__name="Zoe Nau").exists()

    correct(browser, section, link(), "Karl Klein")
    assert bobs(section)[3:] == ["Karl Klein"] * 4


def test_a_substitute_who_was_a_mistake_is_taken_back(browser, section):
    put_in(browser, section, first=2, last=5)

    desk = take_back(browser, section, link())

    assert bobs(section) == [BOB] * 7
    assert "Bob South1 plays rounds 2 to 5 again, not Zoë Neu." in words(desk)
    actions = [record.action for record in AuditRecord.objects.filter(subject_id=section.pk)[:2]]
    assert actions == ["section.substitute_back", "section.substitute"]


def test_whoever_plays_all_rounds_for_somebody_gives_the_place_back_too(browser, section):
    put_in(browser, section, first=1)
    assert bobs(section) == [ZOE] * 7
    page = words(browser.get(reverse("substitutes", args=[section.code])))
    assert "Zoë Neu plays for Bob South1 in all rounds." in page

    take_back(browser, section, link())

    assert bobs(section) == [BOB] * 7


def test_a_correction_of_whose_place_it_is_leaves_the_substitute(browser, section, alice):
    put_in(browser, section)
    entry = section.entries.get(contestant=1)

    people.correct_names(entry, ["Anna North1", "Robert Alt"], must_stay_seated=False, by=alice)
    take_back(browser, section, link())

    assert bobs(section) == ["Robert Alt"] * 7


@pytest.mark.parametrize(
    ("answers", "sentence"),
    [
        ({"name": "Anna North9"}, "Anna North9 plays in these rounds already: Anna North9 & Bob"),
        ({"name": "anna north1"}, "Anna North1 plays in these rounds already: Anna North1 & Bob"),
        ({"name": ""}, "A name is missing."),
        ({"name": "´"}, "A name is missing."),
        ({"name": "x" * 61}, "at most 60 characters"),
        ({"first": 5, "last": 4}, "There are 7 rounds. Choose two of them, the first one first."),
        ({"first": 9}, "9 is not one of the available choices."),
        ({"who": "1-2"}, "Choose from the list."),
        ({"who": "x"}, "Choose from the list."),
        ({"who": "999999-1-1"}, "Somebody else has taken this pair off the list."),
        ({"reason": "x" * 201}, "at most 200 characters"),
    ],
)
def test_what_cannot_be_has_a_sentence_and_changes_nothing(browser, section, answers, sentence):
    before = world()

    answer = put_in(browser, section, **answers)

    assert answer.status_code == 422
    assert sentence in words(answer).replace("&amp;", "&")
    assert list(different(before, world())) == []


def test_who_plays_elsewhere_in_other_rounds_may_play_here(browser, section):
    put_in(browser, section, first=4, last=5)
    other = {"who": bob(section, 2)}

    assert "plays in these rounds already" in words(put_in(browser, section, first=5, **other))
    assert put_in(browser, section, first=6, **other).status_code == 200


def test_nobody_gets_a_place_back_who_plays_elsewhere_by_now(browser, section):
    put_in(browser, section)
    put_in(browser, section, BOB, who=bob(section, 2))
    before = world()

    told = words(take_back(browser, section, link()))
    shorter = words(correct(browser, section, link(), last=5))

    assert "Bob South1 plays in these rounds already: Anna North3 &amp; Bob South1." in told
    assert "Bob South1 plays in these rounds already" in shorter
    assert list(different(before, world())) == []


def test_of_two_directors_the_second_is_told_and_changes_nothing(browser, section, alice):
    shown = bob(section)
    entry = section.entries.get(contestant=1)
    people.add_substitute(entry, 2, "Karl Klein", from_round=5, by=alice)
    before = world()

    answer = put_in(browser, section, who=shown)

    assert answer.status_code == 422
    assert "Another director has changed the session meanwhile." in words(answer)
    assert "Karl Klein plays for Bob South1 from round 5 on." in words(answer)
    assert list(different(before, world())) == []


def test_a_second_press_does_nothing_twice(browser, section):
    shown = bob(section)
    put_in(browser, section, who=shown)
    records = AuditRecord.objects.count()

    answer = put_in(browser, section, who=shown)

    assert answer.redirect_chain == [(reverse("desk", args=[section.code]), 302)]
    assert AuditRecord.objects.count() == records


def test_what_is_no_substitute_any_more_is_told_on_the_list_of_them(browser, section):
    put_in(browser, section)
    gone = link()
    take_back(browser, section, gone)
    before = world()

    for answer in (
        browser.get(reverse("correct-substitute", args=[section.code, gone]), follow=True),
        correct(browser, section, gone),
        take_back(browser, section, gone),
    ):
        assert answer.redirect_chain == [(reverse("substitutes", args=[section.code]), 302)]
        assert "Another director has changed the session meanwhile." in words(answer)
    assert list(different(before, world())) == []


def test_another_sections_substitute_is_not_reached_through_ones_own(browser, section, carol):
    theirs = section_with(16, "skip-mitchell", round=1, club=carol.clubs.get(), by=carol)
    people.add_substitute(theirs.entries.first(), 2, "Secret Person", from_round=2, by=carol)
    before = world()

    answer = correct(browser, section, link("Secret Person"))
    take_back(browser, section, link("Secret Person"))
    put_in(browser, section, who=f"{theirs.entries.first().pk}-2-{link('Secret Person')}")

    assert "Secret Person" not in words(answer)
    assert list(different(before, world())) == []


def test_a_name_with_an_apostrophe_is_written_as_it_is(browser, section):
    desk = put_in(browser, section, "Seán  O'Neill <b>")

    assert bobs(section)[3] == "Seán O'Neill <b>"
    assert "O'Neill <b>" not in desk.content.decode()
    assert "Seán O'Neill &lt;b&gt; plays for Bob South1 from round 4 on." in words(desk)


def test_the_roster_offers_those_too_who_are_here(browser, section):
    address = reverse("suggestions", args=[section.code])

    answer = browser.get(address, {"q": "bob south1", "field": "substitute"}).content.decode()

    assert "already entered" in answer
    assert "aria-disabled" not in answer
    assert 'id="substitute-1"' in answer


# ── every page and sheet ──


def test_tiles_show_who_plays_in_their_round(browser, section, alice):
    put_in(browser, section, first=4, last=4)
    desk = words(browser.get(reverse("desk", args=[section.code])))
    assert "North1 &amp; South1" in desk or "South1" in desk
    assert not re.search(r"\bNeu\b", desk.split("What happened")[0])

    rounds.start_next_round(section, after=3, by=alice)

    assert re.search(
        r"\bNeu\b",
        words(browser.get(reverse("desk", args=[section.code]))).split("What happened")[0],
    )


def test_phones_find_the_pair_by_the_substitute_and_by_whose_place_it_is(client, browser, section):
    put_in(browser, section, first=3, last=4)
    for typed in ("zoe", "bob south1", "neu zo", "anna north1"):
        found = client.get(reverse("lookup", args=[section.code]), {"q": typed}).content.decode()
        assert 'id="pair-NS1"' in found, typed
        assert "Zoë Neu plays for Bob South1 in rounds 3 to 4." in found

    page = words(client.get(reverse("player", args=[section.code, "NS1"])))
    assert "Zoë Neu plays for Bob South1 in rounds 3 to 4." in page


def test_opponents_phones_say_who_plays_in_each_round(client, browser, section):
    put_in(browser, section, first=4)
    games = SessionEvening(Section.objects.get(pk=section.pk)).games
    against = {
        round: next(
            s.contestant
            for game in games[round]
            for s in game.opponents_of(1)
            if any(item.contestant.number == 1 for item in game.ns + game.ew)
        )
        for round in (3, 4)
    }
    for round, name in ((3, "South1"), (4, "Neu")):
        phone = client.get(reverse("player", args=[section.code, against[round].slug]))
        assert re.search(rf"\b{name}\b", words(phone)), round


def test_the_room_names_who_begins(client, browser, club, alice):
    section = section_with(16, "skip-mitchell", club=club, by=alice)

    put_in(browser, section, first=1, last=1)

    room = words(client.get(reverse("room-display", args=[section.code])))
    assert re.search(r"North1 &amp; Neu\b", room)
    assert not re.search(r"\bSouth1\b", room)


@pytest.mark.parametrize(
    "sheet", ["guide-cards", "score-cards", "table-cards", "seating", "master", "name-cards"]
)
def test_sheets_name_the_substitute(browser, section, sheet):
    put_in(browser, section, first=5, last=6)

    page = words(browser.get(reverse("print-preview", args=[section.code, sheet])))

    assert "Neu" in page
