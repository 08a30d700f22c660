"""Past sessions of another program: matching people, importing unchanged, counting in a season, undoing."""

import datetime
from fractions import Fraction

import pytest

from bridgebuddy.clubs.models import DistinctPeople, Person
from bridgebuddy.clubs.people.public_names import use_public_names
from bridgebuddy.director.club_data.tables import tables_of_club
from bridgebuddy.events.errors import BothPlayed, SectionChanged
from bridgebuddy.events.models import Event, Import, PastLine, Session
from bridgebuddy.events.queries.roster.players import (
    count_recent_players,
    playing_records,
    possible_duplicates,
)
from bridgebuddy.events.queries.sessions.club_sessions import earlier_sessions, find_sessions
from bridgebuddy.events.services.lifecycle.deletions import has_expired_data, purge_expired_sessions
from bridgebuddy.events.services.lifecycle.forgetting import (
    anonymise_inactive_people,
    anonymise_person,
    delete_club,
)
from bridgebuddy.events.services.roster import merge_people
from bridgebuddy.planning import calendar
from bridgebuddy.planning.models import SessionPlan
from bridgebuddy.publication import queries
from bridgebuddy.publication.imports import importing
from bridgebuddy.publication.imports.importing import AcceptedSession, ImportDraft
from bridgebuddy.publication.imports.name_matching import NameMatching
from bridgebuddy.publication.own.personal_data import tables_of_person
from bridgebuddy.scoring.rules.past.model import ImportedLine, ImportedPlayer
from bridgebuddy.seasons.models import Championship, FinalList
from bridgebuddy.seasons.queries.attendance import ClubAttendance
from bridgebuddy.seasons.queries.championships import ChampionshipTable
from bridgebuddy.seasons.queries.final_lists import final_results
from bridgebuddy.seasons.queries.ledger import due_points
from bridgebuddy.seasons.queries.ratings import ratings_by_person
from tests.factories import section_with

pytestmark = pytest.mark.django_db

HEAD = "Date;Event;Place;Name 1;Name 2;EBU No 1;%;Masterpoints"
ROWS = ("1;Eva Klein;Otto Klein;1001;61,25;12", "2;Ann Lee;Bob Day;;38.75;")


def season(*days, rows=ROWS):
    lines = [f"{day};Tuesday;{row}" for day in days for row in rows]
    return "\n".join((HEAD, *lines)).encode()


def brought(club, *days, name="season.csv", rows=ROWS):
    return importing.read_import(club, [(name, season(*days, rows=rows))])


def import_all(club, by, *days, people=None, **kwargs):
    """Take over all that is in a file."""
    draft = brought(club, *days, **kwargs)
    wanted = [
        AcceptedSession(section.number, section.session.date, section.session.name)
        for section in ImportDraft(draft).sessions
    ]
    return importing.import_sessions(draft, wanted, people or {}, by=by)


@pytest.fixture
def eva(club):
    return Person.objects.create(club=club, name="Eva Klein-Berg", national_number="1001")


def whom(club, name, number=""):
    [found] = NameMatching(
        club, [[ImportedLine(1, players=(ImportedPlayer(name, number),))]]
    ).matches_by_key.values()
    return found.person and found.person.name, found.asked, [row.name for row in found.others]


@pytest.mark.parametrize(
    ("name", "number", "found"),
    [
        ("Eva Klein", "1001", ("Eva Klein-Berg", False, [])),  # the number, and a word of the name
        ("Eva Klein", "01001", ("Eva Klein-Berg", False, [])),
        ("Eva Moser", "1001", ("Eva Klein-Berg", False, [])),
        ("Uta Moser", "1001", ("Eva Klein-Berg", True, ["Eva Klein-Berg"])),
        ("William Ford", "", ("William Ford", False, [])),
        ("FORD William", "", ("William Ford", False, [])),
        ("Ford, William", "", ("William Ford", False, [])),
        ("Bill Ford", "", ("William Ford", True, ["William Ford"])),
        ("W. Ford", "", ("William Ford", False, [])),
        ("Willliam Ford", "", ("William Ford", True, ["William Ford"])),
        ("William Ford", "77", ("William Ford", False, [])),
        ("Mia Young", "8", (None, True, ["Mia Young"])),  # who has the name has another number
        ("Ada Wolf", "", (None, False, [])),
        ("Γιώργος Λίνος", "", (None, False, [])),
    ],
)
def test_who_is_whom(club, eva, name, number, found):
    Person.objects.create(club=club, name="William Ford")
    Person.objects.create(club=club, name="Mia Young", national_number="9")

    assert whom(club, name, number) == found


