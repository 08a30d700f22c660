"""Teams: their names, the seats of their pairs, and the players named by the plays."""

import pytest

from bridgebuddy.audit.models import AuditRecord
from bridgebuddy.events.errors import (
    AlreadyInTeam,
    NoHalfTime,
    NoSuchRound,
    NotEntered,
    PersonTwice,
    PlaysElsewhere,
    ReserveHasSeat,
    RoundMovedOn,
    SectionChanged,
)
from bridgebuddy.events.models import Entry, Section
from bridgebuddy.events.queries.plan.evening import SessionEvening
from bridgebuddy.events.queries.plan.evening_plan import SectionPlan
from bridgebuddy.events.services.play import rounds
from bridgebuddy.events.services.play.line_up import cross_pairs, name_team, seat_team
from bridgebuddy.events.services.play.people import add_substitute, correct_names, line_up_key
from bridgebuddy.events.services.setup import entries, movement
from tests.factories import names_of, section_with

pytestmark = pytest.mark.django_db


@pytest.fixture
def section(club, alice):
    return section_with(
        6, "team-round-robin", round=1, boards_per_round=4, contest="teams", club=club, by=alice
    )


def team(section, number):
    return section.entries.get(contestant=number)


def sitting(section, table, round=1):
    """Return the players N-S and E-W at a table, by the plan and by the plays."""
    game = next(g for g in SectionPlan.of(section).evening.games[round] if g.table == table)
    play = section.plays.filter(round=round, table=table).first()
    planned = (*game.ns[0].full_names, *game.ew[0].full_names)
    played = play and tuple(str(item) for item in (play.north, play.south, play.east, play.west))
    return planned, played


def test_the_first_pair_stays_at_home_and_the_second_goes(section):
    one, other = team(section, 1).players, team(section, 6).players
    home = tuple(p.name for p in (*one[:2], *other[2:]))

    assert sitting(section, 1) == (home, home)


def test_the_pairs_of_a_team_exchange_their_seats_in_one_round(section, alice):
    mine, other = team(section, 1).players, team(section, 6).players

    cross_pairs(team(section, 1), round=1, crossed=True, by=alice)

    now = Section.objects.get(pk=section.pk)
    home = tuple(p.name for p in (*mine[2:], *other[2:]))
    away = tuple(p.name for p in (*other[:2], *mine[:2]))
    assert sitting(now, 1) == (home, home)
    assert sitting(now, 6) == (away, away)
    rounds.start_next_round(now, after=1, by=alice)
    assert sitting(now, 1, round=2)[0][:2] == tuple(p.name for p in mine[:2])


def test_who_exchanged_sits_as_usual_again(section, alice):
    before = sitting(section, 1)
    cross_pairs(team(section, 1), round=1, crossed=True, by=alice)

    cross_pairs(team(section, 1), round=1, crossed=False, by=alice)

    assert sitting(Section.objects.get(pk=section.pk), 1) == before
    told = AuditRecord.objects.filter(action="section.cross").values_list(
        "facts__crossed", flat=True
    )
    assert list(told) == [False, True]


def test_told_twice_it_happens_once_and_refuses_nobodys_decision(section, alice):
    plan, shown = section.plan, section.shown

    cross_pairs(team(section, 1), round=1, crossed=True, by=alice)
    cross_pairs(team(section, 1), round=1, crossed=True, by=alice)

    now = Section.objects.get(pk=section.pk)
    assert (now.plan, now.shown) == (plan, shown + 1)
    assert team(now, 1).crossed_in == [1]


def test_a_round_that_is_over_or_to_come_stays_as_it_is(section, alice):
    rounds.start_next_round(section, after=1, by=alice)

    for round in (1, 3):
        with pytest.raises(RoundMovedOn):
            cross_pairs(team(section, 1), round=round, crossed=True, by=alice)
    rounds.finish_session(Section.objects.get(pk=section.pk), round=2, by=alice)
    with pytest.raises(RoundMovedOn):
        cross_pairs(team(section, 1), round=2, crossed=True, by=alice)


def test_a_pair_has_no_other_pair_to_exchange_with(skip_section, alice):
    entry = skip_section.entries.first()

    with pytest.raises(NotEntered):
        cross_pairs(entry, round=4, crossed=True, by=alice)
    with pytest.raises(NotEntered):
        name_team(entry, name="Market", by=alice)


def test_a_team_is_called_by_its_name_or_by_its_first_player(club, alice):
    section = section_with(0, contest="teams", club=club, by=alice)
    entries.add_pairs(section, names_of(2, "teams"), teams=["Market"], by=alice)

    named, other = section.entries.all()

    assert (named.team_name, other.team_name) == ("Market", "North2")
    assert named.names.startswith("Anna North1 & Bob South1 & ")


