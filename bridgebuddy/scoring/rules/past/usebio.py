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
    board_count_in_cell,
    cell_text,
    date_in,
    joined_rankings,
    missing_pair_names,
    number_in_cell,
    place_in_cell,
    present_players,
)

#: greatest depth of a file of results
DEEPEST = 20
UNITS = {"VPS": "vp", "VP": "vp", "MATCH_POINTS": "mp"}
FIELDS = {"NS": "NS", "N": "NS", "EW": "EW", "E": "EW"}


def parse_elements(data: bytes) -> Element:
    """Return the XML elements of a file. Raises `NotRead`: "entities" if it declares any, else "broken".

    A DTD outside the file may be named, as in every USEBIO file, but is never loaded.
    """
    builder, depth = TreeBuilder(), 0

    def start_element(name: str, attributes: dict[str, str]) -> None:
        """Begin an element; raise `NotRead` if elements are nested too deeply."""
        nonlocal depth
        depth += 1
        if depth > DEEPEST:
            raise NotRead("broken")
        builder.start(name.upper(), attributes)

    def end_element(name: str) -> None:
        """End an element."""
        nonlocal depth
        depth -= 1
        builder.end(name.upper())

    def refuse_subset(
        _name: str, _system: str | None, _public: str | None, has_subset: int
    ) -> None:
        """Raise `NotRead` for a document type with definitions of its own."""
        if has_subset:
            raise NotRead("entities")

    def refuse_entity(*_told: object) -> int:
        """Raise `NotRead` for an entity."""
        raise NotRead("entities")

    parser = expat.ParserCreate()
    parser.buffer_text = True
    parser.StartElementHandler, parser.EndElementHandler = start_element, end_element
    parser.CharacterDataHandler = builder.data
    parser.StartDoctypeDeclHandler = refuse_subset
    parser.EntityDeclHandler = parser.ExternalEntityRefHandler = parser.SkippedEntityHandler = (
        refuse_entity
    )
    try:
        parser.Parse(data, True)
        return builder.close()
    except (expat.ExpatError, LookupError, ValueError) as wrong:
        raise wrong if isinstance(wrong, NotRead) else NotRead("broken") from wrong


def read_usebio(data: bytes) -> list[PastSession]:
    """Return the sessions of a USEBIO file: one for each event. Raises `NotRead`."""
    root = parse_elements(data)
    if root.tag != "USEBIO":
        raise NotRead("unknown")
    club = _text_at(root, "CLUB/CLUB_NAME")
    return [
        past_session
        for event in root.iter("EVENT")
        if (past_session := _session_of_event(event, club)).rankings
    ]


def _session_of_event(event: Element, club: str) -> PastSession:
    """Return the session that a USEBIO event element describes."""
    kind = event.get("EVENT_TYPE", "").upper()
    contest = "teams" if "TEAM" in kind else "individual" if "INDIVIDUAL" in kind else "pairs"
    sections = [*event.iter("SECTION")] or [event]
    rankings = [
        ImportedRanking(tuple(lines), field, cell_text(section.get("SECTION_ID", ""), 12))
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
    """Return the ranking rows of a USEBIO section by direction."""
    lists: dict[str, list[ImportedLine]] = {}
    for participants in section.iter("PARTICIPANTS"):
        for participant in participants:
            if participant.tag in ("PAIR", "TEAM", "PLAYER"):
                line = _imported_line(participant)
                if line.players or line.team or line.place:
                    field = FIELDS.get(_text_at(participant, "DIRECTION").upper(), "")
                    lists.setdefault(field, []).append(line)
    return lists


def _imported_line(element: Element) -> ImportedLine:
    """Return a contestant's row of a ranking from a USEBIO element."""
    of_team = element.tag == "TEAM"
    total, percent = (
        number_in_cell(_text_at(element, name)) for name in ("TOTAL_SCORE", "PERCENTAGE")
    )
    given = _text_at(element, "MASTER_POINTS_AWARDED") or _text_at(element, "MASTER_POINTS")
    return ImportedLine(
        place_in_cell(_text_at(element, "PLACE")),
        cell_text(element.get("TEAM_ID", "") or _text_at(element, f"{element.tag}_NUMBER"), 12),
        present_players(_imported_players(element)),
        team=cell_text(element.get("TEAM_NAME", "") or _text_at(element, "TEAM_NAME"))
        if of_team
        else "",
        total=total,
        percent=percent,
        masterpoints=number_in_cell(given),
        boards=board_count_in_cell(_text_at(element, "BOARDS_PLAYED")),
    )


def _imported_players(element: Element) -> Iterator[ImportedPlayer]:
    """Yield the players named in a USEBIO element."""
    for player in [element] if element.tag == "PLAYER" else element.iter("PLAYER"):
        name = _text_at(player, "PLAYER_NAME")
        yield ImportedPlayer(
            name, _text_at(player, "NATIONAL_ID_NUMBER"), _text_at(player, "CLUB_ID_NUMBER")
        )


def _text_at(parent: Element, path: str) -> str:
    """Return the text of a child element."""
    element = parent.find(path)
    return cell_text("" if element is None else "".join(element.itertext()), 200)
