"""The pages of several sections: dividing the list, the tabs, one press for all."""

import re
from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from bridgebuddy.clubs.models import Person
from bridgebuddy.director.entries.dividing import proposed_count, section_sizes
from bridgebuddy.events.models import Section
from bridgebuddy.events.services.play import rounds
from bridgebuddy.events.services.setup import entries, movement
from bridgebuddy.events.services.setup import sections as service
from bridgebuddy.scoring.services.results import enter_result
from movements.engine.contest import Contest
from tests.director.reading import text
from tests.events.states import different, world
from tests.factories import section_with
from tests.table_phones.tapping import Phone, with_phones

pytestmark = pytest.mark.django_db

HTMX = {"HX-Request": "true"}


def keys(section):
    return list(section.entries.order_by("pk").values_list("pk", flat=True))


def in_two(club, by, pairs=12, family="mitchell"):
    section = section_with(pairs, club=club, by=by)
    everybody = keys(section)
    half = pairs // 2
    service.divide_entries(section, [everybody[:half], everybody[half:]], same_deals=True, by=by)
    for item in Section.objects.filter(session=section.session) if family else ():
        movement.choose_movement(item, family, boards_per_round=3, by=by)
    return list(Section.objects.filter(session=section.session).order_by("pk"))


@pytest.fixture
def halves(club, alice):
    """Twelve pairs in two sections of six, each with a Mitchell of three rounds."""
    return in_two(club, alice)


def text_of(answer):
    return " ".join(re.sub(r"<[^>]+>", " ", answer.content.decode()).split())


def sent_by(page):
    """Return the data of the form on a page about the pairs' sections."""
    return {
        f"in-{member.entry.pk}": part.letter
        for part in page.context["dividing"].parts
        for member in part.members
    }


# ── dividing ──


@pytest.mark.parametrize(
    ("contest", "entries", "count"),
    [
        *((Contest.PAIRS, pairs, 1) for pairs in (5, 27, 32)),
        *((Contest.PAIRS, 34, 2), (Contest.PAIRS, 54, 3), (Contest.PAIRS, 120, 5)),
        *((Contest.TEAMS, 30, 1), (Contest.INDIVIDUAL, 80, 2)),
    ],
)
def test_sections_are_proposed_where_there_are_too_many_tables_for_one(contest, entries, count):
    assert proposed_count(Contest(contest), entries) == count


@pytest.mark.parametrize("count", [1, 2, 3, 4, 5])
@pytest.mark.parametrize("pairs", range(25, 61))
def test_at_most_one_table_of_all_sections_is_half(pairs, count):
    sizes = section_sizes(Contest.PAIRS, pairs, count)

    assert sum(sizes) == pairs
    assert max(sizes) - min(sizes) <= 3
    assert [size % 2 for size in sizes] == [*(0 for _ in sizes[1:]), pairs % 2]


def test_the_entries_propose_sections_to_many_and_offer_them_to_some(club, alice, browser):
    for pairs, says in ((40, "2 sections are better"), (12, "Divide into sections")):
        section = section_with(pairs, club=club, by=alice)
        assert says in text_of(browser.get(reverse("entries", args=[section.code])))
    few = section_with(6, club=club, by=alice)
    assert "sections" not in text_of(browser.get(reverse("entries", args=[few.code])))


def test_a_list_is_divided_as_the_page_shows_it(club, alice, browser):
    section = section_with(54, club=club, by=alice)
    address = reverse("divide", args=[section.code])

    page = browser.get(address)
    assert "54 pairs: 3 sections of 9 tables" in text_of(page)
    answer = browser.post(
        address, {"sections": 3, "how": "number", "deals": "different", **sent_by(page)}
    )

    found = list(Section.objects.filter(session=section.session).order_by("pk"))
    assert answer.headers["Location"] == reverse("all-sections", args=[section.code])
    assert [(section.name, section.entries.count()) for section in found] == [
        ("A", 18),
        ("B", 18),
        ("C", 18),
    ]
    assert not found[0].session.same_deals