def test_nobody_is_proposed_who_plays_at_another_table(club, eva):
    william = Person.objects.create(club=club, name="William Ford")
    one = ImportedLine(
        1, players=(ImportedPlayer("Bill Ford"), ImportedPlayer("Uta Moser", "1001"))
    )
    other = ImportedLine(
        2, players=(ImportedPlayer("William Ford"), ImportedPlayer("Eva Klein", "1001"))
    )

    apart = NameMatching(club, [[one], [other]]).doubtful_names
    together = NameMatching(club, [[one, other]]).doubtful_names

    assert [whom.person for whom in apart] == [william, eva]
    assert [(whom.person, whom.others) for whom in together] == [
        (None, (william,)),
        (None, (eva,)),
    ]


def test_two_names_of_one_session_are_not_taken_for_one_person_unasked(club, eva):
    anna = Person.objects.create(club=club, name="Anna Berg")
    mother = ImportedLine(1, players=(ImportedPlayer("A. Berg"), ImportedPlayer("Anna Berg")))
    married = ImportedLine(
        2, players=(ImportedPlayer("Eva Klein", "1001"), ImportedPlayer("Eva Klein-Berg"))
    )

    both = NameMatching(club, [[mother, married]])
    alone = NameMatching(club, [[ImportedLine(1, players=(ImportedPlayer("A. Berg"),))]])

    assert [
        (link.written, link.person, link.name, link.others) for link in both.doubtful_names
    ] == [
        ("A. Berg", None, "A. Berg", (anna,)),
        ("Eva Klein-Berg", None, "Eva Klein-Berg", (eva,)),
    ]
    assert [link.person for link in alone.matches_by_key.values()] == [anna]


def test_names_in_one_cell_are_two_people(club):
    Person.objects.create(club=club, name="Hans Müller")

    who = NameMatching(
        club, [[ImportedLine(1, joined="Hans & Eva Müller"), ImportedLine(2, joined="Bo Ek / Bye")]]
    )

    assert [(link.name, link.person is not None) for link in who.matches_by_key.values()] == [
        ("Hans Müller", True),
        ("Eva Müller", False),
        ("Bo Ek", False),
    ]


def test_a_season_is_taken_over_as_it_is(club, alice, eva):
    past_import = import_all(club, alice, "2025-01-07", "2025-01-14", "2025-01-21")

    sessions = list(earlier_sessions(club))
    assert [session.date.day for session in sessions] == [21, 14, 7]
    assert {session.event.name for session in sessions} == {"Tuesday"}
    lines = PastLine.objects.filter(past__session=sessions[0])
    assert [(line.place, line.percent, line.masterpoints) for line in lines] == [
        (1, "61.25", "12"),
        (2, "38.75", ""),
    ]
    assert [player.person.name for player in lines[0].past_players.all()] == [
        "Eva Klein-Berg",
        "Otto Klein",
    ]
    assert sorted(club.people.values_list("name", flat=True)) == [
        "Ann Lee",
        "Bob Day",
        "Eva Klein-Berg",
        "Otto Klein",
    ]
    assert (past_import.read, len(past_import.brought_people)) == ([], 3)
    assert list(find_sessions(club, "otto")) == sessions
    with pytest.raises(SectionChanged):
        importing.import_sessions(past_import, [], {}, by=alice)


