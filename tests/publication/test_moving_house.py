"""Moving a club to another BridgeBuddy: complete, earlier imports included, without hidden names."""

import io
import zipfile

import pytest
from django.utils import timezone

from bridgebuddy.clubs.models import Person
from bridgebuddy.clubs.people.public_names import use_public_names
from bridgebuddy.director.club_data.tables import tables_of_club
from bridgebuddy.events.models import PastSession
from bridgebuddy.events.services.lifecycle.forgetting import anonymise_person
from bridgebuddy.publication.imports import importing
from bridgebuddy.publication.imports.importing import AcceptedSession, ImportDraft
from bridgebuddy.publication.own.personal_data import tables_as_csv, tables_as_json
from bridgebuddy.scoring.models import ScoringSettings
from bridgebuddy.scoring.rules.past.model import ImportDoubt, NotRead
from bridgebuddy.seasons.queries.final_lists import (
    IMPS,
    MASTERPOINTS,
    VPS,
    final_results,
    lines_by_session,
)
from tests.factories import ClubFactory, director_of
from tests.scoring.test_past_files import HEAD, USEBIO
from tests.scoring.test_tonight import scored_section
from tests.seasons.evenings import evening

pytestmark = pytest.mark.django_db


@pytest.fixture
def other():
    """The club in the other house."""
    return ClubFactory(name="Elsewhere")


def handed_out(club):
    return tables_as_json("club", tables_of_club(club))


def brought(club, text, name="archive.json"):
    data = text if isinstance(text, bytes) else text.encode()
    return importing.read_import(club, [(name, data)])


def import_all(club, text, by, name="archive.json"):
    draft = brought(club, text, name)
    wanted = [
        AcceptedSession(section.number, section.session.date, section.session.name)
        for section in ImportDraft(draft).sessions
    ]
    return importing.import_sessions(draft, wanted, {}, by=by)


def imported_lists(club):
    """Return the imported lists and their origin."""
    return [
        (
            (past.session.event.name, past.session.date, past.contest, past.unit, past.program),
            [
                (
                    *(line.field, line.section, line.place, line.label, line.team, line.names),
                    *(line.total, line.percent, line.masterpoints, line.boards),
                )
                for line in past.lines.prefetch_related("past_players__person")
            ],
        )
        for past in PastSession.objects.filter(session__event__club=club).order_by("session__date")
    ]


@pytest.mark.parametrize("way", ["json", "zip"])
def test_what_a_club_had_moved_in_itself_comes_along_as_it_stood(club, alice, other, way):
    files = {
        "monday.xml": HEAD + USEBIO,
        "2025-03-04.csv": "Event;Place;Names;IMPs;Boards\nTeams;1;Eva & Otto Klein;12,5;24\nTeams;2;Bo Ek;-12,5;24",
    }
    for name, text in files.items():
        import_all(other, text, alice, name)
    tables = tables_of_club(other)

    past_import = import_all(
        club, tables_as_json("club", tables) if way == "json" else tables_as_csv(tables), alice
    )

    assert imported_lists(club) == imported_lists(other)
    assert len(imported_lists(club)) == 2
    assert {session.program for session in past_import.past_sessions.all()} == {
        session.program for session in PastSession.objects.filter(session__event__club=other)
    }


@pytest.mark.parametrize("way", ["json", "zip"])
@pytest.mark.parametrize("counts", [VPS, IMPS, MASTERPOINTS])
def test_what_it_has_scored_counts_here_as_there(club, alice, other, way, counts):
    if counts == MASTERPOINTS:
        scale = {"boards_per_round": 8, "masterpoints": "abf-session"}
        evening(other, director_of(other), "2020-09-15", **scale)
    elif counts == IMPS:
        final(scored_section(8, "howell", rounds=3, club=other), {"method": "cross-imps"})
    else:
        section = scored_section(
            6, "team-round-robin", rounds=3, contest="teams", club=other, boards_per_round=4
        )
        final(section, {"vp": "wbf-discrete"})
    tables = tables_of_club(other)

    import_all(
        club, tables_as_json("club", tables) if way == "json" else tables_as_csv(tables), alice
    )

    theirs, ours = figures(other, counts), figures(club, counts)
    assert ours == pytest.approx(theirs, abs=0.006)
    assert any(ours)


def final(section, profile):
    ScoringSettings.objects.update_or_create(
        session=section.session, defaults={"profile": profile, "final_at": timezone.now()}
    )


def figures(club, counts):
    """Return all figures of a club's one final list, as a season counts them."""
    [lines] = lines_by_session(final_results(club)).values()
    return sorted(_number(line[counts]) for line in lines)


def _number(text):
    above, _, below = (text or "0").partition("/")
    return int(above) / int(below or 1)


