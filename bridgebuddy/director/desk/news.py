"""The differences that live changes have made since the director last looked."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from django.utils.text import get_text_list
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from bridgebuddy.events.models import Play
from bridgebuddy.events.queries.plan.differences import GameFacts, PlanDifferences, TableDifference
from bridgebuddy.events.queries.plan.evening_plan import SectionPlan
from bridgebuddy.events.queries.plan.games import board_text
from bridgebuddy.scoring.models import Result
from movements.engine.contest import Contest

#: lines shown at first; the others unfold
FEW_LINES = 4


@dataclass(frozen=True)
class TableChange:
    """A difference between two versions of the movement at one table, with the rounds in which it applies."""

    table: int
    rounds: tuple[int, ...]
    words: str

    @property
    def rounds_text(self) -> str:
        """Return the rounds as text: "2–4, 7"."""
        return board_text(self.rounds)

    def __str__(self) -> str:
        facts = {"table": self.table, "rounds": self.rounds_text, "what": self.words}
        return (
            ngettext(
                "Table %(table)s, round %(rounds)s: %(what)s",
                "Table %(table)s, rounds %(rounds)s: %(what)s",
                len(self.rounds),
            )
            % facts
        )


@dataclass(frozen=True)
class ChangedTables:
    """The tables that differ from an earlier version of the movement in coming rounds."""

    since: int  # the version of the movement seen last
    now: int  # the present one
    from_round: int  # the first round that is different
    tables: tuple[int, ...]  # empty if only the number of rounds differs
    last_round: int = 0  # set if the session has another number of rounds now
    #: the tables that differ in this round or the next
    near: tuple[int, ...] = field(default=(), compare=False)
    different: tuple[TableDifference, ...] = field(default=(), compare=False, repr=False)
    contest: Contest = field(default=Contest.PAIRS, compare=False)

    @cached_property
    def lines(self) -> list[TableChange]:
        """Return the differences, one for each table and kind, the nearest round first."""
        rounds: dict[tuple[int, str], list[int]] = {}
        for difference in self.different:
            words = difference_text(difference, self.contest)
            if words:
                rounds.setdefault((difference.table, words), []).append(difference.round)
        return [TableChange(table, tuple(when), words) for (table, words), when in rounds.items()]

    @property
    def first_lines(self) -> list[TableChange]:
        """Return the first few differences, which the page shows at once."""
        return self.lines[:FEW_LINES]

    @property
    def other_lines(self) -> list[TableChange]:
        """Return the differences after the first few, which the page shows on demand."""
        return self.lines[FEW_LINES:]

    @cached_property
    def lines_by_table(self) -> Mapping[int, list[TableChange]]:
        """Return the differences that begin in this round or the next by table number, for the desk's tiles.

        Each has all its rounds, as in `lines`. Shared tables are left out: the tile shows them.
        """
        last = (
            min(
                (
                    difference.round
                    for difference in self.different
                    if difference.table in self.near
                ),
                default=0,
            )
            + 1
        )
        rounds: dict[tuple[int, str], list[int]] = {}
        for difference in self.different:
            words = difference_text(difference, self.contest, with_shares=False)
            if difference.table in self.near and words:
                rounds.setdefault((difference.table, words), []).append(difference.round)
        lines: dict[int, list[TableChange]] = {}
        for (table, words), when in rounds.items():
            if when[0] <= last:
                lines.setdefault(table, []).append(TableChange(table, tuple(when), words))
        return lines


def news_since(plan: SectionPlan, seen_version: int) -> ChangedTables | None:
    """Return what differs in current and coming rounds since the director saw `seen_version`, or None.

    Makes one query while the movement has only one version.
    """
    was = next((version for version in plan.versions if version.version == seen_version), None)
    if was is None or plan.equals_version(was):
        return None
    older = plan.plan_in_version(was)
    difference = PlanDifferences(older, plan)
    coming = range(max(plan.section.round, 1), plan.evening.rounds + 1)
    drawn = older.evening.open_rounds  # a draw is not a change: there was no plan before
    different = [
        table for table in difference.tables if table.round in coming and table.round not in drawn
    ]
    if not different and not difference.rounds:
        return None
    return ChangedTables(
        since=seen_version,
        now=plan.versions[-1].version,
        from_round=different[0].round if different else difference.rounds + 1,
        tables=tuple(sorted({difference.table for difference in different})),
        last_round=difference.rounds,
        near=tuple(
            sorted({difference.table for difference in different if difference.round in coming[:2]})
        ),
        different=tuple(different),
        contest=plan.section.contest,
    )


@dataclass(frozen=True)
class LateTable:
    """A table that had no time for some boards, because its pair came late, and has no result of them yet."""

    round: int
    table: int
    boards: tuple[int, ...]

    @property
    def boards_text(self) -> str:
        """Return the boards as text: "2–3"."""
        return board_text(self.boards)


def late_tables(plan: SectionPlan) -> Iterator[LateTable]:
    """Yield the tables whose boards without time must still be entered as not played."""
    for version in plan.versions:
        boards, table = version.facts.get("not_played"), version.facts.get("late_table")
        if not boards or not table:
            continue
        results = Result.objects.filter(play__section=plan.section, stands=True)
        entered = results.exclude(outcome=None).values("play")
        plays = Play.objects.filter(
            section=plan.section, round=version.from_round, table=table, board__in=boards
        )
        plays = plays.filter(taken_back_at=None).exclude(ns=None).exclude(ew=None)
        missing = plays.exclude(pk__in=entered).order_by("board").values_list("board", flat=True)
        if missing:
            yield LateTable(version.from_round, table, tuple(missing))


# ── in words ──


def difference_text(
    difference: TableDifference, contest: Contest, *, with_shares: bool = True
) -> str:
    """Return a difference at a table as text: its contestants, boards and shared boards."""
    if not difference.after:
        return _("nobody plays here any more")
    if not any(facts.is_played for facts in difference.after):
        return _sit_out_text(_contestant_labels(difference.after), contest)
    return "; ".join(
        words
        for words in (
            _changed_people_text(difference, contest),
            _changed_boards_text(difference.before, difference.after),
            _changed_shares_text(difference.before, difference.after) if with_shares else "",
        )
        if words
    )


def _contestant_labels(games: Iterable[GameFacts]) -> list[str]:
    """Return the labels of all contestants that meet in these encounters at a table, each once."""
    return list(dict.fromkeys(label for facts in games for _chair, label in facts.people))


def contestant_labels(labels: Iterable[str], contest: Contest) -> str:
    """Return contestants by their labels as text: "NS 4", "pair 12", "teams 3 and 4"."""
    listed = list(labels)
    words = get_text_list(listed, _("and"))
    if any(" " in label for label in listed):
        return words
    facts = {"numbers": words}
    if contest.has_halves:
        return ngettext("team %(numbers)s", "teams %(numbers)s", len(listed)) % facts
    if contest.plays_alone:
        return ngettext("player %(numbers)s", "players %(numbers)s", len(listed)) % facts
    return ngettext("pair %(numbers)s", "pairs %(numbers)s", len(listed)) % facts


def _sit_out_text(labels: list[str], contest: Contest) -> str:
    """Return the contestants that sit out as a sentence."""
    if not labels:
        return _("nobody plays here any more")
    return ngettext("%(who)s sits out", "%(who)s sit out", len(labels)) % {
        "who": contestant_labels(labels, contest)
    }


def _changed_people_text(difference: TableDifference, contest: Contest) -> str:
    """Return as text which contestants have come to a table or have left it."""
    before, after = _contestant_labels(difference.before), _contestant_labels(difference.after)
    came = [label for label in after if label not in before]
    gone = [label for label in before if label not in after]
    facts = {"who": contestant_labels(came, contest), "other": contestant_labels(gone, contest)}
    if not difference.before:
        return _("%(who)s play here") % {"who": contestant_labels(after, contest)}
    if came and gone:
        return _("%(who)s instead of %(other)s") % facts
    if came:
        return ngettext("%(who)s comes here", "%(who)s come here", len(came)) % facts
    if gone:
        return _("without %(other)s") % facts
    if not any(facts.is_played for facts in difference.before):
        return _("%(who)s play after all") % {"who": contestant_labels(after, contest)}
    if [facts.people for facts in difference.before] != [
        facts.people for facts in difference.after
    ]:
        return _("they sit the other way")
    return ""


def _changed_boards_text(old_values: Iterable[GameFacts], new_values: Iterable[GameFacts]) -> str:
    """Return the changed boards of a table as text; empty if they are the same."""
    old, new = (
        tuple(sorted({board for facts in games for board in facts.boards}))
        for games in (old_values, new_values)
    )
    if old == new or not new:
        return ""
    if not old:
        return _("boards %(boards)s") % {"boards": board_text(new)}
    return _("boards %(boards)s instead of %(other)s") % {
        "boards": board_text(new),
        "other": board_text(old),
    }


def _changed_shares_text(old_values: Iterable[GameFacts], new_values: Iterable[GameFacts]) -> str:
    """Return as text with which tables a table must share boards now, or no longer; empty if nothing changes."""
    old, new = (set(_sharing_tables(games)) for games in (old_values, new_values))
    if new - old:
        tables = ", ".join(map(str, sorted(new - old)))
        return _("shares boards with table %(tables)s") % {"tables": tables}
    return _("no longer shares boards") if old - new and not new else ""


def _sharing_tables(games: Iterable[GameFacts]) -> Iterator[int]:
    """Yield the numbers of the tables that share boards with the tables of these encounters."""
    for facts in games:
        yield from facts.shared_with
