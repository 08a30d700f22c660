"""One contestant's evening on a phone."""

import datetime
import re

import pytest
from django.utils import timezone

from bridgebuddy.clubs.models import Club, User
from bridgebuddy.events.models import Entry, EntryPerson, Section
from bridgebuddy.events.queries.plan.evening import SessionEvening
from bridgebuddy.events.queries.plan.evening_plan import SectionPlan
from bridgebuddy.events.services.play import people, rounds
from bridgebuddy.events.services.setup import entries, movement
from bridgebuddy.players.phones.page import PlayerPage
from movements.engine.declarations import Exemption
from movements.engine.model import Field, Movement, Seating
from movements.services import store_movement
from tests.factories import PersonFactory, begun, section_with

from .reading import HTMX, player, words

pytestmark = pytest.mark.django_db


def page_of(section: Section, label: str) -> PlayerPage:
    number = section.movement.without_seatings.contestant(label)
    return PlayerPage(section, SectionPlan(SessionEvening(section, only=number)), number)


def play(section: Section, played: Movement, boards: int, size: int = 1) -> Section:
    """Let a section play any movement, each contestant so many people; a team is four."""
    size = played.contest.people if played.contest.has_halves else size
    section.movement = store_movement(played, boards_per_round=boards)
    section.boards_per_round, section.contest = boards, played.contest
    section.save()
    for number in played.contestants:
        entry = Entry.objects.create(section=section, position=number, contestant=number)
        for place in range(1, size + 1):
            EntryPerson.objects.create(
                entry=entry,
                section=section,
                person=PersonFactory(club=section.club, name=f"P{number}.{place} Player{number}"),
                position=place,
            )
    return begun(section, 1)


def test_now_next_and_the_whole_evening(client, skip_section):
    page = words(player(client, skip_section, "EW1"))

    assert page.index("EW 1 North2 & South2") == page.index("EW 1")
    assert "Round 4 of 7 until" in page
    assert (
        "Table 4 East-West Boards 19–21 against NS 4 North7 & South7 "
        "Then Table 6 East-West Boards 4–6 against NS 6 North11 & South11 The whole session" in page
    )
    assert "1 1 EW 1–3 NS 1 North1 & South1" in page
    assert "7 8 EW 16–18 NS 8 North15 & South15" in page


def test_rounds_are_over_here_or_to_come(skip_section):
    states = [stop.state for stop in page_of(skip_section, "NS1").planned_rounds]

    assert states == ["done", "done", "done", "here", "", "", ""]


@pytest.mark.parametrize("label", ["ew1", "EW 1", "ew%201", "Ew1"])
def test_the_label_is_read_however_it_is_written(client, skip_section, label):
    answer = client.get(f"/p/{skip_section.code.lower()}/{label}/")

    assert answer.status_code == 200
    assert "EW 1 North2 & South2" in words(answer)


@pytest.mark.parametrize("label", ["EW9", "9", "x", "NS0", "<b>"])
def test_who_is_not_in_the_session_is_told_so_and_finds_the_list(client, skip_section, label):
    page = player(client, skip_section, label)

    assert page.status_code == 404
    assert f"There is no {label} in this session. Look for your names below." in words(page)
    assert "NS 1 Anna North1 Bob South1" in words(page)


def test_before_the_movement_is_chosen_nobody_has_a_table(client, club, alice):
    section = section_with(6, club=club, by=alice)

    assert "The director is still entering the pairs" in words(player(client, section, "NS1"))


def test_before_the_start_the_same_card_says_when(client, club, alice):
    section = section_with(16, "skip-mitchell", club=club, by=alice)

    page = words(player(client, section, "NS1"))

    assert "Round 1 starts 19:00 Table 1 North-South Boards 1–3 against EW 1" in page
    assert "Then Table 1 North-South Boards 4–6 against EW 8" in page


def test_a_sit_out_says_where_and_when_the_pair_is_back(client, club, alice):
    section = section_with(15, "skip-mitchell", round=2, club=club, by=alice)
    ends = timezone.make_aware(datetime.datetime(2026, 11, 24, 20, 12))
    Section.objects.filter(pk=section.pk).update(clock_ends_at=ends)

    page = words(player(client, section, "NS1"))

    assert "Round 2 of 7 until 20:12 You sit out this round" in page
    assert "Back at table 1 in round 3, about 20:12." in page
    assert "2 you sit out 3 1 NS" in page


def test_a_sit_out_before_the_start_counts_from_the_hour_it_begins(club, alice):
    section = section_with(15, "skip-mitchell", club=club, by=alice)

    back = page_of(section, "NS8").next_played_start

    assert timezone.localtime(back).strftime("%H:%M") == "19:21"  # 3 boards of 7 minutes


