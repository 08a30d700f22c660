"""Lists of other programs and the values read from them, as a page; `python -m tests.scoring.read_files` writes it
anew.

Our own files are those of `written_files`; the others are written as people and programs write them.
"""

from __future__ import annotations

import csv
import io
import json
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from bridgebuddy.scoring.rules.past import opening
from bridgebuddy.scoring.rules.past.model import ImportedLine, NotRead, PastSession

from .written_files import SESSIONS, written

PAGE = Path(__file__).parents[1] / "data" / "scoring" / "read_files.txt"


def tables() -> Mapping[str, Any]:
    """Return another BridgeBuddy's export: sessions of pairs, of teams, from elsewhere, and one that never counted."""

    def rows(*names: str) -> Any:
        return lambda *values: [dict(zip(names, value, strict=False)) for value in values]

    return {
        "events": rows("id", "name")((1, "Tuesday"), (2, "League")),
        "sessions": rows("id", "event_id", "date", "deleted_at")(
            (11, 1, "2024-05-07", None),
            (12, 2, "2024-05-08", None),
            (13, 1, "2024-05-14", "2024-06-01"),
            (14, 1, "2019-05-14", None),
        ),
        "scorings": rows("session_id", "final_at")((11, "2024-05-07"), (12, None), (14, "2019")),
        "people": [
            {"id": n, "name": f"Person {n}", "national_number": f"0{n}", "member_number": ""}
            for n in range(1, 9)
        ],
        "sections": rows("id", "name", "contest")((21, "A", "pairs"), (22, "B", "teams")),
        "entries": rows("id", "name")((31, ""), (32, ""), (33, "The Team"), (34, "")),
        "places": rows("entry_id", "position", "person_id")(
            *((31, 2, 2), (31, 1, 1), (31, 1, 8), (32, 1, 3), (32, 2, 4), (33, 1, 5), (34, 1, 6))
        ),
        "standings": rows(
            *("session_id", "section_id", "entry_id", "list", "number", "names", "place", "total"),
            *("percent", "boards", "unit", "masterpoints"),
        )(
            (11, 21, 31, "A NS", "NS1", "", "1", "12.5", "62.5", "10", "mp", "0.3"),
            (11, 21, 32, "A EW", "EW1", "", "1=", "7", None, "9", "mp", None),
            (12, 22, 33, "B", "1", "of names", "2", "14", None, "", "vp"),
            (12, 22, 34, "B", "2", "One & Two", "1", "16", None, "", "vp"),
            (13, 21, 31, "A", "1", "", "1", "5", "50", "1"),
        ),
        "past_sessions": rows("id", "session_id", "contest", "unit", "program")(
            (41, 14, "pairs", "imp", "Old Program")
        ),
        "past_lines": rows(
            *("id", "past_id", "number", "section", "field", "team", "label", "place", "total"),
            *("percent", "boards"),
        )(
            (52, 41, 2, "", "NS", "", "2", "2", "-3,5", "", 24),
            (51, 41, 1, "", "NS", "", "1", "1", "3,5", "", 24),
        ),
        "past_places": rows("line_id", "position", "person_id")((51, 2, 8), (51, 1, 7), (52, 1, 1)),
    }


def without_names() -> Mapping[str, Any]:
    """Return the same for entries without a name of their own, and for a list without seats."""
    of_tables = tables()
    return {
        "entries": [{"id": entry["id"]} for entry in of_tables["entries"]],
        "past_lines": [line | {"field": ""} for line in of_tables["past_lines"]],
    }


def packed(leave_out: str = "", broken: str = "") -> bytes:
    """The same as a ZIP of tables, in a folder of its own."""
    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w") as packed:
        for name, rows in tables().items():
            text = io.StringIO()
            writer = csv.DictWriter(text, [*dict.fromkeys(key for row in rows for key in row), "x"])
            writer.writeheader()
            writer.writerows(rows)
            if name != leave_out:
                data = b"id,name\n1,\xf6" if name == broken else text.getvalue().encode("utf-8-sig")
                packed.writestr(f"all/{name}.csv", data)
    return whole.getvalue()


