"""Files of past sessions: our own give the same places and totals again, others their own."""

import io
import json
import zipfile
from datetime import date, timedelta
from decimal import Decimal

import pytest
from django.utils import timezone

from bridgebuddy.director.club_data.tables import tables_of_club
from bridgebuddy.events.models import Session
from bridgebuddy.publication.own.personal_data import tables_as_json
from bridgebuddy.scoring.files.exports import FORMATS, exported_session
from bridgebuddy.scoring.models import ScoringSettings
from bridgebuddy.scoring.results.scored import ScoredSession
from bridgebuddy.scoring.rules.past import opening, tables
from bridgebuddy.scoring.rules.past.model import ImportDoubt, NotRead
from bridgebuddy.scoring.rules.past.pbn import _rows_of_table
from bridgebuddy.scoring.snapshot.session_snapshot import SessionSnapshot
from tests.scoring.test_tonight import scored_section

#: how many, what they play, in what contest, how it is scored, and in which formats it is written
CONTESTS = {
    "two winners": (13, "mitchell", "pairs", {}, ("usebio", "pbn", "bridgewebs", "csv", "ranking")),
    "one winner": (8, "howell", "pairs", {}, ("usebio", "pbn", "bridgewebs", "csv")),
    "IMPs": (
        8,
        "howell",
        "pairs",
        {"method": "cross-imps"},
        ("usebio", "pbn", "bridgewebs", "csv"),
    ),
    "single players": (12, "individual", "individual", {}, ("usebio", "pbn", "csv")),
    "teams": (6, "team-round-robin", "teams", {"vp": "wbf-discrete"}, ("usebio", "pbn", "csv")),
}


@pytest.mark.django_db
@pytest.mark.parametrize("played", CONTESTS)
def test_what_is_written_here_is_read_again(played):
    pairs, family, contest, profile, formats = CONTESTS[played]
    section = scored_section(pairs, family, rounds=3, contest=contest)
    ScoringSettings.objects.update_or_create(
        session=section.session, defaults={"profile": profile, "final_at": timezone.now()}
    )
    scored = ScoredSession(SessionSnapshot(section))
    wanted = {
        (
            standing.contestant.surnames if contest == "teams" else standing.contestant.names,
            _place(standing.row.place),
            _value(scored, standing.row),
        )
        for found in scored.main_lists
        for standing in found.standings
    }
    assert len(wanted) == pairs

    written = exported_session(scored)
    for name in formats:
        [read] = opening.read_sessions(FORMATS[name].file(written))

        assert read.contest == contest, name
        assert {(_names(line), line.place, _has(line)) for line in _lines(read)} == wanted, name
        assert len(read.rankings) == len(scored.main_lists), name
        assert read.doubts == (() if read.format != "CSV" else (ImportDoubt.NO_DATE,)), name
        if read.format != "CSV":
            assert (read.name, read.date) == (written.event, section.session.date)


@pytest.mark.django_db
@pytest.mark.parametrize("played", ["two winners", "single players", "teams"])
def test_the_archive_of_a_club_is_read_again(played):
    pairs, family, contest, _, _ = CONTESTS[played]
    section = scored_section(pairs, family, rounds=3, contest=contest)
    ScoringSettings.objects.update_or_create(
        session=section.session, defaults={"final_at": timezone.now()}
    )
    scored = ScoredSession(SessionSnapshot(section))

    [read] = opening.read_sessions(tables_as_json("club", tables_of_club(section.club)))

    assert (read.name, read.date) == (section.session.event.name, section.session.date)
    assert read.doubts == ()
    assert {(_names(line), line.place, _has(line)) for line in _lines(read)} == {
        (
            standing.contestant.surnames if contest == "teams" else standing.contestant.names,
            _place(standing.row.place),
            _value(scored, standing.row),
        )
        for found in scored.main_lists
        for standing in found.standings
    }
    assert {ranking.field for ranking in read.rankings} == ({"NS", "EW"} if pairs == 13 else {""})


@pytest.mark.django_db
@pytest.mark.parametrize("way", ["deleted_at", "rehearsal_until"])
def test_an_archives_deleted_sessions_and_rehearsals_are_none_of_its_sessions(way):
    section = scored_section(4, "howell", rounds=3)
    Session.objects.update(**{way: timezone.now()})

    assert opening.read_sessions(tables_as_json("club", tables_of_club(section.club))) == []


@pytest.mark.django_db
def test_an_archive_that_somebody_has_written_into_is_damaged_or_cut():
    section = scored_section(4, "howell", rounds=3)
    written = json.loads(tables_as_json("club", tables_of_club(section.club)))
    written["tables"]["sections"][0]["name"] = "\0\ud800" + "A" * 60
    for person in written["tables"]["people"]:
        person["national_number"] = "\ud800\0" + "7" * 60

    [read] = opening.read_sessions(json.dumps(written).encode())
    written["tables"]["sections"][0]["contest"] = "x" * 40

    assert {player.national for line in _lines(read) for player in line.players} == {"7" * 20}
    assert {len(ranking.section) for ranking in read.rankings} <= {0, 12}
    with pytest.raises(NotRead, match="broken"):
        opening.read_sessions(json.dumps(written).encode())