def test_a_name_that_is_given_later_is_shown_and_recorded(section, alice):
    entry = team(section, 1)

    name_team(entry, name="Castle Bridge", by=alice)

    assert Entry.objects.get(pk=entry.pk).team_name == "Castle Bridge"
    assert SessionEvening(section).contestants[1].surnames == "Castle Bridge"
    assert Section.objects.get(pk=section.pk).shown == section.shown + 1


def test_the_two_tables_of_a_match_begin_with_different_boards(section):
    games = {game.table: game for game in SectionPlan.of(section).evening.games[1]}

    assert games[1].exchanges_with == 6
    assert games[1].half_texts == ("1–2", "3–4")
    assert games[6].half_texts == ("3–4", "1–2")


def test_three_teams_of_a_triangle_exchange_no_boards(club, alice):
    section = section_with(7, "team-round-robin", contest="teams", club=club, by=alice)

    games = {game.table: game for game in SectionPlan.of(section).evening.games[1]}

    assert [games[n].exchanges_with for n in (1, 2, 3)] == [0, 0, 0]
    assert games[4].exchanges_with


# ── who of a team plays: any four, in some rounds ──


def home_names(section, number, round=1):
    """Return the players of a team N, S, E and W in a round, by the plan."""
    return [p.name for half in team(section, number).halves_in(round) for p in half]


def again(section):
    return Section.objects.get(pk=section.pk)


def test_six_players_of_a_team_change_between_rounds_and_history_keeps_who_played(section, alice):
    usual = home_names(section, 1)
    north, south, east, _ = usual

    six = [east, "Eve Five", "Fay Six", north]
    seat_team(team(section, 1), six, from_round=2, until_round=3, by=alice)

    now = again(section)
    assert [home_names(now, 1, round) for round in (1, 2, 3, 4)] == [usual, six, six, usual]
    now = rounds.start_next_round(now, after=1, by=alice)
    game = next(
        g for g in SectionPlan.of(now).evening.games[2] if 1 in (g.ns[0].contestant.number,)
    )
    planned, played = sitting(now, game.table, round=2)
    assert planned == played
    assert planned[:2] == (six[0], six[1])
    first = now.plays.filter(round=1, table=1).first()
    assert (first.north.name, first.south.name) == (north, south)
    assert now.shown > section.shown
    assert AuditRecord.objects.get(action="section.line_up").facts["names"] == " & ".join(six)


def test_a_line_up_of_a_round_that_was_played_amends_its_plays(section, alice):
    north, south, east, west = home_names(section, 1)

    seat_team(team(section, 1), [north, east, south, west], from_round=1, until_round=1, by=alice)

    planned, played = sitting(again(section), 1)
    assert planned == played
    assert planned[:2] == (north, east)


def test_a_line_up_leaves_a_substitute_of_other_rounds_where_they_played(section, alice):
    add_substitute(team(section, 1), 2, "Zoë Neu", from_round=2, until_round=2, by=alice)
    names = [person.name for person in team(section, 1).people_in(1)]
    before = [[p.name for p in team(section, 1).people_in(round)[:4]] for round in (1, 2, 3)]

    seat_team(team(section, 1), names=names[::-1], from_round=4, by=alice)

    one = Entry.objects.get(pk=team(section, 1).pk)
    now = [[p.name for p in one.people_in(round)[:4]] for round in (1, 2, 3, 4)]
    assert now == [*before, names[::-1]]
    assert "Zoë Neu" in now[1]
    assert now[0] == now[2] == names


def test_a_line_up_takes_the_place_of_pairs_that_sat_the_other_way(section, alice):
    names = home_names(section, 1)
    cross_pairs(team(section, 1), round=1, crossed=True, by=alice)

    seat_team(team(section, 1), names, from_round=1, until_round=1, by=alice)

    assert home_names(again(section), 1) == names
    assert team(section, 1).crossed_in == []


def test_told_twice_a_line_up_is_one_change(section, alice):
    names = [*home_names(section, 1)[:3], "Eve Five"]
    seat_team(team(section, 1), names, from_round=2, by=alice)
    shown = again(section).shown

    seat_team(team(section, 1), names, from_round=2, by=alice)

    assert again(section).shown == shown