def test_what_is_there_already_is_not_proposed(club, alice):
    import_all(club, alice, "2025-01-07")

    again = ImportDraft(brought(club, "2025-01-07")).sessions
    others = ImportDraft(brought(club, "2025-01-07", "2025-01-14", name="x.csv")).sessions

    assert [(item.there, item.is_taken) for item in again] == [("file", False)]
    assert [(item.there, item.is_taken) for item in others] == [("day", False), ("", True)]


def test_a_day_to_come_is_asked(club):
    tomorrow = club.today + datetime.timedelta(days=1)

    [found] = ImportDraft(brought(club, tomorrow.isoformat())).sessions

    assert (found.asks_for_a_day, found.is_taken) == (True, True)


def test_a_season_counts_it_with_its_percentages(club, alice, eva):
    days = (club.today - datetime.timedelta(days=number) for number in (14, 7))
    import_all(club, alice, *(day.isoformat() for day in days))
    one = Championship.objects.create(club=club, name="Winter", of="player", rule="mean")

    table = ChampionshipTable(one)

    lines = {table.line_text(line.who): line.total for line in table.standings.lines}
    assert lines["Eva Klein-Berg"] == Fraction(245, 4)
    assert [final.name for final in table.sessions] == ["Tuesday", "Tuesday"]
    one.counts, one.rule = "masterpoints", "sum"
    assert {line.total for line in ChampionshipTable(one).standings.lines} == {
        Fraction(24),
        Fraction(0),
    } - {0}
    assert due_points(club, club.today) == []  # the former program has given them in
    assert len(ratings_by_person(club)) == 4


def test_it_counts_as_an_evening_of_who_played(club, alice, eva):
    day = club.today - datetime.timedelta(days=3)
    import_all(club, alice, day.isoformat())

    attendance = ClubAttendance(club, club.today)

    assert [(evening.people, evening.name) for evening in attendance.evenings] == [(4, "Tuesday")]
    assert {item.evenings for item in attendance.attendance_of_all} == {1}
    assert (count_recent_players(club, club.today), playing_records([eva])[0].last_played) == (
        4,
        day,
    )


def test_one_press_takes_it_back(club, alice, eva):
    first = import_all(club, alice, "2025-01-07", name="a.csv")
    second = import_all(
        club, alice, "2025-01-14", rows=("1;Eva Klein;Zoe New;1001;61;12",), name="b.csv"
    )
    finals_before = final_results(club)

    assert importing.revert_import(first, by=alice) == 1
    assert importing.revert_import(first, by=alice) == 0

    assert len(finals_before) == 2
    assert [session.date.day for session in Session.objects.all()] == [14]
    assert sorted(club.people.values_list("name", flat=True)) == ["Eva Klein-Berg", "Zoe New"]
    importing.revert_import(second, by=alice)
    assert (Event.objects.count(), Import.objects.count(), club.people.count()) == (0, 0, 1)


def test_a_namesake_with_another_number_is_somebody_else_if_that_is_said(club, alice):
    known = Person.objects.create(club=club, name="Ann Lee", national_number="5")
    rows = ("1;Ann Lee;Bob Day;6;50;",)

    import_all(club, alice, "2025-01-07", rows=rows, people={("Ann Lee", "6"): None})
    import_all(club, alice, "2025-01-14", rows=rows, people={("Ann Lee", "6"): known})

    names = [
        list(line.past_players.values_list("person__name", flat=True))
        for line in PastLine.objects.all()
    ]
    assert names == [["Ann Lee 2", "Bob Day"], ["Ann Lee", "Bob Day"]]


