"""Sentences of a call about boards: the rule for most, and its exceptions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from django.utils.text import get_text_list
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from movements.engine.calls.board_exceptions import BoardException
from movements.engine.calls.boards import FIRST, NEITHER, BoardAnnouncement
from movements.engine.calls.pieces import TableGroup, do_rows_move_alike

from .copies import CopyNames
from .sentences import SpokenLine, row_text, shift_text, table_count

ON_STAND = {
    "stand": gettext_lazy("on the stand"),
    "relay": gettext_lazy("on the relay"),
    "bye-stand": gettext_lazy("on the bye-stand"),
}
FROM_STAND = {
    "stand": gettext_lazy("from the stand"),
    "relay": gettext_lazy("from the relay"),
    "bye-stand": gettext_lazy("from the bye-stand"),
}


def board_lines(call: BoardAnnouncement, names: CopyNames) -> Iterator[SpokenLine]:
    """Yield the announcement of the rule by which boards move; `names` gives stands' and boards' names."""
    for say, short in _rule_lines(call, names):
        yield SpokenLine("boards", say, short or say.rstrip("."))


def _rule_lines(call: BoardAnnouncement, names: CopyNames) -> Iterator[tuple[str, str]]:
    """Yield the announcement of the boards' moves, in full for the director and short for the projector."""
    if call.kind == "new":
        if call.sets:
            yield (
                _("New boards at every table: %(boards)s.") % {"boards": names.boards(call.sets)},
                "",
            )
        else:
            yield _("New boards at every table."), _("New boards")
    elif call.kind == "stay" and not call.others:
        yield _("Boards stay."), _("Boards stay")
    elif call.kind == "cards":
        yield _("Boards go as the newest table cards say."), ""
    elif call.kind == "stations":
        yield _stations_text(call, names), ""
    elif call.kind == "halves":
        yield from _halves_lines(call)
    elif call.kind == "pieces":
        yield from _piece_lines(call.pieces)


def _piece_lines(pieces: Sequence[TableGroup]) -> Iterator[tuple[str, str]]:
    """Yield the announcement of the boards' moves from several groups of tables."""
    first = pieces[0]
    words = {"tables": table_count(abs(first.shift))}
    if do_rows_move_alike(tuple(pieces)):
        words["rows"] = get_text_list([row_text(piece) for piece in pieces], _("and"))
        if first.shift > 0:
            yield _("Boards move up %(tables)s, each row by itself: tables %(rows)s.") % words, ""
        else:
            yield _("Boards move down %(tables)s, each row by itself: tables %(rows)s.") % words, ""
    elif first.group == "all":
        yield _room_sentence(first)
    elif [piece.group for piece in pieces] == ["odd", "even"] and all(p.shift for p in pieces):
        odd, even = (shift_text(piece) for piece in pieces)
        words |= {"odd": odd, "even": even}
        yield _("Boards of odd tables move %(odd)s, of even tables %(even)s.") % words, ""
    else:
        for piece in pieces:
            yield _group_sentence(piece), ""


def row_together(people: TableGroup, boards: TableGroup) -> str:
    """Return the sentence for East-West and boards that move along the same row of tables."""
    far = {"tables": table_count(abs(people.shift))}
    words = {
        "row": row_text(people),
        "way": _("up %(tables)s") % far if people.shift > 0 else _("down %(tables)s") % far,
        "boards": shift_text(boards),
        "last": people.last if people.shift > 0 else people.first,
        "first": people.first if people.shift > 0 else people.last,
    }
    return (
        _(
            "East-West of tables %(row)s move %(way)s, boards %(boards)s; after %(last)s comes %(first)s."
        )
        % words
    )


def _room_sentence(piece: TableGroup) -> tuple[str, str]:
    """Return the announcement that all boards move alike, in full and short."""
    words = {"tables": table_count(abs(piece.shift))}
    if piece.shift == -1:
        return _("Boards move down one."), _("Boards down one")
    if piece.shift == 1:
        return _("Boards move up one."), _("Boards up one")
    if piece.shift < 0:
        return _("Boards move down %(tables)s.") % words, _("Boards down %(tables)s") % words
    return _("Boards move up %(tables)s.") % words, _("Boards up %(tables)s") % words


