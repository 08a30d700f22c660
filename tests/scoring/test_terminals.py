"""Results of Bridgemate terminals: a file is read, shown beside the session, taken at once, and taken back.

`tests/data/bws/evening.bws` is a database of Access; how it was made says `make.py` beside it.
"""

import json
import re
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from bridgebuddy.audit.models import AuditRecord
from bridgebuddy.events.services.play.rounds import start_next_round
from bridgebuddy.scoring import access_tables
from bridgebuddy.scoring.access_tables import CannotRead, read_tables
from bridgebuddy.scoring.files.terminals import TerminalFile
from bridgebuddy.scoring.models import Result
from bridgebuddy.scoring.rules.files.terminals import (
    MOST_LINES,
    NoResults,
    ReceivedFile,
    ReceivedLine,
    read_received,
)
from bridgebuddy.scoring.services.results import enter_result
from bridgebuddy.scoring.snapshot.session_snapshot import SessionSnapshot
from tests.factories import section_with

DATA = Path(__file__).parent.parent / "data" / "bws"
EVENING = (DATA / "evening.bws").read_bytes()
HEAD = "ID,Section,Table,Round,Board,PairNS,PairEW,NS/EW,Contract,Result,LeadCard,Remarks,Erased\n"
FOUR = {"contract": "4S", "declarer": "S", "tricks": 10, "lead": "HA"}


def line(contract, result="=", declarer="N", lead="", remark=""):
    text = f'1,1,1,1,1,1,6,"{declarer}","{contract}","{result}","{lead}","{remark}",0\n'
    (found,) = read_received(HEAD + text).lines
    return found.outcome or found.problem


def test_a_file_is_read_as_it_was_written():
    told = json.loads((DATA / "evening.json").read_text())
    lines = read_received(*read_tables(EVENING, "ReceivedData", "Section"))
    kept = [result for result in told["results"] if not result[-1]]
    assert [(x.section, x.table, x.round, x.board, x.ns, x.ew) for x in lines.lines] == [
        ("AB"[section - 1], *rest) for section, *rest in (result[:6] for result in kept)
    ]
    assert lines.days == (told["date"],)
    assert lines.erased == 1
    assert lines.lines[0].outcome == FOUR
    assert lines.lines[1].outcome == {
        "contract": "3NT",
        "declarer": "N",
        "tricks": 10,
        "lead": "ST",
    }


@pytest.mark.parametrize(
    ("asked", "outcome"),
    [
        (("3 NT xx", "-2", "E"), {"contract": "3NTxx", "declarer": "E", "tricks": 7}),
        (("7 C", "=", "W", "SKIP"), {"contract": "7C", "declarer": "W", "tricks": 13}),
        (("1 D X", "+6", "S"), {"contract": "1Dx", "declarer": "S", "tricks": 13}),
        (
            ("7 N", "-13", "S", "c2"),
            {"contract": "7NT", "declarer": "S", "tricks": 0, "lead": "C2"},
        ),
        (("1 N", "-8", "S"), "impossible"),
        (("PASS", "", ""), {"passed": True}),
        (("", "", "", "", "Not played"), {"not_played": "skipped"}),
        (("", "", "", "", "60%-40%"), "remark"),
        (("4 H", "+4"), "impossible"),
        (("4 H", "10"), "contract"),
        (("8 H", "="), "contract"),
        (("", ""), "contract"),
        (("4 H", "=", ""), "declarer"),
    ],
)
def test_what_a_terminal_says_becomes_an_outcome_or_is_doubtful(asked, outcome):
    assert line(*asked) == outcome


def test_columns_that_a_program_leaves_out_say_nothing():
    head = "ID,Section,Table,Round,Board,PairNS,PairEW,NS/EW,Contract,Result\n"

    lines = read_received(head + '1,1,1,1,1,1,6,"N","4 S","="\n')

    assert [result.outcome for result in lines.lines] == [
        {"contract": "4S", "declarer": "N", "tricks": 10}
    ]
    assert (lines.lines[0].said, lines.days, lines.erased) == ("4 S N =", (), 0)