def test_numbers_and_places_are_read_however_they_are_written():
    csv = "Place;Name 1;Name 2;Score %;IMPs\n=1;A B;C D;57,291666666666664;−12,5\n=1;E F;G H;57.3;3"

    [read] = opening.read_sessions(csv.encode())

    assert [(line.place, line.percent, line.total) for line in _lines(read)] == [
        (1, "57.291667", "-12.5"),
        (1, "57.3", "3"),
    ]
    assert read.doubts == ("no date",)


@pytest.mark.parametrize(
    "data",
    [
        b"\n" * 2_000_000 + b"x",
        b'[Event "x"]\n[TotalScoreTable "Rank;Names"]\n' + b"{" * 1_000_000,
        b'[Event "x"]\n[TotalScoreTable "Rank;Names"]\n' + b'"' * 1_000_001,
        b'{"format": "bridgebuddy-club", "tables": ' + b"[" * 100_000,
        b'{"format": "bridgebuddy-club", "tables": {"sessions": 1}}',
        b"[" * 1_000_000,
        b"Place;Names;%\n" + b";" * 2_000_000,
    ],
)
def test_what_is_made_to_be_slow_is_not(data):
    [found] = opening.open_files([("a", data)])

    assert found.sessions == ()


def _lines(read):
    return [line for ranking in read.rankings for line in ranking.lines]


def _place(text):
    return int(str(text).rstrip("=")) if text else None


def _value(scored, row):
    value = row.percent if row.percent is not None else row.total
    return round(Decimal(str(value)), 2)


def _has(line):
    return round(Decimal(line.percent or line.total), 2)


def _names(line):
    return line.team or line.joined or " & ".join(player.name for player in line.players)


HEAD = '<?xml version="1.0"?>\n'
PAIR = (
    "<PAIR><PAIR_NUMBER>1</PAIR_NUMBER><PERCENTAGE>61.5</PERCENTAGE><PLACE>1</PLACE><MASTER_POINTS>24</MASTER_POINTS>"
    "<PLAYER><PLAYER_NAME>Zoë Oğuz</PLAYER_NAME><NATIONAL_ID_NUMBER>0012</NATIONAL_ID_NUMBER></PLAYER>"
    "<PLAYER><PLAYER_NAME>Γιώργος Λίνος</PLAYER_NAME></PLAYER></PAIR>"
)
USEBIO = f"""<USEBIO Version="1.2"><CLUB><CLUB_NAME>Bath</CLUB_NAME></CLUB><EVENT EVENT_TYPE="PAIRS">
<EVENT_DESCRIPTION>Monday</EVENT_DESCRIPTION><DATE>05/01/2026</DATE><BOARD_SCORING_METHOD>MATCH_POINTS</BOARD_SCORING_METHOD>
<PARTICIPANTS>{PAIR}</PARTICIPANTS></EVENT></USEBIO>"""


def test_usebio_of_others_has_participants_without_sections():
    [read] = opening.read_sessions((HEAD + USEBIO).encode())

    [line] = read.rankings[0].lines
    assert (read.name, read.date, read.club) == ("Monday", date(2026, 1, 5), "Bath")
    assert (line.percent, line.place, line.masterpoints) == ("61.5", 1, "24")
    assert [(player.name, player.national) for player in line.players] == [
        ("Zoë Oğuz", "0012"),
        ("Γιώργος Λίνος", ""),
    ]


def test_usebio_names_entries_for_missing_pairs_apart():
    bye = PAIR.replace("Zoë Oğuz", "BYE").replace("Γιώργος Λίνος", "Director")
    data = HEAD + USEBIO.replace(PAIR, PAIR + bye.replace("<PLACE>1</PLACE>", ""))

    [read] = opening.read_sessions(data.encode())

    assert read.left_out == ("BYE", "Director")
    assert [len(line.players) for line in read.rankings[0].lines] == [2]