def test_with_a_stopped_clock_nobody_knows_when(client, club, alice):
    section = section_with(15, "skip-mitchell", round=2, club=club, by=alice)
    rounds.pause_clock(section, by=alice)

    page = words(player(client, section, "NS1"))

    assert "clock stopped" in page
    assert "Back at table 1 in round 3." in page


def test_who_sits_out_last_has_played_everything(client, club, alice):
    section = section_with(15, "skip-mitchell", round=7, club=club, by=alice)

    page = words(player(client, section, "NS7"))

    assert "You have played all your boards." in page
    assert "This is the last round." in page


def test_a_sit_out_that_comes_next_is_announced(client, club, alice):
    section = section_with(15, "skip-mitchell", round=1, club=club, by=alice)

    assert "Then You sit out" in words(player(client, section, "NS1"))


def test_a_missing_north_south_pair_makes_east_west_sit_out(client, club, alice):
    section = section_with(15, "skip-mitchell", round=1, club=club, by=alice, missing_line="ns")

    assert "You sit out this round Back at table 1 in round 2" in words(
        player(client, section, "EW8")
    )


def test_sharing_is_said_where_it_happens(client, club, alice):
    section = section_with(16, "share-and-relay", round=1, club=club, by=alice)

    assert "You share the boards with table 8." in words(player(client, section, "NS1"))
    assert "share" not in words(player(client, section, "NS2"))


def test_after_the_end_the_phone_thanks_and_stops_asking(client, skip_section, alice):
    rounds.finish_session(skip_section, round=4, by=alice)

    page = player(client, skip_section, "NS1")

    assert "The session is over Thank you for playing with us tonight." in words(page)
    assert "The whole session" in words(page)
    assert "hx-trigger" not in page.content.decode()


def test_one_winner_pairs_have_plain_numbers(client, club):
    section = section_with(0, club=club)
    pairs = Movement(
        family="howell",
        contest="pairs",
        tables=2,
        rounds=3,
        fields=(Field("pairs", ("1", "2", "3", "4")),),
        sets=("A", "B", "C"),
        seatings=(
            Seating(1, 1, 4, 1, ("A",)),
            Seating(1, 2, 2, 3, ("A",)),
            Seating(2, 1, 4, 2, ("B",)),
            Seating(2, 2, 3, 1, ("B",)),
            Seating(3, 1, 4, 3, ("C",)),
            Seating(3, 2, 1, 2, ("C",)),
        ),
        copies=2,
    )
    play(section, pairs, boards=4, size=2)

    page = words(player(client, section, "1"))

    assert "1 P1.1 & P1.2 Player1" in page
    assert "Table 1 East-West Boards 1–4 against 4 P4.1 & P4.2 Player4" in page
    assert "Then Table 2 East-West Boards 5–8 against 3 P3.1 & P3.2 Player3" in page


def test_a_single_player_sees_partner_and_both_opponents(client, club):
    section = section_with(0, club=club)
    singles = Movement(
        family="rainbow",
        contest="individual",
        tables=1,
        rounds=3,
        fields=(Field("players", ("1", "2", "3", "4")),),
        sets=("A", "B", "C"),
        seatings=(
            Seating(1, 1, (4, 1), (2, 3), ("A",)),
            Seating(2, 1, (4, 2), (3, 1), ("B",)),
            Seating(3, 1, (4, 3), (1, 2), ("C",)),
        ),
        exemptions=(Exemption("meet-once", 3, "four players have nobody else"),),
    )
    play(section, singles, boards=2)

    page = words(player(client, section, "1"))

    assert (
        "Table 1 South Boards 1–2 with 4 P4.1 Player4 "
        "against 2 P2.1 Player2 and 3 P3.1 Player3" in page
    )
    assert "Then Table 1 West Boards 3–4 with 3 P3.1 Player3 against 4 P4.1" in page


def test_a_round_in_halves_shows_both(client, club):
    section = section_with(0, club=club)
    halves = Movement(
        family="scissors-howell",
        contest="pairs",
        tables=1,
        rounds=1,
        fields=(Field("pairs", ("1", "2")),),
        sets=("A", "B"),
        seatings=(Seating(1, 1, 1, 2, ("A",)), Seating(1, 1, 2, 1, ("B",))),
    )
    play(section, halves, boards=4, size=2)

    page = words(player(client, section, "1"))

    assert re.search(
        r"First half of the round Table 1 North-South Boards 1–2 against 2 .*"
        r"Second half of the round Table 1 North-South Boards 3–4 "
        r"Turn the boards: you hold the cards of East-West. against 2 ",
        page,
    )