def test_a_list_that_never_was_final_is_not_proposed(club, other):
    scored_section(4, "howell", rounds=3, club=other)

    [found] = ImportDraft(brought(club, handed_out(other))).sessions
    ScoringSettings.objects.update_or_create(
        session=other.events.get().sessions.get(), defaults={"final_at": timezone.now()}
    )
    [final] = ImportDraft(brought(club, handed_out(other))).sessions

    assert (found.doubts, found.is_taken) == ((ImportDoubt.NOT_FINAL,), False)
    assert (final.doubts, final.is_taken) == ((), True)


def test_who_was_forgotten_there_is_nobody_here_either(club, alice, other):
    gone = Person.objects.create(club=club, name="Ada Gone")
    anonymise_person(gone, by=alice)  # N.N.1 of this club is somebody else
    text = "Date;Event;Place;Names;%\n2025-03-04;Tuesday;1;Eva & Otto Klein;60\n2025-03-04;Tuesday;2;Bo Ek & Ida Ek;40"
    import_all(other, text, alice, "season.csv")
    anonymise_person(other.people.get(name="Otto Klein"), by=alice)
    written = handed_out(other)

    who = ImportDraft(brought(club, written)).names
    past_import = import_all(club, written, alice)

    assert [(row.name, row.is_forgotten) for row in who.matches_by_key.values()] == [
        ("Eva Klein", False),
        ("N.N.1", True),
        ("Bo Ek", False),
        ("Ida Ek", False),
    ]
    forgotten = club.people.exclude(anonymous_since=None)
    assert [person.name for person in forgotten.order_by("pk")] == ["N.N.1", "N.N.2"]
    assert imported_lists(club)[0][1][0][5] == "Eva Klein & N.N.2"
    assert not club.known_people.filter(name__startswith="N.N.").exists()
    importing.revert_import(past_import, by=alice)
    assert [person.name for person in club.people.all()] == ["N.N.1"]


def packed(tables, folder=""):
    """The ZIP of a club, packed anew."""
    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w") as file:
        for name, text in tables.items():
            file.writestr(f"{folder}{name}", text)
    return whole.getvalue()


def unpacked(data):
    with zipfile.ZipFile(io.BytesIO(data)) as file:
        return {item: file.read(item) for item in file.namelist()}


def test_a_zip_that_was_packed_anew_is_read_and_a_damaged_one_is_told(club, other):
    scored_section(4, "howell", rounds=3, club=other)
    tables = unpacked(tables_as_csv(tables_of_club(other)))
    letters = tables | {"people.csv": b"\xff\xfe\xff"}
    a_cell = tables | {"people.csv": b"id,name\n1," + b"x" * 200_000}
    no_head = tables | {"standings.csv": b"x;y\n1;2"}
    no_sections = {name: text for name, text in tables.items() if name != "sections.csv"}

    anew = ImportDraft(brought(club, packed(tables, "elsewhere/"), "a.zip"))

    assert [len(section.session.rankings[0].lines) for section in anew.sessions] == [4]
    for files in (letters, a_cell):
        with pytest.raises(NotRead, match="broken"):
            brought(club, packed(files), "a.zip")
    for files in (no_head, no_sections):
        draft = ImportDraft(brought(club, packed(files), "a.zip"))
        assert [file.why for file in draft.unusable_files] == ["broken"]


# ── what people let be read of their names ──


@pytest.mark.parametrize("way", ["json", "zip"])
@pytest.mark.parametrize(
    ("wish", "there", "here", "kept"),
    [
        ("none", "full", "full", "none"),
        ("full", "none", "initials", "full"),  # they said so themselves
        ("", "initials", "full", "initials"),
        ("", "initials", "none", ""),
        ("", "full", "full", ""),
    ],
)
def test_who_comes_along_is_read_no_more_than_there(
    club, alice, other, way, wish, there, here, kept
):
    final(scored_section(8, "howell", rounds=3, club=other), {})
    Person.objects.filter(club=other).update(public_name=wish)
    other.public_names, club.public_names = there, here
    other.save()
    club.save()
    tables = tables_of_club(other)

    import_all(
        club, tables_as_json("club", tables) if way == "json" else tables_as_csv(tables), alice
    )

    assert set(club.people.values_list("public_name", flat=True)) == {kept}
    if wish == "none":
        with use_public_names(club):
            assert {person.name for person in club.people.all()} == {"Guest"}


@pytest.mark.parametrize(
    ("wish", "here", "kept"),
    [("none", "full", "none"), ("full", "none", "none"), ("initials", "", "initials")],
)
def test_of_somebody_on_the_roster_the_stricter_wish_holds(club, alice, other, wish, here, kept):
    final(scored_section(8, "howell", rounds=3, club=other), {})
    theirs = other.people.first()
    Person.objects.filter(pk=theirs.pk).update(public_name=wish)
    ours = Person.objects.create(club=club, name=theirs.name, public_name=here)

    import_all(club, handed_out(other), alice)

    ours.refresh_from_db()
    assert ours.public_name == kept