def test_a_declarer_of_the_other_pair_is_doubtful():
    head = HEAD.replace("NS/EW", "Declarer,NS/EW")
    (ours, theirs) = read_received(
        head + '1,1,1,1,1,1,6,6,"E","2 S","=",,,0\n2,1,1,1,2,1,6,1,"E","2 S","=",,,0\n'
    ).lines
    assert (ours.problem, theirs.problem) == ("", "declarer")


def test_an_empty_table_of_results_is_no_error_and_an_endless_one_is():
    assert read_received(HEAD).lines == ()
    with pytest.raises(NoResults, match="many"):
        read_received(HEAD + "1,1,1,1,1,1,6,,PASS,,,,0\n" * (MOST_LINES + 1))
    with pytest.raises(NoResults, match="unknown"):
        read_received('ID,"Letter"\n1,"A"\n')


@pytest.mark.parametrize(
    ("file", "why"),
    [
        (b"", "unknown"),
        (b"\x00\x01\x00\x00Standard Jet DB\x00" + b"\xff" * 9_000, "unknown"),
        (EVENING[:90_000], "unknown"),
        (EVENING[:4_096], "unknown"),
        (EVENING.replace("ReceivedData".encode("utf-16-le"), "NothingThere".encode("utf-16-le")), "unknown"),
        (b"x" * (access_tables.MOST_BYTES + 1), "large"),
    ],
    ids=["empty", "rubbish", "cut", "first page", "another database", "large"],
)  # fmt: skip
def test_no_file_breaks_the_reader(file, why):
    with pytest.raises(CannotRead, match=why):
        read_tables(file, "ReceivedData", "Section")


