"""Evenings prepared while people arrive: their contents, and a start exactly as shown."""

import pytest
from django.urls import reverse

from bridgebuddy.events.errors import RoundMovedOn
from bridgebuddy.events.models import Section, Session
from bridgebuddy.events.services.play import rounds
from bridgebuddy.events.services.setup import entries, movement
from bridgebuddy.events.services.setup.entries import withdraw_pair
from bridgebuddy.jobs.services import run_next_job
from bridgebuddy.planning import prepared_starts, starting
from bridgebuddy.planning.charts import store_chart_line
from bridgebuddy.planning.models import Equipment
from bridgebuddy.planning.rules.chart import ChartLine, MovementChoice
from bridgebuddy.planning.rules.preparing import StartInput, choice_for
from bridgebuddy.registration.attendance import Attendance
from bridgebuddy.registration.errors import PreparationOutdated
from bridgebuddy.registration.preparation_requests import request_preparation
from bridgebuddy.registration.registering import (
    note_typed_names,
    record_absence,
    record_arrivals,
    record_delay,
    register_pair,
    seek_partner,
    switch_registration,
)
from movements.engine.adviser import Wishes
from tests.factories import PersonFactory, section_to_enter

pytestmark = pytest.mark.django_db


@pytest.fixture
def section(club, alice):
    return section_to_enter(club, alice)


@pytest.fixture
def pairs(club, section, alice):
    """Fifteen pairs that come, as two people each."""
    found = []
    for number in range(1, 16):
        two = [PersonFactory(club=club, name=f"{text} Pair{number}") for text in ("Ann", "Ben")]
        register_pair(section.session, *two, by=alice)
        found.append(two)
    return found


def now(section):
    """Return the present section, the job's prepared evenings, and the current input."""
    while run_next_job():
        pass
    section = Section.objects.get(pk=section.pk)
    kept, wanted = prepared_starts.last_prepared(section), prepared_starts.PreparationInput(section)
    return section, kept, wanted


def seated(section):
    """The pairs that have a seat, by their numbers; and who waits."""
    found = {entry.contestant: entry.names for entry in section.entries.all() if entry.contestant}
    return found, [entry.names for entry in section.entries.all() if entry.contestant is None]


def names(*pairs):
    return [f"{row.name} & {other.name}" for row, other in pairs]


def test_thirteen_are_here_and_two_late_four_evenings_are_prepared(section, pairs, alice):
    for two in pairs[:13]:
        record_arrivals(section.session, two)

    section, kept, wanted = now(section)

    assert kept.inputs_digest == wanted.inputs_digest
    assert [(evening.pair_count, evening.late) for evening in kept.evenings] == [
        (13, 0),
        (14, 1),
        (14, 1),
        (15, 2),
    ]
    assert all(evening.is_possible for evening in kept.evenings)


def test_it_starts_with_one_press_and_the_late_ones_wait_for_a_seat(section, pairs, alice):
    for two in pairs[:13]:
        record_arrivals(section.session, two)
    section, kept, _ = now(section)
    shown = kept.evenings[0]

    starting.start_prepared_session(section, kept.key(shown), by=alice)

    section = Section.objects.get(pk=section.pk)
    assert section.round == 1
    there, wait = seated(section)
    assert [there[number] for number in shown.seats] == names(*pairs[:13])
    assert wait == names(*pairs[13:])
    assert (section.movement.family, section.boards_per_round) == (
        shown.choice.family,
        shown.choice.boards,
    )


def test_who_comes_after_the_page_was_shown_is_not_left_out(section, pairs, alice):
    for two in pairs[:13]:
        record_arrivals(section.session, two)
    section, kept, _ = now(section)
    key = kept.key(kept.evenings[0])
    record_arrivals(section.session, pairs[13])

    with pytest.raises(PreparationOutdated):
        starting.start_prepared_session(section, key, by=alice)

    section, kept, _ = now(section)
    assert kept.evenings[0].pair_count == 14
    assert not section.is_started
    assert not section.entries.exists()
    with pytest.raises(PreparationOutdated):
        starting.start_prepared_session(section, key, by=alice)


@pytest.mark.parametrize(
    "change",
    [
        lambda section, pairs, by: record_arrivals(section.session, pairs[0], is_here=False),
        lambda section, pairs, by: record_absence(section.session, pairs[0]),
        lambda section, pairs, by: entries.add_pairs(section, [("New One", "New Two")], by=by),
        lambda section, pairs, by: Equipment.objects.create(club=section.club, tables=5),
        lambda section, pairs, by: store_chart_line(
            section.club, ChartLine(4, MovementChoice("howell", 4, 7, 3))
        ),
        lambda section, pairs, by: Session.objects.update(most_boards=20, fewest_boards=18),
    ],
)
def test_a_stale_evening_is_never_started(section, pairs, alice, change):
    for two in pairs[:8]:
        record_arrivals(section.session, two)
    section, kept, _ = now(section)
    change(section, pairs, alice)

    with pytest.raises(PreparationOutdated):
        starting.start_prepared_session(Section.objects.get(), kept.key(kept.evenings[0]), by=alice)

    assert not Section.objects.get().is_started