def test_by_strength_the_strongest_play_in_the_first_section(club, alice, browser):
    section = section_with(12, club=club, by=alice)
    for strength, entry in enumerate(section.entries.order_by("pk")):
        Person.objects.filter(pk__in=[player.pk for player in entry.players]).update(
            strength=strength
        )

    page = browser.get(
        reverse("divide", args=[section.code]), {"sections": 2, "how": "strength", "deals": "same"}
    )

    numbers = [
        [member.number for member in part.members] for part in page.context["dividing"].parts
    ]
    assert numbers == [[7, 8, 9, 10, 11, 12], [1, 2, 3, 4, 5, 6]]


def test_without_strengths_it_is_by_number_and_says_so(club, alice, browser):
    section = section_with(12, club=club, by=alice)

    page = browser.get(reverse("divide", args=[section.code]), {"sections": 2, "how": "strength"})

    assert "No strengths are known yet" in text_of(page)


def test_a_pair_is_moved_by_hand(halves, browser):
    address = reverse("divide", args=[halves[1].code])
    page = browser.get(address)
    moved = keys(halves[0])[2]
    sent = sent_by(page) | {f"in-{moved}": "B"}

    shown = browser.get(
        address, {"sections": 2, "how": "hand", "deals": "same", **sent}, headers=HTMX
    )
    browser.post(address, {"sections": 2, "how": "hand", "deals": "same", **sent})

    assert 'class="moved"' in shown.content.decode()
    assert moved in keys(halves[1])
    assert (len(keys(halves[0])), len(keys(halves[1]))) == (5, 7)


def test_one_section_again(halves, browser):
    everybody = keys(halves[0]) + keys(halves[1])

    answer = browser.post(
        reverse("divide", args=[halves[1].code]),
        {"sections": 1, "how": "number", "deals": "same", **{f"in-{k}": "A" for k in everybody}},
    )

    assert answer.headers["Location"] == reverse("entries", args=[halves[0].code])
    assert Section.objects.filter(session=halves[0].session).count() == 1


def test_a_list_that_was_changed_meanwhile_is_shown_anew_and_not_divided(club, alice, browser):
    section = section_with(12, club=club, by=alice)
    address = reverse("divide", args=[section.code])
    sent = sent_by(browser.get(address))
    entries.add_pairs(section, [("Eve Adams", "Max Late")], by=alice)

    answer = browser.post(address, {"sections": 2, "how": "number", "deals": "same", **sent})

    assert answer.status_code == 409
    assert "Another director has changed the session meanwhile" in text_of(answer)
    assert "Adams" in text_of(answer)
    assert Section.objects.filter(session=section.session).count() == 1


def test_nothing_is_divided_once_a_round_is_played(halves, alice, browser):
    rounds.start_next_round(halves[1], after=0, by=alice)
    address = reverse("divide", args=[halves[0].code])
    before = world()

    page = browser.get(address, follow=True)
    browser.post(
        address,
        {"sections": 1, "how": "hand", "deals": "same"}
        | {f"in-{key}": "A" for key in keys(halves[0]) + keys(halves[1])},
    )

    assert "The session has begun" in text_of(page)
    assert list(different(before, world())) == []


@pytest.mark.parametrize(
    "sent",
    [
        {"sections": "x"},
        {"sections": 7, "how": "hand"},
        {"how": "magic"},
        {"sections": 2, "in-1": "Ä", "in-": "A", "in-99999999999999999999": "B"},
    ],
)
def test_rubbish_divides_nothing(halves, browser, sent):
    address = reverse("divide", args=[halves[0].code])
    before = world()

    assert browser.get(address, sent).status_code in (200, 422)
    assert browser.post(address, {"how": "hand", "deals": "same", **sent}).status_code < 500

    assert list(different(before, world())) == []


# ── all sections, and the tabs ──


def test_with_one_section_no_page_speaks_of_sections(club, alice, browser):
    section = section_with(9, "mitchell", round=1, club=club, by=alice)

    for name in ("entries", "desk", "print", "choose-movement"):
        page = browser.get(reverse(name, args=[section.code])).content.decode()
        assert "sectabs" not in page, name
        assert "css/sections.css" not in page, name
    answer = browser.get(reverse("all-sections", args=[section.code]))
    assert answer.headers["Location"] == reverse("desk", args=[section.code])


