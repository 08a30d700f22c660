"""Several sections of one session: divided, started together, by one clock, and never mixed."""

from datetime import timedelta

import pytest
from django.db import connection
from django.db.models import F
from django.utils import timezone

from bridgebuddy.audit.models import AuditRecord
from bridgebuddy.events import errors
from bridgebuddy.events.models import EntryPerson, Play, Section
from bridgebuddy.events.queries.sessions.sections import session_version
from bridgebuddy.events.services.play import changes, people, rounds
from bridgebuddy.events.services.play.changes import change_options
from bridgebuddy.events.services.setup import entries, movement, sections, switches
from movements.engine.changes import PairArrives
from movements.models import StoredMovement
from movements.switches.choices import switch_choices
from tests.events.states import bystanders, different, world
from tests.factories import section_with

pytestmark = pytest.mark.django_db


def keys(section):
    return list(section.entries.order_by("pk").values_list("pk", flat=True))


def divided(pairs, *, by, club, family=None, sizes=None, same_deals=True):
    """Return a session whose list is divided by number: sections of these sizes, or two halves."""
    section = section_with(pairs, club=club, by=by)
    everybody, parts = keys(section), []
    for size in sizes or (pairs - pairs // 2, pairs // 2):
        parts.append(everybody[:size])
        everybody = everybody[size:]
    found = sections.divide_entries(section, parts, same_deals=same_deals, by=by)
    for item in found if family else ():
        movement.choose_movement(item, family, boards_per_round=3, by=by)
    return [now(entry) for entry in found]


@pytest.fixture
def halves(club, alice):
    """Twelve pairs in two sections of six, each with a Mitchell of three rounds."""
    return divided(12, family="mitchell", club=club, by=alice)


def now(section):
    return Section.objects.get(pk=section.pk)


def boards(section):
    found = now(section).movement.numbers.values()
    return min(number[0] for number in found), max(number[-1] for number in found)


# ── dividing ──


def test_a_list_is_divided_and_nobody_is_lost_or_twice(club, alice):
    section = section_with(14, club=club, by=alice)
    everybody = keys(section)

    first, second = sections.divide_entries(
        section, [everybody[1::2], everybody[::2]], same_deals=True, by=alice
    )

    assert (first.pk, first.name, second.name) == (section.pk, "A", "B")
    assert (keys(first), keys(second)) == (everybody[1::2], everybody[::2])
    assert [entry.position for entry in second.entries.all()] == [1, 2, 3, 4, 5, 6, 7]
    links = EntryPerson.objects.filter(section=second)
    assert {link.entry_id for link in links} == set(everybody[::2])


def test_every_section_plays_the_movement_that_was_chosen_for_all(club, alice):
    section = section_with(18, "mitchell", club=club, by=alice)
    everybody = keys(section)

    sections.divide_entries(
        section, [everybody[:6], everybody[6:12], everybody[12:]], same_deals=True, by=alice
    )
    halves = list(Section.objects.filter(session=section.session))

    assert [half.movement.family for half in halves] == 3 * ["mitchell"]
    assert [half.movement.tables for half in halves] == [3, 3, 3]
    for item in halves:
        assert sorted(item.entries.values_list("contestant", flat=True)) == [1, 2, 3, 4, 5, 6]
        assert item.boards_per_round == 3


def test_a_pair_moves_while_nothing_is_played_and_both_sections_fit_again(halves, alice):
    first, second = halves
    one, other = keys(first), keys(second)
    movement.choose_movement(second, "howell", boards_per_round=3, by=alice)

    sections.divide_entries(first, [one[:-1], [one[-1], *other]], same_deals=True, by=alice)

    assert (len(keys(first)), len(keys(second))) == (5, 7)
    assert (now(first).movement.tables, now(second).movement.tables) == (3, 4)
    assert None not in now(second).entries.values_list("contestant", flat=True)


def test_what_is_in_one_section_again_leaves_no_other_and_no_movement_behind(halves, alice):
    first, second = halves

    sections.divide_entries(second, [keys(first) + keys(second)], same_deals=True, by=alice)

    assert list(Section.objects.filter(session=first.session)) == [first]
    assert now(first).letter == ""
    assert len(keys(first)) == 12
    assert StoredMovement.objects.count() == (now(first).movement is not None)


@pytest.mark.parametrize("playing", [0, 1])
def test_nothing_is_divided_once_a_section_plays(halves, alice, playing):
    rounds.start_next_round(halves[playing], after=0, by=alice)
    before = world()

    with pytest.raises(errors.AlreadyStarted) as refused:
        sections.divide_entries(
            halves[0], [keys(halves[0]) + keys(halves[1])], same_deals=True, by=alice
        )

    assert refused.value.fields == {"section": halves[playing].name}
    assert list(different(before, world())) == []


def test_a_session_of_one_section_that_plays_names_none(club, alice):
    section = section_with(6, "mitchell", round=1, club=club, by=alice)

    with pytest.raises(errors.AlreadyStarted) as refused:
        sections.divide_entries(section, [keys(section)], same_deals=True, by=alice)

    assert refused.value.fields == {}


def test_a_section_into_which_nobody_is_put_goes(halves, alice):
    first, second = halves
    everybody = keys(first) + keys(second)

    (left,) = sections.divide_entries(first, [everybody, [], []], same_deals=True, by=alice)

    assert sorted(keys(left)) == sorted(everybody)
    assert not Section.objects.filter(pk=second.pk).exists()


def test_a_list_that_is_another_by_now_is_not_divided(halves, alice):
    first, second = halves
    old = [keys(first), keys(second)]
    entries.withdraw_pair(second.entries.first(), by=alice)
    before = world()

    for parts in (old, [keys(first)], [[*keys(first), keys(first)[0]], keys(second)]):
        with pytest.raises(errors.SectionChanged):
            sections.divide_entries(first, parts, same_deals=True, by=alice)

    assert list(different(before, world())) == []


def test_an_entry_of_another_session_is_not_taken(halves, club, alice):
    other = section_with(0, club=club, by=alice)
    entries.add_pairs(other, [("Eve Adams", "Max Late")], by=alice)

    with pytest.raises(errors.SectionChanged):
        sections.divide_entries(
            halves[0],
            [keys(halves[0]), [*keys(halves[1])[1:], keys(other)[0]]],
            same_deals=True,
            by=alice,
        )


def test_dividing_counts_and_records_in_every_section_and_touches_nobody_else(club, alice):
    bystanders(club, alice)
    section = section_with(12, "howell", club=club, by=alice)
    everybody, before = keys(section), world()

    first, second = sections.divide_entries(
        section, [everybody[:6], everybody[6:]], same_deals=True, by=alice
    )

    ours = {first.pk, second.pk}
    for model, was, row in different(before, world()):
        owner = (row or was).get("section_id", (row or was)["id"])
        assert model in ("StoredMovement", "SeatingRow", "AuditRecord", "Session") or owner in ours
    assert now(first).plan == section.plan + 1
    told = AuditRecord.objects.filter(action="section.divide").order_by("subject_id")
    assert [(record.subject_id, record.by, record.facts["entries"]) for record in told] == [
        (first.pk, alice, 6),
        (second.pk, alice, 6),
    ]


def test_starts_that_were_taken_back_do_not_keep_a_pair_in_its_section(halves, alice):
    first, second = halves
    rounds.start_next_round(first, after=0, by=alice)
    rounds.take_back_round(first, round=1, by=alice)
    one, other = keys(first), keys(second)

    sections.divide_entries(first, [other, one], same_deals=True, by=alice)

    assert keys(second) == one
    assert not Play.objects.filter(section=first).exists()
    rounds.start_rounds(first, {"A": 0, "B": 0}, by=alice)
    assert Play.objects.filter(section=second).exists()


@pytest.mark.parametrize("seat", ["ns", "ns2", "ew", "ew2"])
def test_starts_that_were_taken_back_do_not_keep_a_single_player_in_their_section(
    club, alice, seat
):
    section = section_with(16, "individual", round=1, club=club, by=alice, contest="individual")
    section = rounds.take_back_round(section, round=1, by=alice)
    who = section.plays.values_list(seat, flat=True).first()
    others = [key for key in keys(section) if key != who]

    _, second = sections.divide_entries(section, [others, [who]], same_deals=True, by=alice)

    assert keys(second) == [who]
    assert not section.plays.filter(**{seat: who}).exists()


def test_somebody_who_plays_in_one_section_is_not_entered_in_another(halves, alice):
    first, second = halves
    name = first.entries.first().players[0].name

    with pytest.raises(errors.PersonTwice) as refused:
        entries.add_pairs(second, [(name, "Eve Adams")], by=alice)

    assert refused.value.fields == {"name": name, "pair": 0, "there": "A"}


def test_who_has_gone_home_from_one_section_is_entered_in_another_unless_they_came_back(
    halves, alice
):
    first, second = halves
    gone, back = first.entries.order_by("pk")[:2]
    first.entries.filter(pk__in=[gone.pk, back.pk]).update(left_after=1)
    first.entries.filter(pk=back.pk).update(back_in=2)

    with pytest.raises(errors.PersonTwice):
        entries.add_pairs(second, [(back.players[0].name, "Eve Adams")], by=alice)
    entries.add_pairs(second, [(gone.players[0].name, "Eve Adams")], by=alice)

    assert len(keys(second)) == 7


def test_who_has_played_for_somebody_in_one_section_is_entered_in_another(halves, alice):
    first, second = halves
    place = first.entries.first()
    people.add_substitute(place, 1, "Ida Stein", from_round=1, until_round=2, by=alice)

    with pytest.raises(errors.PersonTwice):
        entries.add_pairs(second, [("Ida Stein", "Eve Adams")], by=alice)
    Section.objects.filter(pk=first.pk).update(round=3)
    entries.add_pairs(second, [("Ida Stein", "Eve Adams")], by=alice)

    assert len(keys(second)) == 7


# ── playing as another section does ──


def test_a_section_plays_as_another_does(club, alice):
    first, second = divided(12, club=club, by=alice)
    movement.choose_movement(first, "howell", boards_per_round=2, by=alice)

    sections.copy_section_movement(second, first, by=alice)

    assert (now(second).movement.family, now(second).boards_per_round) == ("howell", 2)
    assert AuditRecord.objects.filter(subject_id=second.pk).first().action == "section.movement"


def test_a_section_that_plays_as_another_has_its_break_too(club, alice):
    first, second = divided(12, by=alice, club=club)
    movement.choose_movement(first, "howell", boards_per_round=2, wants_break=True, by=alice)

    sections.copy_section_movement(second, first, by=alice)

    (one, other) = (now(first), now(second))
    assert one.break_after
    assert (other.break_after, other.break_minutes) == (one.break_after, one.break_minutes)


def test_what_so_many_cannot_play_is_not_played_as_another_does(club, alice):
    first, second = divided(18, sizes=(10, 8), club=club, by=alice)
    movement.choose_movement(first, "mitchell", boards_per_round=3, by=alice)
    before = world()

    with pytest.raises(errors.NotSeated):
        sections.copy_section_movement(second, first, by=alice)

    assert list(different(before, world())) == []


def test_what_another_session_plays_is_not_asked(halves, club, alice):
    elsewhere = section_with(6, "howell", club=club, by=alice)

    with pytest.raises(errors.SectionChanged):
        sections.copy_section_movement(halves[1], elsewhere, by=alice)


def test_a_section_that_plays_is_left_as_it_is(halves, alice):
    rounds.start_next_round(halves[1], after=0, by=alice)

    with pytest.raises(errors.AlreadyStarted):
        sections.copy_section_movement(halves[1], halves[0], by=alice)


# ── one press ──


def test_one_press_starts_the_next_round_of_several_sections(halves, alice):
    rounds.start_rounds(halves[1], {"A": 0, "B": 0}, by=alice)

    assert [now(half).round for half in halves] == [1, 1]
    for item in halves:
        assert Play.objects.filter(section=item, round=1).count() == 9
    told = AuditRecord.objects.filter(action="section.next_round")
    assert {record.subject_id for record in told} == {half.pk for half in halves}


def test_sections_that_are_not_named_stay_as_they_are(halves, alice):
    before = now(halves[0])

    rounds.start_rounds(halves[0], {"B": 0}, by=alice)

    assert now(halves[0]).shown == before.shown
    assert [now(half).round for half in halves] == [0, 1]


@pytest.mark.parametrize(
    ("after", "refusal"),
    [
        ({"A": 0, "B": 0}, (errors.RoundMovedOn, "B")),
        ({"A": 1, "B": 1}, (errors.RoundMovedOn, "A")),
        ({"A": 0, "C": 0}, (errors.SectionChanged, "C")),
    ],
)
def test_one_that_is_refused_starts_none_and_is_named(halves, alice, after, refusal):
    rounds.start_next_round(halves[1], after=0, by=alice)
    before = world()

    with pytest.raises(errors.ChangeRefused) as refused:
        rounds.start_rounds(halves[0], after, by=alice)

    assert (type(refused.value), refused.value.fields["section"]) == refusal
    assert list(different(before, world())) == []


def test_a_section_without_a_movement_holds_the_press_back(club, alice):
    first, _ = divided(12, club=club, by=alice)
    movement.choose_movement(first, "mitchell", boards_per_round=3, by=alice)

    with pytest.raises(errors.NotSeated) as refused:
        rounds.start_rounds(first, {"A": 0, "B": 0}, by=alice)

    assert refused.value.fields == {"section": "B"}
    assert now(first).round == 0


def test_sections_are_locked_in_the_order_of_their_keys(halves, alice):
    asked = []

    def note(execute, sql, params, many, context):
        asked.append(sql)
        return execute(sql, params, many, context)

    with connection.execute_wrapper(note):
        rounds.start_rounds(halves[1], {"B": 0, "A": 0}, by=alice)

    first = next(sql for sql in asked if not sql.startswith("SAVEPOINT"))
    assert 'ORDER BY "events_section"."id" ASC' in first


# ── clocks ──


def test_each_section_has_a_clock_of_its_own(halves, alice):
    rounds.start_rounds(halves[0], {"A": 0, "B": 0}, by=alice)

    rounds.pause_clock(halves[0], by=alice)

    assert [now(half).is_clock_paused for half in halves] == [True, False]


def test_one_clock_is_paused_and_runs_on_for_all_that_play(halves, alice):
    rounds.set_clocks(halves[0], common=True, by=alice)
    rounds.start_rounds(halves[0], {"A": 0, "B": 0}, by=alice)

    rounds.pause_clock(halves[1], by=alice)
    assert [now(half).is_clock_paused for half in halves] == [True, True]
    left = now(halves[0]).clock_left
    rounds.add_minute(halves[0], by=alice)
    assert now(halves[1]).clock_left - left == pytest.approx(
        timedelta(minutes=1), abs=timedelta(seconds=30)
    )
    rounds.resume_clock(halves[0], by=alice)
    assert [now(half).is_clock_paused for half in halves] == [False, False]


def test_by_one_clock_a_round_takes_what_the_longest_takes(club, alice):
    first, second = divided(12, club=club, by=alice)
    movement.choose_movement(first, "mitchell", boards_per_round=2, by=alice)
    movement.choose_movement(second, "mitchell", boards_per_round=4, by=alice)
    assert now(first).round_length == timedelta(minutes=14)

    rounds.set_clocks(first, common=True, by=alice)

    assert now(first).round_length == now(second).round_length == timedelta(minutes=28)


def test_clocks_that_become_one_end_with_the_last(halves, alice):
    rounds.start_rounds(halves[0], {"A": 0, "B": 0}, by=alice)
    late = timezone.now() + timedelta(hours=1)
    Section.objects.filter(pk=halves[1].pk).update(clock_ends_at=late)

    rounds.set_clocks(halves[0], common=True, by=alice)

    assert [now(half).clock_ends_at for half in halves] == [late, late]


def test_a_break_by_one_clock_is_everybodys(halves, alice):
    rounds.set_clocks(halves[0], common=True, by=alice)

    rounds.set_break(halves[0], after_round=2, minutes=10, by=alice)

    assert [(now(half).break_after, now(half).break_minutes) for half in halves] == [
        (2, 10),
        (2, 10),
    ]


@pytest.fixture
def four(club, alice):
    """Return sections with one clock: one in round 2, one in round 1, one that has ended, and one without a movement."""
    parts = divided(24, family="mitchell", sizes=(6, 6, 6, 6), club=club, by=alice)
    Section.objects.filter(pk=parts[3].pk).update(movement=None)
    rounds.set_clocks(parts[0], common=True, by=alice)
    for item, played in zip(parts, (2, 1, 1), strict=False):
        for after in range(played):
            rounds.start_next_round(item, after=after, by=alice)
    rounds.finish_session(parts[2], round=1, by=alice)
    return parts


@pytest.mark.parametrize(
    ("pressed", "after", "planned"),
    [
        (1, 1, [None, 1, None, 1]),
        (1, 2, [2, 2, None, 2]),
        (0, 2, [2, 2, None, 2]),
        (0, None, [None, None, None, None]),
    ],
)
def test_a_break_is_planned_where_its_round_is_not_over(four, alice, pressed, after, planned):
    for record in four:
        Section.objects.filter(pk=record.pk).update(break_after=None, break_minutes=0)
    before = [now(item).shown for item in four]

    rounds.set_break(four[pressed], after_round=after, minutes=10, by=alice)

    assert [now(item).break_after for item in four] == planned
    assert [now(item).break_minutes for item in four] == [10 if item else 0 for item in planned]
    concerned = [True, after != 1, False, True] if pressed == 0 else [after != 1, True, False, True]
    assert [now(item).shown - was for item, was in zip(four, before, strict=True)] == [
        int(is_concerned) for is_concerned in concerned
    ]


def test_one_clock_is_that_of_the_sections_that_play(four, alice):
    over, not_begun = [now(item) for item in four[2:]]

    for press in (rounds.pause_clock, rounds.add_minute, rounds.resume_clock, rounds.add_minute):
        press(four[0], by=alice)

    for old in (over, not_begun):
        new = now(old)
        assert (new.shown, new.clock_ends_at, new.clock_left) == (
            old.shown,
            old.clock_ends_at,
            old.clock_left,
        )
    with pytest.raises(errors.NotRunning):
        rounds.pause_clock(four[2], by=alice)


def test_a_section_that_is_over_makes_no_round_longer(four, alice):
    rounds.set_clocks(four[0], common=False, by=alice)
    late = timezone.now() + timedelta(hours=1)
    Section.objects.filter(pk=four[2].pk).update(clock_ends_at=late)
    ends = now(four[0]).clock_ends_at, now(four[1]).clock_ends_at

    rounds.set_clocks(four[1], common=True, by=alice)

    assert [now(item).clock_ends_at for item in four] == [max(ends), max(ends), late, None]


def test_a_break_by_clocks_of_their_own_is_the_sections(halves, alice):
    rounds.set_break(halves[0], after_round=2, minutes=10, by=alice)

    assert [now(half).break_after for half in halves] == [2, None]


# ── deals ──


def test_sections_play_the_same_deals_unless_they_are_to_play_others(halves):
    assert [boards(half) for half in halves] == [(1, 9), (1, 9)]


def test_different_deals_go_on_in_the_next_section(club, alice):
    parts = divided(18, family="mitchell", sizes=(6, 6, 6), same_deals=False, club=club, by=alice)

    assert [boards(item) for item in parts] == [(1, 9), (10, 18), (19, 27)]
    for element in parts:
        assert sorted(element.entries.values_list("contestant", flat=True)) == [1, 2, 3, 4, 5, 6]


def test_different_deals_follow_when_the_section_before_plays_others(club, alice):
    parts = divided(18, family="mitchell", sizes=(6, 6, 6), same_deals=False, club=club, by=alice)
    plans = [now(item).plan for item in parts]

    movement.choose_movement(now(parts[0]), "howell", boards_per_round=2, by=alice)

    assert [boards(item) for item in parts] == [(1, 10), (11, 19), (20, 28)]
    assert all(now(item).plan > plan for item, plan in zip(parts, plans, strict=True))


def test_a_section_in_which_boards_are_turned_is_numbered_anew_with_them(club, alice):
    first, second = divided(20, family="mitchell", same_deals=False, club=club, by=alice)
    one_field = switch_choices(second.movement)[1]
    switches.switch_arrows(second, one_field, of=second.movement_id, by=alice)
    turned = now(second).movement.movement.seatings

    movement.choose_movement(first, "mitchell", boards_per_round=2, by=alice)

    second = now(second)
    assert boards(second) == (11, 25)
    assert second.unswitched.numbers == second.movement.numbers
    assert second.movement.movement.seatings == turned != second.unswitched.movement.seatings


def test_deals_become_the_same_again(club, alice):
    first, second = divided(12, family="mitchell", same_deals=False, club=club, by=alice)
    assert boards(second) == (10, 18)

    sections.divide_entries(first, [keys(first), keys(second)], same_deals=True, by=alice)

    assert boards(second) == (1, 9)


def test_a_section_that_plays_keeps_its_boards_and_others_take_none_of_them(club, alice):
    first, second = divided(12, family="mitchell", same_deals=False, club=club, by=alice)
    rounds.start_next_round(second, after=0, by=alice)

    movement.choose_movement(now(first), "howell", boards_per_round=2, by=alice)

    assert (boards(first), boards(second)) == ((19, 28), (10, 18))


def test_boards_that_a_live_change_adds_are_nobody_elses(club, alice):
    first, _ = divided(12, family="mitchell", same_deals=False, club=club, by=alice)
    rounds.start_rounds(first, {"A": 0, "B": 0}, by=alice)
    elsewhere = set(range(10, 19))

    for way in change_options(now(first), PairArrives()):
        used = {board for numbers in way.numbers.values() for board in numbers}
        assert not used & elsewhere, way.proposal.kind


def test_a_live_change_in_one_section_is_no_other_sections(halves, alice):
    first, second = halves
    rounds.start_rounds(first, {"A": 0, "B": 0}, by=alice)
    other, way = now(second), change_options(now(first), PairArrives())[0]

    changes.take_proposal(
        now(first),
        way,
        PairArrives(),
        plan=now(first).plan,
        by=alice,
        newcomer=changes.ArrivingEntry(names=("Eve Late", "Max Late")),
    )

    assert (now(second).plan, now(second).shown) == (other.plan, other.shown)


# ── letters ──


def test_a_section_has_a_letter_where_there_are_others(halves, club, alice):
    alone = section_with(6, club=club, by=alice)

    assert [half.letter for half in (*halves, alone)] == ["A", "B", ""]


# ── what pages poll with ──


@pytest.mark.parametrize("counter", ["shown", "results"])
def test_a_page_of_several_sections_is_another_when_any_of_them_counts(halves, counter):
    first, second = halves
    seen = [session_version(first.code, results=True)]
    for section in (first, second):
        Section.objects.filter(pk=section.pk).update(**{counter: F(counter) + 1})
        seen.append(session_version(first.code, results=True))

    assert len(set(seen)) == 3
    assert session_version(first.code) == f"{now(first).shown}.{now(second).shown}"