@pytest.mark.parametrize(
    "does", ["while :; do :; done", "yes", "kill -11 $$"], ids=["loops", "floods", "crashes"]
)
def test_the_program_that_reads_is_stopped(tmp_path, monkeypatch, does):
    program = tmp_path / access_tables.PROGRAM
    program.write_text(f"#!/bin/sh\n{does}\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    few = (*access_tables.LIMITED[:-3], "1", "400000000", "100000")
    monkeypatch.setattr(access_tables, "LIMITED", few)
    with pytest.raises(CannotRead, match="unknown"):
        read_tables(EVENING, "ReceivedData")


def test_the_program_that_reads_writes_utf_8_and_knows_no_secret(tmp_path, monkeypatch):
    program = tmp_path / access_tables.PROGRAM
    program.write_text('#!/bin/sh\necho "$LANG, secret: $SECRET_KEY."\n')
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    monkeypatch.setenv("SECRET_KEY", "of the server")

    assert read_tables(EVENING, "ReceivedData") == ["C.UTF-8, secret: .\n"]


# ── beside a session ──


@pytest.fixture
def section(club, alice):
    """Return five tables, two rounds of two boards, with two results entered."""
    section = section_with(10, "mitchell", round=2, boards_per_round=2, club=club, by=alice)
    section.session.date = date(2024, 3, 12)
    section.session.save()
    for board, tricks in ((1, 10), (2, 9)):
        contract = {1: FOUR, 2: {"contract": "3NT", "declarer": "N"}}[board]
        enter_result(
            section, play(section, 1, 1, board).pk, contract | {"tricks": tricks}, by=alice
        )
    section.refresh_from_db()
    return section


def play(section, round, table, board):
    return section.plays.get(round=round, table=table, board=board)


def standing(section):
    found = Result.objects.filter(play__section=section, stands=True).exclude(outcome=None)
    return {
        (result.play.round, result.play.table, result.play.board): result.outcome
        for result in found
    }


def uploaded(browser, section, file=EVENING, name="evening.bws"):
    sent = {"file": SimpleUploadedFile(name, file)}
    return browser.post(reverse("terminals", args=[section.code]), sent)


def pressed(browser, section, shown, **more):
    preview = shown.context["preview"]
    sent = {"seen": preview.token, "key": preview.terminals.key, "do": "take"} | more
    return browser.post(reverse("terminals", args=[section.code]), sent)


def test_an_evening_is_shown_taken_and_taken_back(section, alice, signed_in):
    browser = signed_in(alice)
    before = standing(section)

    shown = uploaded(browser, section)

    assert standing(section) == before
    preview = shown.context["preview"]
    assert len(preview.terminals.new) == 13
    assert [item.said.board for item in preview.terminals.same] == [1]
    assert [item.said.board for item in preview.terminals.differing] == [2]
    assert [
        (item.said.section, item.said.round, item.said.table, item.said.board, why)
        for item, why in preview.doubts
    ] == [
        ("A", 1, 1, 40, "Board 40 was not played at table 1 in round 1."),
        ("A", 1, 5, 10, "A ruling was entered on the terminal. Enter it on the board’s page."),
        ("A", 1, 9, 1, "Nobody played at table 9 in round 1."),
        ("A", 2, 1, 4, "The other way round: 10 N-S there, here NS 1 against EW 5."),
        ("A", 2, 2, 5, "The contract and the result do not fit together."),
        ("A", 2, 2, 6, "This result is impossible on this board."),
        ("A", 2, 4, 9, "Other pairs: 1 and 6 there, here NS 4 and EW 3."),
        ("A", 3, 1, 5, "Round 3 has not begun here."),
        ("B", 1, 1, 1, "There is no section B here."),
    ]
    assert not preview.terminals.is_of_another_day
    assert not preview.terminals.other_numbers

    assert pressed(browser, section, shown).status_code == 302

    after = standing(section)
    assert len(after) == len(before) + 13
    assert {place: after[place] for place in before} == before
    assert after[1, 5, 9] == {"not_played": "skipped"}
    assert after[1, 2, 3] == {"contract": "4S", "declarer": "S", "tricks": 9}
    assert Result.objects.filter(source="terminal", by=alice).count() == 13
    assert AuditRecord.objects.get(action="results.terminals").facts == {"results": 13}
    enter_result(section, play(section, 1, 2, 4).pk, {"passed": True}, by=alice)

    readout = Result.objects.filter(source="terminal").first().readout_id
    page = browser.get(reverse("terminals", args=[section.code])).content.decode()
    assert "evening.bws" in page
    assert "12 results stand" in re.sub(r"\s+", " ", page)
    browser.post(reverse("terminals-back", args=[section.code, readout]))

    assert standing(section) == before | {(1, 2, 4): {"passed": True}}


def test_a_file_of_another_day_is_asked_about_in_dates_as_people_write_them(
    section, alice, signed_in
):
    section.session.date = date(2024, 4, 2)
    section.session.save()

    page = uploaded(signed_in(alice), section).content.decode()

    assert "came in on Tue 12 Mar 2024; this session is of Tue 2 Apr 2024." in page


def test_another_result_is_taken_where_it_is_ticked_and_can_be_taken_back_to_the_one_before(
    section, alice, signed_in
):
    browser = signed_in(alice)
    other = play(section, 1, 1, 2).pk
    before = standing(section)
    pressed(browser, section, uploaded(browser, section), instead=[other])
    assert standing(section)[1, 1, 2]["tricks"] == 10
    browser.post(reverse("terminals-back", args=[section.code, Result.objects.last().readout_id]))
    assert standing(section) == before


def test_nothing_is_taken_when_the_session_is_another_one_than_was_shown(section, alice, signed_in):
    browser = signed_in(alice)
    shown = uploaded(browser, section)
    enter_result(section, play(section, 1, 2, 4).pk, {"passed": True}, by=alice)
    before = standing(section)

    again = pressed(browser, section, shown)

    assert again.status_code == 422
    assert "Another director has changed the session meanwhile." in again.content.decode()
    assert len(again.context["preview"].terminals.new) == 12
    start_next_round(section, after=2, by=alice)
    again = pressed(browser, section, again)
    assert again.status_code == 422
    assert standing(section) == before
    assert pressed(browser, section, again).status_code == 302
    assert len(standing(section)) == len(before) + 13  # that of round 3, too


def test_what_was_shown_of_another_session_is_not_taken(section, alice, carol, signed_in):
    browser, stranger = signed_in(alice), signed_in(carol)
    shown = uploaded(browser, section)
    theirs = section_with(10, "mitchell", round=2, boards_per_round=2, by=carol)
    club = theirs.club
    club.memberships.create(user=carol, is_director=True)
    assert pressed(stranger, section, shown).status_code == 404
    assert pressed(stranger, theirs, shown).status_code == 302
    assert standing(theirs) == {}


def test_a_file_of_another_evening_says_so(section, alice, signed_in):
    section.session.date = date(2024, 3, 19)
    section.session.save()
    page = uploaded(signed_in(alice), section).content.decode()
    assert "came in on Tue 12 Mar 2024; this session is of Tue 19 Mar 2024" in " ".join(
        page.split()
    )


@pytest.mark.parametrize("file", [b"no database", b"x" * 9_000_000], ids=["rubbish", "large"])
def test_a_hostile_file_is_told_in_a_sentence(section, alice, signed_in, file):
    answer = uploaded(signed_in(alice), section, file)
    assert answer.status_code == 422
    assert answer.context["form"].errors["file"]


def test_a_server_without_the_program_says_so(section, alice, signed_in, monkeypatch):
    monkeypatch.setattr(access_tables, "PROGRAM", "no-such-program")
    browser = signed_in(alice)
    page = browser.get(reverse("terminals", args=[section.code])).content.decode()
    assert "mdb-export is missing" in page
    assert 'type="file"' not in page
    assert uploaded(browser, section).status_code == 422


def received(line, ns, ew):
    return ReceivedLine("A", line.table, line.round, line.board, ns, ew, {"passed": True}, "PASS")


def test_pairs_that_the_terminals_number_otherwise_are_known_by_where_they_sit(section):
    """NS 1 is 51 there, EW 1 is 71: and a line in which 52 sits where 51 does is doubtful."""
    tonight = SessionSnapshot(section)
    begun = [line for line in tonight.lines if line.has_begun]
    lines = [received(line, 50 + line.ns[0].number, 65 + line.ew[0].number) for line in begun]
    wrong = received(begun[-1], 52, lines[-1].ew)
    file = ReceivedFile((*lines[:-1], wrong))
    assert TerminalFile(tonight, file).new == []
    assert TerminalFile(tonight, file).other_numbers
    by_place = TerminalFile(tonight, file, by_place=True)
    assert [(item.said, item.why) for item in by_place.doubtful] == [(wrong, "pairs")]
    assert len(by_place.new) + len(by_place.differing) == len(begun) - 1


def test_pairs_are_numbered_otherwise_where_more_than_half_of_the_lines_say_so(section):
    tonight = SessionSnapshot(section)
    begun = [line for line in tonight.lines if line.has_begun][:4]
    right = [received(line, line.ns[0].number, line.ew[0].number) for line in begun]
    wrong = [received(line, 50 + line.ns[0].number, line.ew[0].number) for line in begun]
    assert not TerminalFile(tonight, ReceivedFile((*wrong[:2], *right[2:]))).other_numbers
    assert TerminalFile(tonight, ReceivedFile((*wrong[:3], *right[3:]))).other_numbers


def test_the_letter_of_the_only_section_says_nothing_and_of_two_it_does(section):
    tonight = SessionSnapshot(section)
    begun = [line for line in tonight.lines if line.has_begun][:2]
    lines = [received(line, line.ns[0].number, line.ew[0].number) for line in begun]
    other = [replace(item, section="C") for item in lines]

    def doubts(*said):
        return [item.why for item in TerminalFile(tonight, ReceivedFile(said)).lines]

    assert doubts(*other) == doubts(*lines)
    assert doubts(lines[0], other[1]) == [doubts(*lines)[0], "section"]


def test_a_file_with_two_sections_is_taken_in_both(club, alice, signed_in):
    first = section_with(10, "mitchell", round=1, boards_per_round=2, club=club, by=alice)
    second = section_with(10, "mitchell", round=1, boards_per_round=2, club=club, by=alice)
    second.session, second.name = first.session, "B"
    second.save()
    tonight = SessionSnapshot(first)
    lines = [
        ReceivedLine(row.section.name, 1, 1, row.board, 1, 6, {"passed": True}, "PASS")
        for row in tonight.lines
        if row.table == 1 and row.has_begun
    ]
    found = TerminalFile(tonight, ReceivedFile(tuple(lines)))
    assert [item.line.section.pk for item in found.new] == [first.pk] * 2 + [second.pk] * 2