def _group_sentence(piece: TableGroup) -> str:
    """Return the announcement of the boards' moves from a group of tables."""
    words = {
        "tables": table_count(abs(piece.shift)),
        "row": row_text(piece),
        "last": piece.last if piece.shift > 0 else piece.first,
        "first": piece.first if piece.shift > 0 else piece.last,
    }
    way = (piece.shift > 0) - (piece.shift < 0)
    sentences = {
        ("odd", 1): _("Boards of odd tables move up %(tables)s."),
        ("odd", -1): _("Boards of odd tables move down %(tables)s."),
        ("odd", 0): _("Boards of odd tables stay."),
        ("even", 1): _("Boards of even tables move up %(tables)s."),
        ("even", -1): _("Boards of even tables move down %(tables)s."),
        ("even", 0): _("Boards of even tables stay."),
        ("swap", 1): _("Boards change rows and move up %(tables)s."),
        ("swap", -1): _("Boards change rows and move down %(tables)s."),
        ("swap", 0): _("Boards change rows."),
        ("row", 1): _(
            "Boards of tables %(row)s move up %(tables)s; after %(last)s comes %(first)s."
        ),
        ("row", -1): _(
            "Boards of tables %(row)s move down %(tables)s; after %(last)s comes %(first)s."
        ),
        ("row", 0): _("Boards of tables %(row)s stay."),
    }
    return sentences[piece.group, way] % words


def _stations_text(call: BoardAnnouncement, names: CopyNames) -> str:
    """Return the announcement that boards move to the next table or board stand, counting stands as tables."""
    words = {"tables": get_text_list([str(table) for table in names.stands], _("and"))}
    if call.shift > 0:
        return _("Boards move up one; the stands after tables %(tables)s count as tables.") % words
    return _("Boards move down one; the stands after tables %(tables)s count as tables.") % words


def _halves_lines(call: BoardAnnouncement) -> Iterator[tuple[str, str]]:
    """Yield the announcement of the moves of boards whose sets are divided into halves."""
    up = call.shift > 0
    if call.half == NEITHER:
        say = (
            _("Boards move up one, also those laid aside.")
            if up
            else _("Boards move down one, also those laid aside.")
        )
    elif call.half == FIRST:
        say = (
            _("The first half of each set moves up one, the second half stays, laid aside.")
            if up
            else _("The first half of each set moves down one, the second half stays, laid aside.")
        )
    else:
        say = (
            _("The second half of each set moves up one, the first half stays, laid aside.")
            if up
            else _("The second half of each set moves down one, the first half stays, laid aside.")
        )
    yield say, ""


# ── boards for which the rule does not hold ──


def board_exceptions(call: BoardAnnouncement, names: CopyNames) -> Iterator[str]:
    """Yield sentences for board sets that are exceptions to the rule."""
    others = [item for item in call.others if not item.copy]
    yield from _boards_over_stands_sentences(others, names)
    moving = [item for item in others if "stand" not in _spot_kinds(item)]
    yield from _exceptions_to_tables([item for item in moving if _is_between_tables(item)], names)
    yield from _fetch_sentences([item for item in moving if not _comes_from_table(item)], names)
    yield from _aside_sentences([i for i in moving if i.after and i.after.kind == "aside"], names)
    if call.kind == "stay" and call.others:
        yield _("All other boards stay.")
    yield from share_sentences(call.shared)


def share_sentences(groups: Iterable[tuple[int, ...]]) -> Iterator[str]:
    """Yield a sentence for each group of tables that share boards."""
    for group in groups:
        words = {"tables": get_text_list([str(table) for table in group], _("and"))}
        yield _("Tables %(tables)s share.") % words


def _spot_kinds(item: BoardException) -> list[str]:
    """Return the kinds of a board set's places before and after its move."""
    return [spot.kind for spot in (item.before, item.after) if spot]


def _comes_from_table(item: BoardException) -> bool:
    """Return whether a board set comes from a table."""
    return item.before is not None and item.before.kind == "table"


def _is_between_tables(item: BoardException) -> bool:
    """Return whether a board set goes from table to table."""
    return _spot_kinds(item) == ["table", "table"]