def test_of_two_directors_who_press_together_one_starts_it(section, pairs, alice):
    for two in pairs:
        record_arrivals(section.session, two)
    section, kept, _ = now(section)
    key = kept.key(kept.evenings[0])
    starting.start_prepared_session(section, key, by=alice)

    with pytest.raises(RoundMovedOn):
        starting.start_prepared_session(section, key, by=alice)

    assert Section.objects.get().round == 1


def test_the_start_can_be_taken_back_and_another_evening_started(section, pairs, alice):
    for two in pairs[:13]:
        record_arrivals(section.session, two)
    section, kept, _ = now(section)
    section = starting.start_prepared_session(section, kept.key(kept.evenings[0]), by=alice)
    rounds.take_back_round(section, round=1, by=alice)
    for two in pairs[13:]:
        record_arrivals(section.session, two)

    section, kept, _ = now(section)
    shown = kept.evenings[0]
    assert [(evening.pair_count, evening.late) for evening in kept.evenings] == [(15, 0)]
    section = starting.start_prepared_session(section, kept.key(shown), by=alice)

    there, wait = seated(section)
    assert sorted(there.values()) == sorted(names(*pairs))
    assert wait == []


def test_nothing_is_possible_with_one_pair_and_it_is_not_started(section, pairs, alice):
    record_arrivals(section.session, pairs[0])

    section, kept, _ = now(section)

    first = kept.evenings[0]
    assert (first.pair_count, first.is_possible) == (1, False)
    with pytest.raises(PreparationOutdated):
        starting.start_prepared_session(section, kept.key(first), by=alice)


def test_what_is_seated_already_is_prepared_as_it_is(section, alice):
    entries.add_pairs(section, [(f"A{n} X", f"B{n} Y") for n in range(6)], by=alice)
    section = movement.choose_movement(section, "howell", boards_per_round=3, by=alice)
    section = movement.swap_seats(section, 1, 2, by=alice)
    before = seated(section)
    switch_registration(section, is_on=True, maximum=12, by=alice)
    request_preparation(section.session)
    section, kept, _ = now(section)

    (shown,) = kept.evenings
    assert shown.choice is None
    section = starting.start_prepared_session(section, kept.key(shown), by=alice)

    assert seated(section) == before
    assert section.movement.family == "howell"


def test_who_has_cancelled_is_off_the_list_and_who_is_alone_is_nobodys_pair(section, pairs, alice):
    entries.add_pairs(section, [(pairs[0][0].name, pairs[0][1].name)], by=alice)
    for two in pairs[:6]:
        record_arrivals(section.session, two)
    record_absence(section.session, pairs[0][:1])
    lonely = PersonFactory(name="Guy Gum", club=section.club)
    seek_partner(section.session, lonely)
    record_arrivals(section.session, [lonely])
    section, kept, wanted = now(section)
    assert [row.names for row in wanted.there.gone] == names(pairs[0])
    assert wanted.there.alone == [pairs[0][1], lonely]

    section = starting.start_prepared_session(section, kept.key(kept.evenings[0]), by=alice)

    there, wait = seated(section)
    assert sorted(there.values()) == sorted(names(*pairs[1:6]))
    assert sorted(wait) == sorted(names(*pairs[6:]))


def test_laid_out_it_can_be_printed_and_starts_as_it_lies(section, pairs, alice):
    for two in pairs[:8]:
        record_arrivals(section.session, two)
    section, kept, _ = now(section)
    shown = kept.evenings[0]

    section = starting.lay_out_prepared_session(section, kept.key(shown), by=alice)

    assert not section.is_started
    assert [seated(section)[0][number] for number in shown.seats] == names(*pairs[:8])
    section, kept, _ = now(section)
    if (
        kept is None
        or kept.inputs_digest != prepared_starts.PreparationInput(section).inputs_digest
    ):
        request_preparation(section.session)
        section, kept, _ = now(section)
    again = kept.evenings[0]
    assert (again.choice, again.seats) == (None, shown.seats)


def test_what_the_clubs_chart_says_is_prepared(section, pairs, alice):
    line = ChartLine(
        10, MovementChoice("mitchell", 5, 5, 5), "", (MovementChoice("howell", 5, 9, 3),)
    )
    store_chart_line(section.club, line)
    for two in pairs[:10]:
        record_arrivals(section.session, two)

    _, kept, _ = now(section)

    assert kept.evenings[0].choice == line.choice


def test_of_the_charts_choices_the_first_for_which_there_are_boards_enough():
    web = MovementChoice("web", 6, 5, 5)
    howell = MovementChoice("partial-howell", 6, 8, 3)
    chart = (ChartLine(12, web, "", (howell,)),)
    assert choice_for(StartInput(Wishes(12), chart, copies=2), 12) == web
    assert choice_for(StartInput(Wishes(12), chart, copies=1), 12) == howell