@pytest.mark.parametrize(
    ("names", "chosen", "why"),
    [
        (("Anna North2", "Bob South1", "Cleo East1", "Dan West1"), {}, PlaysElsewhere),
        (("Eve Five", "Eve Five", "Cleo East1", "Dan West1"), {}, PersonTwice),
        (("Eve Five",), {}, NotEntered),
        (("A B", "C D", "E F", "G H"), {"until_round": 9}, NoSuchRound),
    ],
)
def test_a_line_up_that_cannot_be_is_refused(section, alice, names, chosen, why):
    mine = next(e for e in section.entries.all() if "Anna North1 " in f"{e.names} ")
    before = home_names(section, mine.contestant)

    with pytest.raises(why):
        seat_team(mine, names, **{"from_round": 1, **chosen}, by=alice)

    assert home_names(again(section), mine.contestant) == before
    assert again(section).shown == section.shown


# ── reserves, and line-ups that change at half-time ──


@pytest.fixture
def league(club, alice):
    """Four teams of six with matches of four boards, of which the first round is being played."""
    made = section_with(0, contest="teams", club=club, by=alice)
    six = [(*names, f"Eve Five{n}", f"Finn O’Hara{n}") for n, names in _numbered(4)]
    entries.add_pairs(made, six, by=alice)
    made = movement.choose_movement(made, "team-round-robin", boards_per_round=4, by=alice)
    return rounds.start_next_round(made, after=0, by=alice)


def _numbered(teams):
    return enumerate(names_of(teams, "teams"), start=1)


def at_boards(section, number, round=1):
    """Return table, line and players of a team in a round, board by board, by the plays."""
    mine = team(section, number)
    return {
        (play.table, play.board): " & ".join(
            str(item)
            for item in ((play.north, play.south) if play.ns == mine else (play.east, play.west))
        )
        for play in section.plays.filter(round=round)
        if mine in (play.ns, play.ew)
    }


def test_reserves_rest_until_a_line_up_names_them(league):
    first = league.entries.get(position=1)

    halves = first.halves_in(1)
    assert [[p.name for p in half] for half in halves] == [
        ["Anna North1", "Bob South1"],
        ["Cleo East1", "Dan West1"],
    ]
    played = {
        name
        for names in at_boards(league, first.contestant).values()
        for name in names.split(" & ")
    }
    assert played == {p.name for half in halves for p in half}


def test_after_half_time_the_plays_name_those_who_then_sit_there(league, alice):
    mine = league.entries.get(position=1)
    before = at_boards(league, mine.contestant)
    home, away = sorted({table for table, _ in before})
    six = [p.name for p in mine.players]

    seat_team(mine, [six[4], six[1], six[2], six[5]], from_round=1, until_round=1, half=2, by=alice)

    now = at_boards(again(league), mine.contestant)
    at_home, abroad = (home, away) if mine.contestant == home else (away, home)
    early, late = ((1, 2), (3, 4)) if at_home < abroad else ((3, 4), (1, 2))
    assert {board: now[at_home, board] for board in early} == dict.fromkeys(
        early, "Anna North1 & Bob South1"
    )
    assert {board: now[at_home, board] for board in late} == dict.fromkeys(
        late, "Eve Five1 & Bob South1"
    )
    assert {board: now[abroad, board] for board in late} == dict.fromkeys(
        late, "Cleo East1 & Dan West1"
    )
    assert {board: now[abroad, board] for board in early} == dict.fromkeys(
        early, "Cleo East1 & Finn O’Hara1"
    )
    game = next(g for g in SectionPlan.of(again(league)).evening.games[1] if g.table == at_home)
    [sitting] = [s for s in game.ns if s.contestant.number == mine.contestant]
    assert (sitting.names, str(sitting.pair_after_half_time)) == (
        "Anna North1 & Bob South1",
        "Eve Five1 & Bob South1",
    )
    facts = AuditRecord.objects.get(action="section.line_up").facts
    assert (facts["second_half"], facts["from_round"], facts["until_round"]) == (True, 1, 1)


def test_each_half_is_said_without_a_change_of_the_other(league, alice):
    mine = league.entries.get(position=1)
    n, s, e, w, five, six = (p.name for p in mine.players)
    seat_team(mine, [five, s, e, w], from_round=2, until_round=3, half=2, by=alice)

    seat_team(mine, [n, six, e, w], from_round=2, until_round=2, half=1, by=alice)

    def halves(round):
        found = league.entries.get(position=1)
        return [[p.name for line in found.halves_in(round, half) for p in line] for half in (1, 2)]

    assert halves(1) == [[n, s, e, w], [n, s, e, w]]
    assert halves(2) == [[n, six, e, w], [five, s, e, w]]
    assert halves(3) == [[n, s, e, w], [five, s, e, w]]
    seat_team(mine, [n, s, e, w], from_round=1, by=alice)
    assert halves(2) == halves(3) == halves(1)
    assert league.entries.get(position=1).second_halves == {}