#: as people and programs write them
OTHERS = {
    "names in two columns": "Club night 4.3.2025\n\nPlatz;Vorname 1;Nachname 1;Vorname 2;Nachname 2;DBV-Nr. 1;MP;%\n"
    "1;Eva;Klein;Otto;Groß;0012;120,5;60,25\n2=;Bo;Ek;;Lee;;80;40\n-;Freilos;;;;;;\n",
    "names in one": "Pos,Pair,Names,Section,Direction,Score,Boards\n"
    '1,3,"Ann Lee & Bob Day",A,N/S,"61.5 %",24\n1,4,"Kim / Lu",A,o/w,40%,20\n2,5,Cy and Di,B,E-W,39%,\n',
    "single players": "Rang\tSpieler\tProzent\n1\tEva\t61\n2\tOtto\t39\n",
    "teams by name": "Rank|Team|VPs|IMPs\n1|The First|44|12\n2|The Others|16|-12\n",
    "teams of names alone": "Rank;Names;Score\n1;First;44\n2;Second;16\n",
    "points of the federation": "Place;Player 1;Player 2;Butler;Masterpoints;Id 1;EBU 2\n1;A B;C D;12,3;8;77;88\n",
    "an event and a day in each line": "Date;Event;Place;Names;%\n2025-01-07;Cup;1;A B & C D;60\n"
    "2025-01-14;Cup;2;A B & C D;40\n;;1;E F & G H;55\n\nBoard;NS;EW\n1;1;2\n",
    "a separator that is said": "sep=|\nPlace|Name 1|Name 2|Result\n1|A B|C D|12\n",
    "a separator that is none": "sep=x\nPlacexName 1\n",
    "no heading": "1;A B;C D;60\n",
    "bridgewebs": "#VERSION,Other 3\n#TITLE,Cup\n#DATE,7/1/2025\n#CLUB,Bath\n#WINNERS,2\n#SCORES\nPosition,Pair,Name1,"
    "Name2,Percent\n1,1,A B,C D,60\n2,3,I J,K L,40\n\n#SCORES\nPosition,Pair,Name1,Name2,Percent\n1,2,E F,G H,55\n"
    "2,4,M N,O P,45\n#BOARDS,1\n1,2,3\n",
    "bridgewebs of one winner in two lists": "#WINNERS,1\n#SCORES\nPos,Pair,Names,%\n1,1,A & B,60\n2,2,C & D,40\n"
    "#SCORES\nPos,Pair,Names,%\n1,3,E & F,70\n2,4,G & H,30\n",
    "a long number of a federation": f"Place;Player 1;Id 1;%\n1;Ann;{'1234567890' * 3};60\n2;Bob;;40\n",
    "no session of usebio": "<x><!-- <usebio> --></x>",
    "usebio of two sections": "<USEBIO><EVENT>"
    + "".join(
        f"<SECTION SECTION_ID='{letter}'><PARTICIPANTS>"
        + "".join(
            f"<PAIR><PLACE>{place}</PLACE><PLAYER><PLAYER_NAME>{letter} {place}</PLAYER_NAME></PLAYER></PAIR>"
            for place in (1, 2)
        )
        + "</PARTICIPANTS></SECTION>"
        for letter in "GH"
    )
    + "</EVENT></USEBIO>",
    "bridgewebs of three": "#SCORES\nPos,Team,VP\n1,First,12\n#SCORES\nPos,Team,VP\n1,Other,10\n#SCORES\n",
    "pbn": '[Event "Pairs"]\n[Generator "Other 5"]\n[Date "2025.01.07"]\n[TotalScoreTable "Rank;PairId;Names;TotalIMP;NrBoards;MemberId1"]\n'
    '1 5 "A B;C D" 12.5 24 "17"\n- 6 "E F;G H" - 24 -\n{ a comment }\n[Board "1"]\n',
    "pbn of teams": '[Event "#"]\n[TotalScoreTable "Rank;TeamId;Names;TotalVP"]\n1 2 "First" 24\n2 1 "Second" 16\n',
    "usebio of teams": '<?xml version="1.0"?>\n<USEBIO><EVENT EVENT_TYPE="SWISS_TEAMS"><PROGRAM_NAME>Other</PROGRAM_NAME>'
    "<EVENT_DESCRIPTION>Cup</EVENT_DESCRIPTION><DATE>07/01/2025</DATE><PARTICIPANTS><TEAM><TEAM_ID>1</TEAM_ID>"
    "<TEAM_NAME>First</TEAM_NAME><TOTAL_SCORE>24</TOTAL_SCORE><PLACE>1</PLACE><PLAYER><PLAYER_NAME>A B</PLAYER_NAME>"
    "<CLUB_ID_NUMBER>7</CLUB_ID_NUMBER></PLAYER></TEAM><TEAM><TEAM_ID>2</TEAM_ID><TEAM_NAME>Bye</TEAM_NAME></TEAM>"
    "</PARTICIPANTS></EVENT></USEBIO>",
    "archive": json.dumps({"format": "bridgebuddy-club", "tables": tables()}),
    "archive after an empty line": "\ufeff\r\n"
    + json.dumps({"format": "bridgebuddy-club", "tables": tables()}),
    "archive without names of entries, and lists without lines": json.dumps(
        {"format": "bridgebuddy-club", "tables": tables() | without_names()}
    ),
    "broken archive": '{"format": "bridgebuddy-club", "tables": {"sessions": 3}}',
}


def lines_of(line: ImportedLine) -> str:
    people = ", ".join(
        f"{player.name} [{player.national} {player.member}]"
        if player.national or player.member
        else player.name
        for player in line.players
    )
    who = " | ".join((people, line.joined, line.team))
    has = f"{line.total!r} {line.percent!r} {line.masterpoints!r} of {line.boards}"
    return f"{line.place} {line.label!r} {who}: {has}"


def told(session: PastSession) -> Iterator[str]:
    yield f"{session.name!r} {session.date} {session.contest} {session.unit!r} {session.format}"
    yield f"  {session.club!r} {session.program!r} {session.is_final} {list(session.doubts)}"
    for ranking in session.rankings:
        yield f"  {ranking.section!r} {ranking.field!r}"
        yield from (f"    {lines_of(line)}" for line in ranking.lines)


def read(text: str) -> str:
    try:
        return page_of(opening.read_sessions(text.encode()))
    except NotRead as refused:
        return f"not read: {refused.why}\n"


def page_of(sessions: Iterable[PastSession]) -> str:
    return "".join(f"{line.rstrip()}\n" for session in sessions for line in told(session))


def files() -> Iterator[tuple[str, str]]:
    """Yield every file: its title and its text."""
    for name in SESSIONS:
        yield from ((title, text) for title, text in written(name) if "lines" not in title)
    yield from OTHERS.items()


def page() -> str:
    return "".join(f"== {title}\n{read(text)}" for title, text in files())


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