LAUGHS = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 10))


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (
            f'<!DOCTYPE USEBIO [<!ENTITY l0 "ha">{LAUGHS}]>{USEBIO.replace("Bath", "&l9;")}',
            "entities",
        ),
        (
            f'<!DOCTYPE USEBIO [<!ENTITY x SYSTEM "file:///etc/passwd">]>{USEBIO.replace("Bath", "&x;")}',
            "entities",
        ),
        (
            f'<!DOCTYPE USEBIO SYSTEM "http://127.0.0.1/x.dtd" [<!ELEMENT A ANY>]>{USEBIO}',
            "entities",
        ),
        (
            f'<!DOCTYPE USEBIO SYSTEM "usebio_v1_2.dtd">{USEBIO.replace("Bath", "&from;")}',
            "entities",
        ),
        (USEBIO[:300], "broken"),
        ("<USEBIO>" + "<A>" * 50_000, "broken"),
        ("<html><body>Results</body></html>", "unknown"),
        ('<?xml version="1.0" encoding="no-such"?><USEBIO/>', "broken"),
    ],
)
def test_what_xml_could_do_is_refused_in_a_word(text, why):
    with pytest.raises(NotRead) as refused:
        opening.read_sessions(text.encode())

    assert refused.value.why == why


PBN = r"""% PBN 2.1
[Event "Club \"A\" night"]
[Date "2025.11.18"]
[Board "1"]
[TotalScoreTable "Rank\2R;RankTie;PairId\3R;TotalMP\6R;TotalPercentage\5R;Names;MemberId1;MemberId2"]
 1 -   3  120.5 60.25 "Eva \"Jo\" Klein;Otto Klein" "1001" -
 2 2   1  100.0 50.00 "Ann Lee;Bob Day" - -   ; a word of the program
 2 2  12  100.0 50,00 "Kim Ho;Lu Ng" - -
 - -   9   79.0     - "Bye" - -
[Board "2"]
"""


def test_pbn_tables_with_widths_quotes_ties_and_a_bye():
    [read] = opening.read_sessions(PBN.encode("latin-1"))

    assert (read.name, read.date, read.unit) == ('Club "A" night', date(2025, 11, 18), "mp")
    [ranking] = read.rankings
    assert [(line.place, line.label, line.total, line.percent) for line in ranking.lines] == [
        (1, "3", "120.5", "60.25"),
        (2, "1", "100.0", "50.00"),
        (2, "12", "100.0", "50.00"),
    ]
    assert [(player.name, player.national) for player in ranking.lines[0].players] == [
        ('Eva "Jo" Klein', "1001"),
        ("Otto Klein", ""),
    ]
    assert read.doubts == ()


@pytest.mark.parametrize("columns", ["Rank;Names", "+Rank;-Names", r"-Rank\2R;+Names\10L"])
def test_pbn_columns_are_read_however_a_table_is_sorted(columns):
    assert list(_rows_of_table(columns, '1 "Ann"')) == [{"rank": "1", "names": "Ann"}]


@pytest.mark.parametrize("sign", [";", " - ", " & ", " / "])
def test_pbn_names_are_two_people_whatever_stands_between_them(sign):
    lines = (f'1 1 60.25 "Eva-Jo Klein{sign}Otto Klein"', f'2 2 39.75 "DIRECTOR{sign}Director 2"')
    table = '[TotalScoreTable "Rank;PairId;TotalPercentage;Names"]'
    [read] = opening.read_sessions("\n".join(('[Event "Club"]', table, *lines, "")).encode())

    [ranking] = read.rankings
    assert read.contest == "pairs"
    assert [player.name for player in ranking.lines[0].players] == ["Eva-Jo Klein", "Otto Klein"]
    assert not any(line.players for line in ranking.lines[1:])
    assert read.left_out == ("DIRECTOR", "Director 2")


TABLE = "Platz{0}Name 1{0}Name 2{0}Prozent\r\n1{0}Eva Klein{0}Otto Klein{0}{1}\r\n2{0}'=1+1{0}Bo Ek{0}40\r\n"
SEMICOLONS = TABLE.format(";", "60,5")


@pytest.mark.parametrize(
    "data",
    [
        SEMICOLONS.encode("utf-8-sig"),
        SEMICOLONS.encode("utf-16"),
        ("sep=;\r\n" + SEMICOLONS).encode("cp1252"),
        TABLE.format("\t", "60,5 %").encode(),
        TABLE.format(",", "60.5%").encode(),
        ("Dienstag, 4.3.2025\n" + SEMICOLONS).encode(),
    ],
)
def test_a_table_of_a_spreadsheet_however_it_is_written(data):
    [read] = opening.read_sessions(data)

    assert [(line.place, line.percent) for line in _lines(read)] == [(1, "60.5"), (2, "40")]
    assert [player.name for player in _lines(read)[1].players] == ["=1+1", "Bo Ek"]


def test_one_table_may_have_a_season():
    rows = ["Datum;Turnier;Rang;Paar Namen;MP %;CP"]
    rows += [f"{day:02}.01.2026;Montag;1;Ann Lee & Bob Day;55,5;12" for day in (5, 12, 19)]

    read = opening.read_sessions("\n".join(rows).encode())

    assert [(session.date, session.name) for session in read] == [
        (date(2026, 1, day), "Montag") for day in (5, 12, 19)
    ]
    assert read[0].rankings[0].lines[0].masterpoints == "12"