def _boards_over_stands_sentences(
    others: Sequence[BoardException], names: CopyNames
) -> Iterator[str]:
    """Yield a sentence for boards that one table puts on a board stand and another takes from it."""
    for stand in names.stands:
        brings = [
            i for i in others if i.after and i.after.kind == "stand" and i.after.tables == (stand,)
        ]
        takes = [
            i
            for i in others
            if i.before and i.before.kind == "stand" and i.before.tables == (stand,)
        ]
        is_plain = len(brings) <= 1 and all(item.is_whole_table for item in brings)
        is_lone = names.waiting.get(stand, 0) < 2
        words = {"on": stand_as_destination(names, stand), "from": stand_as_source(names, stand)}
        if brings and brings[0].before:
            words["table"] = str(brings[0].before.tables[0])
            words["boards"] = names.boards([item.name for item in brings])
        if takes and takes[0].after:
            words["other"] = str(takes[0].after.tables[0])
            words["others"] = names.boards([item.name for item in takes])
        is_same = is_plain and is_lone and words.get("table") == words.get("other")
        if brings and takes and is_same:
            yield _("Table %(table)s exchanges its boards with those %(from)s.") % words
        elif brings and takes and is_plain and is_lone:
            yield (
                _("Table %(table)s puts its boards %(on)s, table %(other)s takes from there.")
                % words
            )
        elif brings and takes:
            yield (
                _(
                    "Table %(table)s puts %(boards)s %(on)s, table %(other)s takes %(others)s from there."
                )
                % words
            )
        elif brings and is_plain:
            yield _("Table %(table)s puts its boards %(on)s.") % words
        elif brings:
            yield _("Table %(table)s puts %(boards)s %(on)s.") % words
        elif takes and is_lone:
            yield _("Table %(other)s takes its boards %(from)s.") % words
        elif takes:
            yield _("Table %(other)s takes %(others)s %(from)s.") % words


def stand_as_destination(names: CopyNames, after_table: int) -> str:
    """Return the stand after a table as a destination: "on the stand", "on stand 2"."""
    if len(names.stands) < 2:
        return str(ON_STAND[names.key])
    return _("on %(stand)s") % {"stand": names.stand(after_table)}


def stand_as_source(names: CopyNames, after_table: int) -> str:
    """Return the stand after a table as a source: "from the stand", "from stand 2"."""
    if len(names.stands) < 2:
        return str(FROM_STAND[names.key])
    return _("from %(stand)s") % {"stand": names.stand(after_table)}


def _exceptions_to_tables(others: Sequence[BoardException], names: CopyNames) -> Iterator[str]:
    """Yield sentences for boards that go to other tables than the rule says."""
    ways: dict[tuple[int, int], BoardException] = {}
    for item in others:
        assert item.before is not None, "it comes from a table"
        assert item.after is not None, "it goes to a table"
        way = item.before.tables[0], item.after.tables[0]
        words = {"table": way[0], "to": way[1], "boards": names.boards([item.name])}
        if item.is_whole_table:
            ways.setdefault(way, item)
        else:
            yield _("Table %(table)s passes %(boards)s to table %(to)s.") % words
    clauses: list[str] = []
    for (table, to), item in ways.items():
        words = {"table": table, "to": to, "empty": ", ".join(map(str, item.passed))}
        if (to, table) in ways:
            if table < to:
                yield _("Tables %(table)s and %(to)s exchange their boards.") % words
        elif item.passed:
            yield (
                _("Table %(table)s’s boards go to table %(to)s: nobody plays at table %(empty)s.")
                % words
            )
        elif clauses:
            clauses.append(_("table %(table)s’s to table %(to)s") % words)
        else:
            clauses.append(_("Table %(table)s’s boards go to table %(to)s") % words)
    if clauses:
        yield f"{', '.join(clauses)}."


def _fetch_sentences(others: Sequence[BoardException], names: CopyNames) -> Iterator[str]:
    """Yield sentences for boards that a table fetches."""
    for item in others:
        if item.after is None or item.after.kind != "table":
            continue
        words = {"table": item.after.tables[0], "boards": names.boards([item.name])}
        if item.before is None:
            yield _("Table %(table)s gets new boards: %(boards)s.") % words
        else:
            words["aside"] = item.before.tables[0]
            yield _("Table %(table)s fetches %(boards)s from table %(aside)s.") % words


def _aside_sentences(others: Sequence[BoardException], names: CopyNames) -> Iterator[str]:
    """Yield sentences for boards that are put aside."""
    whole = sorted({i.before.tables[0] for i in others if i.before and i.is_whole_table})
    if whole:
        words = {"tables": get_text_list([str(table) for table in whole], _("and"))}
        yield (
            ngettext(
                "Table %(tables)s puts its boards aside.",
                "Tables %(tables)s put their boards aside.",
                len(whole),
            )
            % words
        )
    for item in others:
        if item.before and not item.is_whole_table:
            words = {"table": str(item.before.tables[0]), "boards": names.boards([item.name])}
            yield _("Table %(table)s puts %(boards)s aside.") % words