def test_desk_and_all_sections_say_the_change_in_the_middle_of_the_round_that_is_played(
    club, alice, browser
):
    section = section_with(18, club=club, by=alice)
    keys = [*section.entries.order_by("position").values_list("pk", flat=True)]
    for half in service.divide_entries(section, [keys[:9], keys[9:]], same_deals=True, by=alice):
        movement.choose_movement(half, "two-way-rover", boards_per_round=4, by=alice)
        half = rounds.start_next_round(half, after=0, by=alice)
        half = rounds.start_next_round(half, after=1, by=alice)

    for name in ("desk", "all-sections"):
        page = text(browser.get(reverse(name, args=[half.code])))
        assert "In the middle of round 2: 4 takes the place of 9, 9 that of 5. 5 sits out." in page
        assert "In the middle of round 3" not in page


def test_every_page_leads_to_the_same_page_of_the_other_sections(halves, browser):
    for name in ("entries", "desk", "print", "choose-movement"):
        page = browser.get(reverse(name, args=[halves[0].code])).content.decode()
        assert f'href="{reverse(name, args=[halves[1].code])}"' in page, name


def test_the_press_names_its_sections_and_starts_them(halves, browser):
    address = reverse("all-sections", args=[halves[0].code])
    assert "Start round 1 in A and B" in text_of(browser.get(address))

    answer = browser.post(
        reverse("start-rounds", args=[halves[1].code]), {"after-A": 0, "after-B": 0, "at": "all"}
    )

    assert answer.headers["Location"] == reverse("all-sections", args=[halves[1].code])
    assert [Section.objects.get(pk=half.pk).round for half in halves] == [1, 1]


def test_one_over_time_is_left_out_until_it_is_ticked(club, alice, browser):
    found = in_two(club, alice)
    rounds.start_rounds(found[0], {"A": 0, "B": 0}, by=alice)
    ended = timezone.now() - timedelta(minutes=2)
    Section.objects.filter(pk=found[1].pk).update(clock_ends_at=ended)
    address = reverse("all-sections", args=[found[0].code])

    page = text_of(browser.get(address))
    assert "B over time: not included" in page
    assert "Start round 2 in A and B" not in page
    ticked = browser.get(address, {"ticks": 1, "start": ["A", "B"]}, headers=HTMX)
    assert "Start round 2 in A and B" in text_of(ticked)


def test_what_is_ticked_is_what_is_named(halves, browser):
    page = browser.get(
        reverse("all-sections", args=[halves[0].code]), {"ticks": 1, "start": "B"}, headers=HTMX
    )

    assert text_of(page).count("Start round 1 in B") == 2  # the press, and the one of its row
    nothing = browser.get(
        reverse("all-sections", args=[halves[0].code]), {"ticks": 1}, headers=HTMX
    )
    assert "btn primary" not in nothing.content.decode()


def test_a_press_that_comes_too_late_says_for_which_section_and_starts_none(halves, alice, browser):
    rounds.start_next_round(halves[1], after=0, by=alice)
    before = world()

    answer = browser.post(
        reverse("start-rounds", args=[halves[0].code]),
        {"after-A": 0, "after-B": 0, "at": "desk"},
        headers=HTMX,
    )

    assert "Section B: Another director was faster: round 1 has already begun." in text_of(answer)
    assert list(different(before, world())) == []


def test_the_desk_of_a_section_starts_all_or_only_its_own(halves, browser):
    page = text_of(browser.get(reverse("desk", args=[halves[0].code])))
    assert "Start round 1 in A and B" in page
    assert "Only in A" in page

    browser.post(reverse("next-round", args=[halves[0].code]), {"after": 0})

    assert [Section.objects.get(pk=half.pk).round for half in halves] == [1, 0]
    page = text_of(browser.get(reverse("desk", args=[halves[0].code])))
    assert "Start round 2 in A" in page