def test_one_table_may_have_twenty_years():
    days = [date(2005, 1, 3) + timedelta(days=4 * n) for n in range(2000)]
    rows = [
        f"{day};Monday;{place};Ann Lee & Bob Day;{60 - place}"
        for day in days
        for place in range(1, 17)
    ]

    [found] = opening.open_files(
        [("a.csv", "\n".join(("Date;Event;Place;Names;%", *rows)).encode())]
    )

    assert [session.date for session in found.sessions] == days
    assert {len(_lines(session)) for session in found.sessions} == {16}


def test_what_is_doubtful_is_said():
    lines = "".join(f"1;A{n} B;C D{n};123,4\n" for n in range(30))
    [thirty] = opening.read_sessions(("Platz;Name 1;Name 2;%\n" + lines).encode())
    [nothing] = opening.read_sessions(b"Name 1;Name 2;%\nAnn Lee;Bob Day;50\n")

    assert thirty.doubts == (ImportDoubt.NO_DATE, ImportDoubt.PER_CENT)
    assert len(thirty.rankings[0].lines) == 30
    assert nothing.doubts == (ImportDoubt.NO_DATE, ImportDoubt.NO_PLACES)
    [twice] = opening.read_sessions(b"Pos;Name1;Name2;Score\n1;A B;C D;9\n3;E F;G H;8\n")
    assert ImportDoubt.PLACES in twice.doubts


def packed(files, how=zipfile.ZIP_DEFLATED):
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w", how) as found:
        for name, data in files:
            found.writestr(name, data)
    return written.getvalue()


def test_a_zip_is_its_files():
    data = packed(
        [
            ("x/2025-03-04 Pokal.csv", SEMICOLONS),
            ("__MACOSX/._a", b"x"),
            ("b.xml", USEBIO),
            ("c.txt", "hello"),
        ]
    )

    found = opening.open_files([("season.zip", data), ("again.csv", SEMICOLONS.encode())])

    assert [(file.name, file.why) for file in found] == [
        ("2025-03-04 Pokal.csv", ""),
        ("b.xml", ""),
        ("c.txt", "no list"),
        ("again.csv", ""),
    ]
    assert (found[0].sessions[0].date, found[0].sessions[0].name) == (date(2025, 3, 4), "Pokal")
    assert found[0].digest == found[3].digest


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"", "empty"),
        (b"\0" * 50, "empty"),
        (b"\x89PNG\r\n\x1a\n" + b"x" * 90, "unknown"),
        (packed([("[Content_Types].xml", "<x/>"), ("xl/a.xml", "<x/>")]), "unknown"),
        (b"x" * 5_000_001, "large"),
        (packed([("bomb.csv", b"0" * 30_000_000)]), "large"),
        (b'[Board "1"]\n[Deal "N:..."]', "no list"),
        (b"a;b;c\n" * 70_000, "large"),
        (b"PK\x05\x06" + b"x" * 40, "no list"),
    ],
)
def test_what_is_no_list_is_told_in_a_word(data, why):
    [found] = opening.open_files([("a", data)])

    assert (found.why, found.sessions) == (why, ())


def test_too_much_at_once_is_refused(monkeypatch):
    monkeypatch.setattr(opening, "MOST_FILES", 12)
    with pytest.raises(NotRead, match="many"):
        opening.open_files([("many.zip", packed([(f"{n}.csv", "x") for n in range(13)]))])
    with pytest.raises(NotRead, match="packed"):
        opening.open_files([("other.zip", packed([("a.csv", SEMICOLONS)], zipfile.ZIP_BZIP2))])
    with pytest.raises(NotRead, match="packed"):
        opening.open_files([("half.zip", packed([("a.csv", SEMICOLONS)])[:80])])


def test_a_small_file_that_unpacks_into_many_tags_is_refused_before_it_is_read(monkeypatch):
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as file:
        for number in range(12):
            file.writestr(f"{number}.pbn", b'[Note "1:x"]\n' * 370_000)
    data = packed.getvalue()
    read = []
    monkeypatch.setattr(opening, "read_sessions", lambda found: read.append(found) or [])

    with pytest.raises(NotRead) as refused:
        opening.open_files([("year.zip", data)])

    assert len(data) < 200_000
    assert refused.value.why == "many"
    assert len(read) == 1  # of twelve, four seconds each


def test_headings_of_many_programs_are_understood():
    roles = [
        role
        for role, _ in tables.heading_columns(
            ["Rang", "Paar", "Spieler 1", "DBV-Nr. 1", "Vorname", "VP", "Boards", "Score %"]
        )
    ]

    assert roles == ["place", "label", "player", "national", "forename", "vp", "boards", "percent"]