def test_a_pair_on_the_list_is_here_unless_it_was_said_beforehand(section, pairs, alice):
    entries.add_pairs(section, [("Xan One", "Xan Two"), tuple(p.name for p in pairs[0])], by=alice)

    there = Attendance(section)

    assert [row.names for row in there.here] == ["Xan One & Xan Two"]
    assert there.late[0].names == "Ann & Ben Pair1"
    assert len(there.late) == 15
    withdraw_pair(section.entries.last(), by=alice)


def test_of_two_late_pairs_either_may_be_the_one_that_comes(section, pairs, alice):
    for two in pairs[:13]:
        record_arrivals(section.session, two)
    section, kept, _ = now(section)
    other = kept.evenings[2]

    started = starting.start_prepared_session(section, kept.key(other), by=alice)

    found, waits = seated(started)
    assert names(pairs[14])[0] in found.values()
    assert waits == names(pairs[13])
    assert len(found) == 14


def test_late_pairs_stand_in_the_order_in_which_both_are_there(section, pairs, alice):
    ann, ben = (PersonFactory(club=section.club, name=name) for name in ("Ann Ash", "Ben Birch"))
    for single, minutes in ((ann, 5), (ben, 20)):
        seek_partner(section.session, single)
        record_delay(section.session, [single], minutes, by=alice)
    register_pair(section.session, ann, ben, by=alice)
    record_delay(section.session, pairs[0], 10, by=alice)

    late = [two.names for two in Attendance(section).late]

    assert late[:2] == ["Ann & Ben Pair1", "Ann Ash & Ben Birch"]


def test_a_movement_is_chosen_for_who_leaves_before_the_start_and_for_two_more(
    section, pairs, alice, monkeypatch
):
    for two in pairs[:13]:
        record_arrivals(section.session, two)
    section, _, wanted = now(section)
    assert wanted.likely_pair_numbers == [11, 12, 13, 14, 15, 16, 17]
    monkeypatch.setattr(prepared_starts, "choice_for", None)  # nothing is chosen again

    record_absence(section.session, pairs[0])
    record_absence(section.session, pairs[1])
    section = Section.objects.get(pk=section.pk)
    prepared_starts.prepare(str(section.pk))

    kept = prepared_starts.last_prepared(section)
    assert kept.inputs_digest == prepared_starts.PreparationInput(section).inputs_digest
    assert [evening.pair_count for evening in kept.evenings] == [11, 12, 12, 13]
    assert all(evening.is_possible for evening in kept.evenings)


def test_each_turn_chooses_for_one_number_of_pairs(section, pairs, alice):
    for two in pairs[:13]:
        record_arrivals(section.session, two)
    prepared_starts.prepare(str(section.pk))
    wanted = prepared_starts.PreparationInput(Section.objects.get(pk=section.pk))
    left = []
    while count := len(prepared_starts._numbers_without_choice(wanted)):
        left.append(count)
        prepared_starts.choose_movement_ahead(str(section.pk))

    assert left == [4, 3, 2, 1]


def test_what_was_chosen_of_other_wishes_is_not_taken(section, pairs, alice):
    for two in pairs[:13]:
        record_arrivals(section.session, two)
    section, before, _ = now(section)

    Session.objects.update(fewest_boards=18, most_boards=20)
    prepared_starts.prepare(str(section.pk))

    after = prepared_starts.last_prepared(Section.objects.get(pk=section.pk))
    assert before.evenings[0].choice != after.evenings[0].choice


@pytest.mark.parametrize(
    ("count", "said"), [(1, "1 pair: no movement"), (2, "2 pairs: no movement")]
)
def test_where_so_many_can_play_nothing_the_page_says_so(section, alice, client, count, said):
    names = [(f"North{number} A", f"South{number} B") for number in range(count)]
    entries.add_pairs(section, names, by=alice)
    client.force_login(alice)
    page = reverse("who-comes", args=[section.code])
    assert "Being prepared" in client.get(page).content.decode()

    prepared_starts.prepare(str(section.pk))

    text = " ".join(client.get(page).content.decode().replace("&nbsp;", " ").split())
    assert said in text
    assert 'value="start"' not in text


def test_names_typed_at_the_door_are_something_new_for_an_open_page(section, alice, client):
    client.force_login(alice)
    page = reverse("who-comes", args=[section.code])
    seen = client.get(page).context["version"]
    asked = {"HX-Request": "true"}
    assert client.get(page, {"v": seen}, headers=asked).status_code == 204

    note_typed_names(section.session, "Guy Gum", "Hal Holm")

    answer = client.get(page, {"v": seen}, headers=asked).content.decode()
    assert 'id="typed" hx-swap-oob="true"' in answer
    assert "Guy Gum" in answer