def test_the_desk_hears_of_the_other_sections(halves, alice, browser):
    address = reverse("desk", args=[halves[0].code])
    version = browser.get(address).context["version"]
    assert browser.get(address, {"v": version}, headers=HTMX).status_code == 204

    rounds.start_next_round(halves[1], after=0, by=alice)

    answer = browser.get(address, {"v": version}, headers=HTMX)
    assert answer.status_code == 200
    assert "hx-swap-oob" in answer.content.decode()


def test_the_page_of_all_sections_is_polled(halves, alice, browser):
    address = reverse("all-sections", args=[halves[0].code])
    version = browser.get(address).context["version"]
    assert browser.get(address, {"v": version}, headers=HTMX).status_code == 204

    rounds.start_next_round(halves[1], after=0, by=alice)

    assert "Round 1 of 3" in text_of(browser.get(address, {"v": version}, headers=HTMX))


def test_a_section_without_a_movement_plays_as_another_one(club, alice, browser):
    first, second = in_two(club, alice, family=None)
    movement.choose_movement(first, "howell", boards_per_round=2, by=alice)
    page = text_of(browser.get(reverse("all-sections", args=[second.code])))
    assert "as in A" in page

    browser.post(reverse("play-as", args=[second.code]), {"as": "A"})

    assert Section.objects.get(pk=second.pk).movement.family == "howell"


def test_one_press_gives_all_sections_the_movement_that_one_has(club, alice, browser):
    found = in_two(club, alice, family=None)
    address = reverse("choose-movement", args=[found[0].code])

    answer = browser.post(address, {"family": "howell", "line": "ew"})
    page = browser.get(answer.headers["Location"])
    assert "Same movement as in A for B" in text_of(page)
    browser.post(reverse("play-as", args=[found[0].code]), {"all": 1})

    assert [Section.objects.get(pk=record.pk).movement.family for record in found] == ["howell"] * 2
    assert "Start round 1 in A and B" in text_of(browser.get(answer.headers["Location"]))


def test_where_one_section_cannot_play_it_none_does_and_it_is_said_which(club, alice, browser):
    section = section_with(15, club=club, by=alice)
    everybody = keys(section)
    parts = [everybody[:6], everybody[6:12], everybody[12:]]
    found = service.divide_entries(section, parts, same_deals=True, by=alice)
    movement.choose_movement(found[0], "mitchell", boards_per_round=3, by=alice)
    before = world()

    answer = browser.post(reverse("play-as", args=[found[0].code]), {"all": 1}, follow=True)

    assert "Section C: " in text_of(answer)
    assert list(different(before, world())) == []


def in_their_last_round(found, by):
    for after in range(3):
        rounds.start_rounds(found[0], {row.name: after for row in found}, by=by)
    return [Section.objects.get(pk=record.pk) for record in found]


@pytest.mark.parametrize("at", ["all", "desk"])
def test_one_press_ends_all_sections_in_their_last_round(halves, alice, browser, at):
    halves = in_their_last_round(halves, alice)
    page = "all-sections" if at == "all" else "desk"
    shown = browser.get(reverse(page, args=[halves[0].code]))
    assert "Finish sections A and B" in text_of(shown)

    sent = {"after-A": 3, "after-B": 3, "at": at, "do": "finish"}
    answer = browser.post(reverse("start-rounds", args=[halves[0].code]), sent, headers=HTMX)

    assert answer.status_code == 200
    assert [Section.objects.get(pk=half.pk).is_finished for half in halves] == [True, True]


@pytest.mark.parametrize("headers", [HTMX, {}])
def test_the_end_of_all_sections_leads_to_the_ranking(halves, alice, browser, headers):
    halves = in_their_last_round(halves, alice)
    play = halves[1].plays.exclude(ns=None).exclude(ew=None).first()
    enter_result(halves[1], play.pk, {"passed": True}, by=alice)

    sent = {"after-A": 3, "after-B": 3, "at": "desk", "do": "finish"}
    answer = browser.post(reverse("start-rounds", args=[halves[0].code]), sent, headers=headers)

    address = answer.headers.get("HX-Redirect") or answer.headers["Location"]
    assert address == reverse("ranking", args=[halves[0].code])
    assert [Section.objects.get(pk=half.pk).is_finished for half in halves] == [True, True]


