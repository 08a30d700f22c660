"""Names for copies of the boards: a colour, its letter and its shape.

With one copy none of this is shown.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext_lazy

from movements.engine.calls.board_exceptions import BoardException

#: a copy's name and its letter on paper, by its key (of its shape in the style sheet)
COLOURS = {
    "red": (gettext_lazy("red copy"), pgettext_lazy("red copy", "R")),
    "blue": (gettext_lazy("blue copy"), pgettext_lazy("blue copy", "B")),
    "green": (gettext_lazy("green copy"), pgettext_lazy("green copy", "G")),
    "orange": (gettext_lazy("orange copy"), pgettext_lazy("orange copy", "O")),
}
#: the parts of a line, in their order for a stand, and for all others at the end
BRINGS, TAKES, ASIDE = 0, 1, 2
NO_STAND = 1000
_Clause = tuple[int, int, tuple[int, ...], tuple[int, ...]]


@dataclass(frozen=True)
class CopyName:
    """The name of a copy of the boards: "red copy", R; with more copies than colours a number."""

    key: str  # "red", "blue" …, "" if there are more copies than colours
    name: str
    letter: str

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True)
class CopyLine:
    """A sentence of an announcement about one copy of the boards."""

    copy: CopyName
    say: str

    @property
    def heading(self) -> str:
        """Return the beginning of the sentence: "Red copy:"."""
        return f"{capfirst(self.copy.name)}:"

    def __str__(self) -> str:
        return f"{self.heading} {self.say}"


@dataclass(frozen=True)
class CopyNames:
    """The names of stands and boards that announcements use.

    `stands` are the tables followed by stands, `word` is the club's word for one and `key` its name in the settings;
    `waiting` is how many sets wait on each at the end of the round.
    """

    stands: tuple[int, ...]
    word: str
    boards: Callable[[Sequence[str]], str]
    key: str
    waiting: Mapping[int, int]

    def stand(self, after_table: int) -> str:
        """Return the name of the stand after a table: "stand", or "stand 2" if there are several."""
        return stand_name(self.word, self.stands.index(after_table) + 1)


def copy_name(number: int, copies: int) -> CopyName:
    """Return the name of copy `number` of `copies` copies."""
    if copies > len(COLOURS):
        return CopyName("", _("copy %(number)s") % {"number": number}, str(number))
    key = [*COLOURS][number - 1]
    name, letter = COLOURS[key]
    return CopyName(key, str(name), str(letter))


def stand_name(word: str, number: int) -> str:
    """Return the name of one of several stands: "stand 2"; `word` is the club's word for one."""
    return _("%(stand)s %(number)s") % {"stand": word, "number": number}


def set_words(sets: Sequence[str]) -> str:
    """Return board sets without board numbers as text: "set C", "sets C, D"."""
    return ngettext("set %(sets)s", "sets %(sets)s", len(sets)) % {"sets": ", ".join(sets)}


def copy_lines(
    others: Sequence[BoardException], copies: int, names: CopyNames
) -> Iterator[CopyLine]:
    """Yield a sentence for every copy with board sets that are exceptions to the rule."""
    for number in range(1, copies + 1):
        clauses = list(
            _clauses_of_exceptions([item for item in others if item.copy == number], names)
        )
        if clauses:
            yield CopyLine(copy_name(number, copies), f"{'; '.join(clauses)}.")


def _clauses_of_exceptions(others: Sequence[BoardException], names: CopyNames) -> Iterator[str]:
    """Yield the clauses of a copy's sentence, for each way in which its board sets move."""
    stand_before = 0  # the stand in the clause before
    whole = {
        (item.name, item.before.tables) for item in others if item.before and item.is_whole_table
    }
    for (stand, order, tables, to), sets in sorted(_sets_by_clause(others).items()):
        words = {"table": ", ".join(map(str, tables)), "boards": names.boards(sets)}
        is_stand = stand < NO_STAND
        if order == BRINGS:
            words["to"] = _to_stand_text(names, stand) if is_stand else _to_tables_text(to)
            is_plain = all((name, tables) in whole for name in sets)
            yield (_go_to_pattern if is_plain else _bringing_pattern)(len(tables)) % words
        elif order == TAKES:
            words["stand"] = names.stand(stand) if is_stand else ""
            if not is_stand:
                yield _fetching_pattern(len(tables)) % words
            else:
                yield (_takes_from_same_stand if stand_before == stand else _taking_pattern)(
                    len(tables)
                ) % words
        else:
            yield _put_aside_pattern(len(tables)) % words
        stand_before = stand


def _sets_by_clause(others: Sequence[BoardException]) -> dict[_Clause, list[str]]:
    """Return the board sets of exceptions grouped by the way in which they move."""
    names: defaultdict[_Clause, list[str]] = defaultdict(list)
    for item in others:
        before = item.before.tables if item.before and item.before.kind == "table" else ()
        after = item.after.tables if item.after and item.after.kind == "table" else ()
        if item.after and item.after.kind == "stand":
            names[item.after.tables[0], BRINGS, before, ()].append(item.name)
        elif item.before and item.before.kind == "stand":
            names[item.before.tables[0], TAKES, after, ()].append(item.name)
        elif before and after:
            names[NO_STAND, BRINGS, before, after].append(item.name)
        elif after:
            names[NO_STAND, TAKES, after, ()].append(item.name)
        elif before:
            names[NO_STAND, ASIDE, before, ()].append(item.name)
    return names


def _go_to_pattern(tables: int) -> str:
    """Return the translated sentence pattern "… go to …" for board sets that go to these tables."""
    return ngettext("table %(table)s %(to)s", "tables %(table)s %(to)s", tables)


def _bringing_pattern(tables: int) -> str:
    """Return the translated pattern for tables that bring boards to a board stand."""
    return ngettext(
        "table %(table)s brings %(boards)s %(to)s",
        "tables %(table)s bring %(boards)s %(to)s",
        tables,
    )


def _taking_pattern(tables: int) -> str:
    """Return the translated pattern for tables that take boards from a board stand."""
    return ngettext(
        "table %(table)s takes %(boards)s from %(stand)s",
        "tables %(table)s take %(boards)s from %(stand)s",
        tables,
    )


def _takes_from_same_stand(tables: int) -> str:
    """Return the translated pattern for tables that take boards from the stand named just before."""
    return ngettext(
        "table %(table)s takes %(boards)s there",
        "tables %(table)s take %(boards)s there",
        tables,
    )


def _fetching_pattern(tables: int) -> str:
    """Return the translated pattern for tables that fetch boards."""
    return ngettext(
        "table %(table)s fetches %(boards)s", "tables %(table)s fetch %(boards)s", tables
    )


def _put_aside_pattern(tables: int) -> str:
    """Return the translated pattern for tables that put boards aside."""
    return ngettext(
        "table %(table)s puts %(boards)s aside", "tables %(table)s put %(boards)s aside", tables
    )


def _to_stand_text(names: CopyNames, after_table: int) -> str:
    """Return the stand after a table as text: "to the stand"."""
    return _("to %(stand)s") % {"stand": names.stand(after_table)}


def _to_tables_text(tables: Sequence[int]) -> str:
    """Return these tables as text: "to tables 3 and 4"."""
    words = {"tables": ", ".join(map(str, tables))}
    return ngettext("to table %(tables)s", "to tables %(tables)s", len(tables)) % words
