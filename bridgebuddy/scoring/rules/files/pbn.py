"""PBN 2.1: a game for each deal, with its cards if they are known, and all its results.

In matches a board's number is another deal in every round, often in every match. Each is a game of its own. The
standard uses Latin-1, so other letters are replaced by the closest ones.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from anyascii import anyascii

from bridgebuddy.deals.rules.writing import VULNERABLE
from movements.engine.boards import vulnerability

from ..model import Contestant
from ..points import dealer
from .exported import ExportedBoard, ExportedSession
from .lines import ResultLine, plain_number, player_names, visible_text

ENCODING = "latin-1"
SCORING = {
    "matchpoints": "MatchPoints;MP1",
    "cross-imps": "IMP;Cross",
    "butler": "IMP;Butler",
    "team-imps": "IMP",
    "bam": "BAM",
    "aggregate": "TotalPoints",
}
OF_MATCHPOINTS = ("MP_NS", "MP_EW", "Percentage_NS", "Percentage_EW")
OF_IMPS = ("IMP_NS", "IMP_EW")
#: two columns, each two characters wide and right-aligned
OPTIMUM = r'"Declarer;Denomination\2R;Result\2R"'
UNKNOWN, NOTHING = "?", "-"


def pbn_file(exported: ExportedSession) -> str:
    """Return a session's results as a PBN file."""
    games = ["\n".join(_game_lines(game, place == 0)) for place, game in enumerate(exported.games)]
    return "% PBN 2.1\n% EXPORT\n" + "\n\n".join(games) + "\n"


def _game_lines(game: ExportedBoard, is_first: bool) -> Iterator[str]:
    """Yield the lines of a PBN file for one board; only the first board has all tags."""
    exported, board = game.exported, game.board
    tags = {
        "Event": ", ".join(filter(None, (exported.event, game.section))),
        "Site": exported.club,
        "Date": f"{exported.date:%Y.%m.%d}",
        "Board": board,
        "West": "",
        "North": "",
        "East": "",
        "South": "",
        "Dealer": dealer(board),
        "Vulnerable": VULNERABLE[vulnerability(board)],
        "Deal": game.cards_in_pbn,
        "Scoring": SCORING[exported.method],
        "Declarer": "",
        "Contract": "",
        "Result": "",
    }
    if exported.matches and game.round:
        tags["Round"] = game.round
    for name, team in zip(("HomeTeam", "VisitTeam"), game.teams, strict=False):
        tags[name] = exported.title(game.lines[0].section, team)
    for name, value in tags.items():
        yield f"[{name} {_quoted_text(value)}]"
    if game.optimum is not None:
        yield from _double_dummy_lines(*game.optimum)
    if is_first:
        yield from _total_table_lines(exported)
    yield from _score_table_lines(exported, game.lines)


def _double_dummy_lines(tricks: Mapping[str, Mapping[str, int]], par: int) -> Iterator[str]:
    """Yield the double-dummy tags: par, and the tricks of each declarer in each strain."""
    yield f'[OptimumScore "{"NS" if par >= 0 else "EW"} {abs(par)}"]'
    yield f"[OptimumResultTable {OPTIMUM}]"
    for seat in "NSEW":
        for strain in ("NT", "S", "H", "D", "C"):
            yield f"{seat} {strain:>2} {tricks[seat][strain]:>2}"


def _score_table_lines(exported: ExportedSession, lines: Iterable[ResultLine]) -> Iterator[str]:
    """Yield the PBN score table: all results of a board."""
    values = OF_MATCHPOINTS if exported.method == "matchpoints" else OF_IMPS
    of_teams = exported.contest == "teams"
    where = ("Round", "Table") if of_teams else ()
    names = ("PairId_NS", "PairId_EW", "Contract", "Declarer", "Result", "Lead", "Score_NS")
    yield f"[ScoreTable {_quoted_text(';'.join((*where, *names, *values)))}]"
    for line in sorted(lines, key=lambda line: -(line.score if line.score is not None else -99999)):
        at = (str(value or NOTHING) for value in (line.round, line.table) if of_teams)
        yield " ".join((*at, *_score_table_cells(exported, line, values)))