def test_an_answer_means_nobody_who_was_merged_meanwhile(club, alice):
    goes = Person.objects.create(club=club, name="William Ford")
    stays = Person.objects.create(club=club, name="Ada Fordham")
    draft = brought(club, "2025-01-07", rows=("1;Bill Ford;Otto Klein;;61;",))
    merge_people(stays, goes, by=alice)

    wanted = [
        AcceptedSession(section.number, section.session.date, section.session.name)
        for section in ImportDraft(draft).sessions
    ]
    importing.import_sessions(draft, wanted, {("Bill Ford", ""): goes}, by=alice)

    names = PastLine.objects.get().past_players.values_list("person__name", flat=True)
    assert list(names) == ["Bill Ford", "Otto Klein"]


def test_who_hosts_an_evening_to_come_stays_on_the_roster(club, alice):
    past_import = import_all(club, alice, "2025-01-07")
    ann = club.people.get(name="Ann Lee")
    session = section_with(2, club=club, by=alice).session
    SessionPlan.objects.create(session=session, host=ann)
    DistinctPeople.objects.create(one=club.people.get(name="Bob Day"), other=ann)

    importing.revert_import(past_import, by=alice)

    assert SessionPlan.objects.get().host == ann
    assert not club.people.filter(name="Bob Day").exists()


def test_who_is_forgotten_is_forgotten_there(club, alice, eva):
    rows = ("1;Eva Klein;Otto Klein;1001;61,25;12",)
    import_all(club, alice, "2025-01-07", rows=rows)
    PastLine.objects.update(team="Team Klein-Berg")
    brought(club, "2025-02-04")
    assert tables_of_person(eva)["sessions_scored_elsewhere"][0]["with"] == "Otto Klein"

    gone = anonymise_person(eva, by=alice)

    kept = repr(tables_of_club(club)["past_lines"])
    assert ("Klein-Berg" in kept, gone.name in kept) == (False, True)
    assert not Import.objects.filter(taken_at=None).exists()


def test_names_are_kept_as_long_from_what_was_played_elsewhere(club, alice):
    import_all(club, alice, "2015-01-07")
    club.names_kept_for = 24
    club.save()

    assert anonymise_inactive_people() == 4


def test_two_who_played_against_each_other_are_two(club, alice):
    rows = ("1;Hans Maier;Otto Klein;;61;", "2;Hans Mayer;Bob Day;;38;")
    past_import = import_all(club, alice, "2025-01-07", rows=rows)
    one, other = club.people.filter(name__startswith="Hans").order_by("pk")

    assert possible_duplicates(club) == []
    with pytest.raises(BothPlayed):
        merge_people(one, other, by=alice)
    double = Person.objects.create(club=club, name="Hans Meier")
    finals_of = ChampionshipTable(Championship.objects.create(club=club, name="W", of="player"))
    assert len(finals_of.standings.lines) == 4
    merge_people(double, one, by=alice)
    assert not FinalList.objects.filter(lines__contains=f"[{one.pk},").exists()
    assert double.past_players.count() == 1
    assert past_import.brought_people


def test_everybody_reads_it_when_the_club_says_so(club, alice):
    past_import = import_all(club, alice, "2025-01-07", "2025-01-14")

    with use_public_names(club):
        assert queries.sessions_with_winners(queries.published_sessions(club)) == []
    importing.publish_import(past_import, True, by=alice)
    with use_public_names(club):
        shown = queries.sessions_with_winners(queries.published_sessions(club))
        assert [session.winners for session in shown] == [["Eva & Otto Klein"]] * 2
        assert [line.value_text for line in shown[0].lines] == ["61.25 %"]
    club.public_names = "initials"
    club.save()
    with use_public_names(club):
        assert queries.sessions_with_winners(queries.published_sessions(club))[0].winners == [
            "E. & O. K."
        ]
    importing.publish_import(past_import, False, by=alice)
    with use_public_names(club):
        assert queries.sessions_with_winners(queries.published_sessions(club)) == []


def test_a_player_finds_it(club, alice):
    importing.publish_import(import_all(club, alice, "2025-01-07"), True, by=alice)
    club.public_names = "full"
    club.save()

    with use_public_names(club):
        found = queries.PublicPlayerSearch(club)
        [ann] = found.people("ann l")
        [(shown, line)] = found.results(ann)

    assert (line.place, line.names, shown.session.date.day) == ("2", "Ann Lee & Bob Day", 7)