def test_the_page_goes_with_the_people_when_seats_are_exchanged(client, club, alice):
    section = section_with(16, "skip-mitchell", club=club, by=alice)
    address = f"/p/{section.code}/NS3/"
    entry = section.entries.get(contestant=3).pk
    assert f"entry={entry}" in client.get(address).content.decode()

    movement.swap_seats(section, 3, 13, by=alice)
    poll = client.get(address, {"v": section.shown, "entry": entry}, headers=HTMX)
    plain = client.get(address, {"entry": entry})

    assert poll.headers["HX-Redirect"] == plain.headers["Location"] == f"/p/{section.code}/EW5/"
    assert "North10" in words(client.get(address))  # without the people it is the seat's page


def test_who_has_withdrawn_is_sent_to_the_list(client, club, alice):
    section = section_with(16, "skip-mitchell", club=club, by=alice)
    address, entry = f"/p/{section.code}/NS3/", section.entries.get(contestant=3)

    entries.withdraw_pair(entry, by=alice)
    poll = client.get(address, {"v": 1, "entry": entry.pk}, headers=HTMX)

    assert poll.headers["HX-Redirect"] == f"/p/{section.code}/"


def test_a_label_that_is_gone_sends_the_phone_to_the_list(client, skip_section):
    poll = client.get(f"/p/{skip_section.code}/NS9/", {"v": 1}, headers=HTMX)

    assert poll.headers["HX-Redirect"] == f"/p/{skip_section.code}/"


def test_a_substitute_shows_at_the_next_poll(client, skip_section, alice):
    entry = skip_section.entries.get(contestant=1)
    people.correct_names(entry, ["Anna North1", "Zoë Neu"], must_stay_seated=False, by=alice)

    poll = client.get(
        f"/p/{skip_section.code}/NS1/", {"v": skip_section.shown, "entry": entry.pk}, headers=HTMX
    )

    assert words(poll).startswith("NS 1 North1 & Neu Round 4")


def test_an_unchanged_poll_is_one_query_and_sets_nothing(
    client, skip_section, django_assert_num_queries
):
    player(client, skip_section, "NS1")

    with django_assert_num_queries(1):
        answer = player(client, skip_section, "NS1", v=skip_section.shown)

    assert (answer.status_code, answer.content, answer.cookies.output()) == (204, b"", "")
    assert answer.headers["Cache-Control"] == "private, no-cache"


def test_an_unchanged_poll_of_somebody_signed_in_is_one_query_too(
    signed_in, alice, skip_section, django_assert_num_queries
):
    client = signed_in(alice)
    player(client, skip_section, "NS1")

    with django_assert_num_queries(1):
        assert player(client, skip_section, "NS1", v=skip_section.shown).status_code == 204


def test_a_changed_poll_brings_card_and_list_apart(client, skip_section, alice):
    rounds.start_next_round(skip_section, after=4, by=alice)

    answer = client.get(
        f"/p/{skip_section.code}/EW1/", {"v": skip_section.shown}, headers=HTMX
    ).content.decode()

    assert "Round 5 <small>of 7</small>" in answer
    assert re.findall(r'id="(\w+)"', answer) == ["me", "notice", "now", "live"]
    assert '<div id="now" aria-live="polite" aria-atomic="true" hx-swap-oob="innerHTML">' in answer
    assert f"?v={skip_section.shown + 1}&amp;entry=" in answer


@pytest.mark.parametrize("pairs", [6, 60])
def test_thirty_tables_cost_a_section_s_first_phone_no_more_than_three(
    client, pairs, django_assert_num_queries
):
    section = section_with(pairs, "mitchell" if pairs == 6 else "skip-mitchell", round=1)
    player(client, section, "NS1")
    section.touch()

    # section, entries, people, plays, the rows to come, movements, reminders, phones
    with django_assert_num_queries(8):
        player(client, section, "NS1")


@pytest.mark.parametrize("sections", [1, 3])
def test_a_section_s_second_phone_costs_two_queries(
    client, club, alice, sections, django_assert_num_queries
):
    first, *others = together(club, alice, sections)
    for section in (first, *others):
        player(client, section, "NS1")

    for section in (first, *others):
        with django_assert_num_queries(2):  # the section, and what phones may do
            assert player(client, section, "NS2").status_code == 200


def together(club: Club, by: User, count: int) -> list[Section]:
    """Sections of one session that are being played."""
    first = section_with(6, "mitchell", round=1, club=club, by=by)
    others = [section_with(6, "mitchell", round=1, club=club, by=by) for _ in range(count - 1)]
    for name, section in zip("BC", others, strict=False):
        section.session, section.name = first.session, name
        section.save()
    return [first, *others]