def _score_table_cells(
    exported: ExportedSession, line: ResultLine, values: Iterable[str]
) -> Iterator[str]:
    """Yield the cells of a result in the PBN score table."""
    for name in ("ns", "ew"):
        yield "+".join(exported.name(line.section, contestant) for contestant in line.sitting(name))
    bid = line.known_contract
    yield "Pass" if line.is_passed else (line.contract or NOTHING).replace("x", "X")
    yield bid.declarer or NOTHING
    yield NOTHING if bid.tricks is None else str(bid.tricks)
    yield (bid.lead or NOTHING).replace("10", "T")
    yield NOTHING if line.score is None else str(line.score)
    mark = "" if line.score is not None else "^"  # an artificial score
    for name in values:
        column, _, of = name.partition("_")
        side = line.side(of.lower())
        figure = side.percent if column == "Percentage" else exported.points(side)
        yield f"{mark}{plain_number(figure)}" if figure is not None else NOTHING


def _total_table_lines(exported: ExportedSession) -> Iterator[str]:
    """Yield the PBN total score table: the ranking."""
    is_per_cent = any(row.percent is not None for row in exported.rows.values())
    values = ("TotalMP", "TotalPercentage") if is_per_cent else (_total_name(exported),)
    of_teams = exported.contest == "teams"
    has_numbers = not of_teams and bool(exported.numbers)
    name_columns: tuple[str, ...] = ("TeamId", "Team") if of_teams else ("PairId", "Names")
    if has_numbers:
        name_columns = (*name_columns, "MemberId1", "MemberId2")[
            : 2 + _players_per_contestant(exported)
        ]
    yield f"[TotalScoreTable {_quoted_text(';'.join(('Rank', *name_columns, *values, 'NrBoards')))}]"
    for contestant in exported.contestants():
        row = exported.rows.get(contestant.who)
        if row is None:
            continue
        has = exported.total_of(row)
        called = exported.title(*contestant.who)
        cells = [
            (row.place or NOTHING).removesuffix("="),
            exported.name(*contestant.who),
            _quoted_text(called if of_teams else ";".join(player_names(contestant))),
            *(_member_number_cells(exported, contestant) if has_numbers else []),
            plain_number(has.printed_total()),
            *([plain_number(has.percent)] if is_per_cent else []),
            str(row.boards),
        ]
        yield " ".join(cell or NOTHING for cell in cells)


def _players_per_contestant(exported: ExportedSession) -> int:
    """Return how many players of a contestant the PBN file names."""
    return 1 if exported.contest == "individual" else 2


def _member_number_cells(exported: ExportedSession, contestant: Contestant) -> Iterator[str]:
    """Yield the players' federation or club numbers, one cell for each player."""
    names = [*contestant.names, "", ""][: _players_per_contestant(exported)]
    for national, of_club in (exported.numbers.get(name, ("", "")) for name in names):
        yield _quoted_text(national or of_club) if national or of_club else NOTHING


def _total_name(exported: ExportedSession) -> str:
    """Return the heading of the column with the totals in a PBN file."""
    if exported.is_in_vps:
        return "TotalVP"
    return {"bam": "TotalBAM", "aggregate": "TotalScore"}.get(exported.method, "TotalIMP")


def _quoted_text(value: object) -> str:
    """Return a value in quotes, with the characters that PBN allows."""
    text = latin_text(visible_text(str(value))).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{text}"'


def latin_text(text: str) -> str:
    """Return a text in Latin-1 letters; others are replaced by the closest ones.

    >>> latin_text("Łukasz Škvor, Đặng Thị, Jürgen, Þór, Ιωάννης, 김철수")
    'Lukasz Skvor, Dang Thi, Jürgen, Þór, Ioannis, GimCheolSu'
    """
    return "".join(
        character if character < "\u0100" else anyascii(character) or "?" for character in text
    )