def test_what_nobody_takes_over_is_forgotten(club):
    draft = brought(club, "2025-01-07")
    Import.objects.update(at=draft.at - Import.KEPT_FOR)

    assert has_expired_data()
    purge_expired_sessions()
    assert not Import.objects.exists()


def test_a_club_is_deleted_with_it(club, alice):
    import_all(club, alice, "2025-01-07")

    delete_club(club, name=club.name)

    assert [model.objects.count() for model in (Session, Import, Person)] == [0, 0, 0]


def test_it_is_nothing_to_repeat_and_nothing_to_come(club, alice):
    import_all(club, alice, club.today.isoformat())

    assert (
        calendar.repeatable_sessions(club),
        calendar.coming_sessions(club),
        queries.next_sessions(club),
    ) == ([], [], [])


def test_taking_back_asks_little_for_each_of_a_hundred_people(
    club, alice, django_assert_max_num_queries
):
    rows = [f"{place};Ann Lee{place};Bob Day{place};;50;" for place in range(1, 51)]
    past_import = import_all(club, alice, "2025-01-07", rows=rows)
    assert club.people.count() == 100

    with django_assert_max_num_queries(300):
        importing.revert_import(past_import, by=alice)

    assert not club.people.exists()


CORRECTED = (ROWS[0].replace("61,25", "62,50"), ROWS[1])


def there_of(found):
    return [each.there for each in ImportDraft(found).sessions]


def test_an_evening_before_and_after_its_correction_is_asked_about(club):
    day = "2024-11-05"
    files = [("a.csv", season(day)), ("b.csv", season(day, rows=CORRECTED))]
    draft = importing.read_import(club, files)

    assert there_of(draft) == ["alike", "later"]
    assert not any(each.is_taken for each in ImportDraft(draft).sessions)
    exact = importing.read_import(club, [("a.csv", season(day)), ("c.csv", season(day) + b"\n")])
    assert there_of(exact) == ["", "twice"]
    assert there_of(brought(club, "2024-11-05", "2024-11-12")) == ["", ""]


def test_most_pairs_on_one_day_are_asked_about_under_another_title_too(club, alice):
    day = "2024-11-05"
    other_title = season(day, rows=CORRECTED).replace(b"Tuesday", b"Pairs")
    together = importing.read_import(club, [("a.csv", season(day)), ("b.csv", other_title)])
    assert there_of(together) == ["alike", "later"]

    import_all(club, alice, day)
    assert there_of(importing.read_import(club, [("b.csv", other_title)])) == ["pairs"]
    assert there_of(importing.read_import(club, [("b.csv", season(day, rows=CORRECTED))])) == [
        "day"
    ]
    others = ("1;Jo Hall;Al Reed;;61;", "2;Di Moss;Ed Park;;39;")
    new = season(day, rows=others).replace(b"Tuesday", b"Pairs")
    assert there_of(importing.read_import(club, [("c.csv", new)])) == [""]


def test_half_of_the_pairs_may_play_twice_on_one_day(club):
    day = "2024-11-05"
    rows = (ROWS[0], "2;Jo Hall;Al Reed;;38.75;")
    other_title = season(day, rows=rows).replace(b"Tuesday", b"Pairs")

    found = importing.read_import(club, [("a.csv", season(day)), ("b.csv", other_title)])

    assert there_of(found) == ["", ""]


def test_an_imported_name_keeps_its_order_and_forename(club):
    lines = [
        ImportedLine(1, players=(ImportedPlayer("Zita Otto"), ImportedPlayer("Phil Jones"))),
        ImportedLine(2, players=(ImportedPlayer("Dr. Nat Brown"),)),
    ]

    assert [whom.name for whom in NameMatching(club, [lines]).matches_by_key.values()] == [
        "Zita Otto",
        "Phil Jones",
        "Nat Brown",
    ]
