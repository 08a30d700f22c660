"""USEBIO files: the participants of their sections. No external entity is loaded or expanded."""

from __future__ import annotations

from collections.abc import Iterator
from xml.etree.ElementTree import Element, TreeBuilder
from xml.parsers import expat

from .model import (
    LONGEST_TITLE,
    ImportedLine,
    ImportedPlayer,
    ImportedRanking,
    NotRead,
    PastSession,
    count_of,
    date_in,
    joined_rankings,
    missing_pair_names,
    number_of,
    place_of,
    players_of,
    text_of,
)

#: greatest depth of a file of results
DEEPEST = 20
UNITS = {"VPS": "vp", "VP": "vp", "MATCH_POINTS": "mp"}
FIELDS = {"NS": "NS", "N": "NS", "EW": "EW", "E": "EW"}


def tree_of(data: bytes) -> Element:
    """Return the elements of a file. Raises `NotRead`: "entities" if it declares any, otherwise "broken".

    A DTD outside the file may be named, as in every USEBIO file, but is never loaded.
    """
    builder, depth = TreeBuilder(), 0

    def start(name: str, found: dict[str, str]) -> None:
        nonlocal depth
        depth += 1
        if depth > DEEPEST:
            raise NotRead("broken")
        builder.start(name.upper(), found)

    def end(name: str) -> None:
        nonlocal depth
        depth -= 1
        builder.end(name.upper())

    def doctype(_name: str, _system: str | None, _public: str | None, has_subset: int) -> None:
        if has_subset:
            raise NotRead("entities")

    def refuse(*_told: object) -> int:
        raise NotRead("entities")

    parser = expat.ParserCreate()
    parser.buffer_text = True
    parser.StartElementHandler, parser.EndElementHandler = start, end
    parser.CharacterDataHandler = builder.data
    parser.StartDoctypeDeclHandler = doctype
    parser.EntityDeclHandler = parser.ExternalEntityRefHandler = parser.SkippedEntityHandler = (
        refuse
    )
    try:
        parser.Parse(data, True)
        return builder.close()
    except (expat.ExpatError, LookupError, ValueError) as wrong:
        raise wrong if isinstance(wrong, NotRead) else NotRead("broken") from wrong


def read_usebio(data: bytes) -> list[PastSession]:
    """Return the sessions of a file: one for each event. Raises `NotRead`."""
    root = tree_of(data)
    if root.tag != "USEBIO":
        raise NotRead("unknown")
    club = _text_at(root, "CLUB/CLUB_NAME")
    return [
        past_session
        for event in root.iter("EVENT")
        if (past_session := _session_of_event(event, club)).rankings
    ]


def _session_of_event(event: Element, club: str) -> PastSession:
    kind = event.get("EVENT_TYPE", "").upper()
    contest = "teams" if "TEAM" in kind else "individual" if "INDIVIDUAL" in kind else "pairs"
    sections = [*event.iter("SECTION")] or [event]
    rankings = [
        ImportedRanking(tuple(lines), field, text_of(section.get("SECTION_ID", ""), 12))
        for section in sections
        for field, lines in _lines_by_field(section).items()
    ]
    method = _text_at(event, "MATCH_SCORING_METHOD") or _text_at(event, "SCORING_METHOD")
    by_board = _text_at(event, "BOARD_SCORING_METHOD").upper()
    return PastSession(
        _text_at(event, "EVENT_DESCRIPTION") or _text_at(event, "EVENT_IDENTIFIER"),
        date_in(_text_at(event, "DATE")),
        joined_rankings(rankings),
        contest,
        UNITS.get(method.upper()) or UNITS.get(by_board) or ("imp" if "IMP" in by_board else ""),
        "USEBIO",
        club,
        _text_at(event, "PROGRAM_NAME"),
        identifier=_text_at(event, "EVENT_IDENTIFIER")[:LONGEST_TITLE],
        left_out=missing_pair_names("".join(name.itertext()) for name in event.iter("PLAYER_NAME")),
    )


def _lines_by_field(section: Element) -> dict[str, list[ImportedLine]]:
    lists: dict[str, list[ImportedLine]] = {}
    for participants in section.iter("PARTICIPANTS"):
        for participant in participants:
            if participant.tag in ("PAIR", "TEAM", "PLAYER"):
                line = _imported_line(participant)
                if line.players or line.team or line.place:
                    field = FIELDS.get(_text_at(participant, "DIRECTION").upper(), "")
                    lists.setdefault(field, []).append(line)
    return lists


def _imported_line(one: Element) -> ImportedLine:
    of_team = one.tag == "TEAM"
    total, percent = (number_of(_text_at(one, name)) for name in ("TOTAL_SCORE", "PERCENTAGE"))
    given = _text_at(one, "MASTER_POINTS_AWARDED") or _text_at(one, "MASTER_POINTS")
    return ImportedLine(
        place_of(_text_at(one, "PLACE")),
        text_of(one.get("TEAM_ID", "") or _text_at(one, f"{one.tag}_NUMBER"), 12),
        players_of(_imported_players(one)),
        team=text_of(one.get("TEAM_NAME", "") or _text_at(one, "TEAM_NAME")) if of_team else "",
        total=total,
        percent=percent,
        masterpoints=number_of(given),
        boards=count_of(_text_at(one, "BOARDS_PLAYED")),
    )


def _imported_players(one: Element) -> Iterator[ImportedPlayer]:
    for player in [one] if one.tag == "PLAYER" else one.iter("PLAYER"):
        name = _text_at(player, "PLAYER_NAME")
        yield ImportedPlayer(
            name, _text_at(player, "NATIONAL_ID_NUMBER"), _text_at(player, "CLUB_ID_NUMBER")
        )


def _text_at(parent: Element, path: str) -> str:
    element = parent.find(path)
    return text_of("" if element is None else "".join(element.itertext()), 200)