def test_no_section_is_ended_where_one_has_a_round_to_come(halves, alice, browser):
    rounds.start_rounds(halves[0], {"A": 0, "B": 0}, by=alice)
    rounds.start_rounds(halves[0], {"A": 1}, by=alice)
    rounds.start_rounds(halves[0], {"A": 2}, by=alice)
    before = world()

    sent = {"after-A": 3, "after-B": 1, "do": "finish"}
    answer = browser.post(reverse("start-rounds", args=[halves[0].code]), sent, headers=HTMX)

    assert "Finish sections" not in text_of(answer)
    assert "Section B: " in text_of(answer)
    assert list(different(before, world())) == []
    assert "Finish section A" in text_of(browser.get(reverse("desk", args=[halves[0].code])))


def test_sections_play_by_one_clock(halves, browser):
    browser.post(reverse("section-clocks", args=[halves[1].code]), {"clocks": "one"})

    assert Section.objects.get(pk=halves[0].pk).session.common_clock


def test_of_other_clubs_sections_nothing_is_shown_or_changed(halves, carol, signed_in):
    browser = signed_in(carol)
    before = world()

    for name, sent in (
        ("divide", {"sections": 1, "how": "hand", "deals": "same"}),
        ("start-rounds", {"after-A": 0}),
        ("section-clocks", {"clocks": "one"}),
        ("play-as", {"as": "A"}),
    ):
        answer = browser.post(reverse(name, args=[halves[0].code]), sent)
        assert answer.status_code == 404, name
    for name in ("divide", "all-sections"):
        assert browser.get(reverse(name, args=[halves[0].code])).status_code == 404

    assert list(different(before, world())) == []


def test_a_press_cannot_start_what_another_session_plays(halves, club, alice, browser):
    other = section_with(6, "mitchell", club=club, by=alice)

    browser.post(reverse("start-rounds", args=[halves[0].code]), {"after-C": 0, "after-A": 0})

    assert Section.objects.get(pk=other.pk).round == 0
    assert [Section.objects.get(pk=half.pk).round for half in halves] == [1, 0]


# ── a late pair ──


@pytest.fixture
def uneven(club, alice):
    """Six pairs in A, seven in B, where a table is half; round 1 is played in both."""
    section = section_with(13, club=club, by=alice)
    everybody = keys(section)
    parts = [everybody[:6], everybody[6:]]
    for entry in service.divide_entries(section, parts, same_deals=True, by=alice):
        family = "mitchell" if entry.name == "A" else "howell"
        movement.choose_movement(entry, family, boards_per_round=3, by=alice)
    rounds.start_rounds(section, {"A": 0, "B": 0}, by=alice)
    return list(Section.objects.filter(session=section.session).order_by("pk"))


def late_page(browser, section):
    return browser.get(reverse("change", args=[section.code, "late"]))


def seated_in(section, page, way, names=("Eve Late", "Max Late")):
    plans = dict(re.findall(r'name="(plan[^"]*)" value="(\d+)"', page.content.decode()))
    return {**plans, "way": way, "first": names[0], "second": names[1]}


def ways_on(page):
    return re.findall(r'name="way"\s+id="[^"]+"\s+value="([^"]+)"', page.content.decode())


def test_a_late_pair_is_offered_the_better_section_first(uneven, browser):
    page = late_page(browser, uneven[0])

    assert "Best option first, over all sections:" in text_of(page)
    best, *others = ways_on(page)
    assert best.startswith(uneven[1].code)
    assert any("-" not in way for way in others)
    assert "Not possible: There is no half table." in text_of(page)