def test_pairs_that_sat_the_other_way_stay_so_in_the_half_that_is_not_meant(league, alice):
    mine = league.entries.get(position=1)
    n, s, e, w, five, _ = (p.name for p in mine.players)
    cross_pairs(mine, round=1, crossed=True, by=alice)

    seat_team(mine, [five, s, e, w], from_round=1, until_round=1, half=2, by=alice)

    now = league.entries.get(position=1)
    assert [p.name for line in now.halves_in(1) for p in line] == [e, w, n, s]
    assert [p.name for line in now.halves_in(1, 2) for p in line] == [five, s, e, w]


def test_who_is_named_after_half_time_for_the_first_time_joins_the_team(league, alice):
    mine = league.entries.get(position=2)
    names = ["Gil New", *(p.name for p in mine.players[1:4])]

    seat_team(mine, names, from_round=1, until_round=1, half=2, by=alice)

    now = league.entries.get(position=2)
    assert str(now.halves_in(1, 2)[0][0]) == "Gil New"
    assert [len(now.people_in(round)) for round in (1, 2, 3)] == [7, 7, 7]
    assert "Gil New" not in [p.name for half in now.halves_in(2) for p in half]


def test_where_a_movement_has_no_half_time_a_line_up_is_of_whole_rounds(club, alice):
    section = section_with(5, "team-awl", contest="teams", club=club, by=alice)
    mine = section.entries.first()

    with pytest.raises(NoHalfTime):
        seat_team(mine, [p.name for p in mine.players], from_round=1, half=2, by=alice)


def test_a_line_up_that_another_director_has_changed_meanwhile_is_not_overwritten(league, alice):
    mine = league.entries.get(position=1)
    n, s, e, _w, five, six = (p.name for p in mine.players)
    shown = line_up_key(mine)
    seat_team(mine, [n, s, e, five], from_round=2, half=2, shown=shown, by=alice)

    seat_team(mine, [n, s, e, five], from_round=2, half=2, shown=shown, by=alice)  # a second press
    with pytest.raises(SectionChanged):
        seat_team(mine, [n, s, e, six], from_round=2, half=2, shown=shown, by=alice)

    assert str(league.entries.get(position=1).halves_in(2, 2)[1][1]) == five


def test_reserves_come_and_go_with_their_names_but_not_while_they_play(league, alice):
    mine = league.entries.get(position=3)
    n, s, e, w, five, _six = (p.name for p in mine.players)
    stay = {"must_stay_seated": False, "by": alice}

    correct_names(mine, [n, s, e, w, five, ""], **stay)
    assert [p.name for p in league.entries.get(position=3).players] == [n, s, e, w, five]
    correct_names(mine, [n, s, e, w, five, "Jo Newcomer"], **stay)
    assert [p.name for p in league.entries.get(position=3).players][4:] == [five, "Jo Newcomer"]

    seat_team(mine, [n, s, e, "Jo Newcomer"], from_round=2, half=2, by=alice)
    with pytest.raises(ReserveHasSeat):
        correct_names(mine, [n, s, e, w, five, ""], **stay)
    with pytest.raises(PersonTwice):
        correct_names(mine, [n, s, e, w, "Anna North1", "Jo Newcomer"], **stay)


def test_a_reserve_is_no_substitute_but_plays_by_the_line_up(league, alice):
    mine = league.entries.get(position=1)

    with pytest.raises(AlreadyInTeam):
        add_substitute(mine, 1, "Eve Five1", from_round=2, by=alice)


def test_a_name_that_is_corrected_is_corrected_in_every_place_the_person_has(league, alice):
    mine = league.entries.get(position=1)
    n, s, e, w, five, six = (p.name for p in mine.players)
    seat_team(mine, [five, n, e, w], from_round=2, until_round=2, by=alice)

    correct_names(mine, ["Zoe Right", s, e, w, five, six], must_stay_seated=False, by=alice)

    now = league.entries.get(position=1)
    assert [p.name for p in now.people_in(1)] == ["Zoe Right", s, e, w, five, six]
    assert [p.name for half in now.halves_in(2) for p in half] == [five, "Zoe Right", e, w]


def test_two_people_of_an_entry_can_exchange_their_names(skip_section, alice):
    entry = skip_section.entries.first()
    one, other = (p.name for p in entry.players)

    correct_names(entry, [other, one], must_stay_seated=False, by=alice)

    assert [p.name for p in skip_section.entries.first().players] == [other, one]