def test_a_late_pair_sits_down_in_the_better_section(uneven, browser):
    first, second = uneven
    page = late_page(browser, first)
    best = ways_on(page)[0]

    answer = browser.post(
        reverse("change", args=[first.code, "late"]), seated_in(first, page, best)
    )

    assert answer.headers["Location"] == reverse("desk", args=[second.code])
    assert (first.entries.count(), second.entries.count()) == (6, 8)
    assert Section.objects.get(pk=first.pk).plan == first.plan
    assert second.entries.order_by("pk").last().names == "Eve Late & Max Late"


def test_a_late_pair_may_still_sit_in_the_section_that_was_asked(uneven, browser):
    first, second = uneven
    page = late_page(browser, first)
    own = next(way for way in ways_on(page) if "-" not in way)

    browser.post(reverse("change", args=[first.code, "late"]), seated_in(first, page, own))

    assert (first.entries.count(), second.entries.count()) == (7, 7)


def test_a_section_that_has_changed_meanwhile_takes_nobody_by_an_old_page(uneven, alice, browser):
    first, second = uneven
    page = late_page(browser, first)
    rounds.start_next_round(second, after=1, by=alice)

    answer = browser.post(
        reverse("change", args=[first.code, "late"]), seated_in(first, page, ways_on(page)[0])
    )

    assert answer.status_code == 409
    assert second.entries.count() == 7


def test_somebody_who_plays_in_one_section_is_not_seated_late_in_another(uneven, browser):
    first, second = uneven
    page = late_page(browser, first)
    there = first.entries.first().players[0].name

    answer = browser.post(
        reverse("change", args=[first.code, "late"]),
        seated_in(first, page, ways_on(page)[0], (there, "Max Late")),
    )

    assert f"{there} plays in section A already." in text_of(answer)
    assert second.entries.count() == 7


def test_a_way_in_another_clubs_section_is_not_found(uneven, club, alice, carol, browser):
    theirs = section_with(7, "howell", round=1, club=carol.clubs.get(), by=carol)
    page = late_page(browser, uneven[0])
    key = ways_on(page)[-1].rpartition("-")[2]
    sent = seated_in(uneven[0], page, f"{theirs.code}-{key}") | {f"plan-{theirs.code}": theirs.plan}
    before = world()

    answer = browser.post(reverse("change", args=[uneven[0].code, "late"]), sent)

    assert answer.status_code == 404
    assert list(different(before, world())) == []


# ── home ──


def test_home_shows_a_session_once_whatever_its_sections(uneven, browser):
    page = text_of(browser.get(reverse("home")))

    assert page.count("Round 1 of 3. All sections") == 1


def test_by_one_clock_it_is_said_that_all_rounds_take_as_long_as_the_longest(
    browser, club, alice, halves
):
    address = reverse("all-sections", args=[halves[0].code])
    alike = text_of(browser.get(address))
    movement.choose_movement(halves[1], "mitchell", boards_per_round=4, by=alice)

    apart = text_of(browser.get(address))
    rounds.set_clocks(halves[0], common=True, by=alice)
    together = text_of(browser.get(address))

    assert "minutes, as long as" not in alike
    assert "By one clock every round would take 28 minutes, as long as in the section" in apart
    assert "Every round takes 28 minutes, as long as in the section with most boards." in together


def test_a_section_that_is_over_ends_no_session_in_which_others_play(
    browser, client, alice, halves
):
    first = with_phones(halves[0])
    for after in range(3):
        rounds.start_rounds(first, {half.name: after for half in halves}, by=alice)
    address = reverse("desk", args=[first.code])
    before = text_of(browser.get(address))
    rounds.finish_session(Section.objects.get(pk=first.pk), round=3, by=alice)

    desk = text_of(browser.get(address))
    phone = text_of(client.get(reverse("player", args=[first.code, "NS1"])))
    table = Phone(Section.objects.get(pk=first.pk), 1).text
    display = text_of(client.get(reverse("room-display", args=[first.code])))

    assert "Finish sections A and B" in before
    assert "Only section A" in before
    assert "Section A is over. Thank you for playing." in desk
    assert "the end of section A" in desk
    assert [page for page in (desk, phone, table, display) if "he session is over" in page] == []
    assert "Section A is over" in phone
    assert "Section A is over" in table
    assert "Section A is over" in display
