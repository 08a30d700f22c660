"""The groups of a divided list, and the changes between them at the end of its period.

The leaders of a group go up and the last ones go down. As many move as the list says, so that every group keeps its
size. For each contestant that has left, one less goes down. Only the last group grows by newcomers and shrinks.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from .model import Championship, People, SessionValue, StandingLine
from .standing import standing_of_values
from .ties import TIES, Key, chosen_rules
from .totals import sort_key

Had = Mapping[People, Sequence[SessionValue]]
Groups = Sequence[Sequence[People]]
Order = tuple[object, ...]


@dataclass(frozen=True, slots=True)
class Group:
    """A group of a championship: its ranked rows, those with too few sessions, and the order of all contestants."""

    lines: tuple[StandingLine, ...]
    below: tuple[StandingLine, ...]
    order: tuple[People, ...]


@dataclass(frozen=True, slots=True)
class LevelTie:
    """Two contestants with equal totals on both sides of a border between groups, and the deciding tie-break.

    Without a rule they are level in everything. Then the one ahead when the group was made goes first.
    """

    group: int
    first: People
    second: People
    by: str


@dataclass(frozen=True, slots=True)
class Promotion:
    """The contestants that would be promoted, relegated and removed in a championship divided into groups."""

    groups: tuple[Group, ...]
    up: frozenset[People]
    down: frozenset[People]
    left: frozenset[People]
    level: tuple[LevelTie, ...]
    #: the groups of the list that follows
    next: tuple[tuple[People, ...], ...]
    #: over each border, from the first group down: the number that go up, and down
    borders: tuple[tuple[int, int], ...]


def group_members(groups: Groups, values: Had) -> list[list[People]]:
    """Return the contestants of each group; those in no group are in the last one.

    A team may have gained people since the groups were made. It is identified by its first people.
    """
    all_groups = [list(dict.fromkeys(map(tuple, group))) for group in groups]
    where = {
        people: (number, at)
        for number, group in enumerate(all_groups)
        for at, people in enumerate(group)
    }
    for people in sorted(values):
        shorter = (people[:count] for count in range(len(people), 0, -1))
        place = next((where[each] for each in shorter if each in where), None)
        if place is None:
            all_groups[-1].append(people)
        else:
            number, at = place
            all_groups[number][at] = people
    return all_groups


def group_changes(
    rules: Championship,
    groups: Groups,
    values: Had,
    moving_count: int,
    leavers: Collection[People] = (),
) -> Promotion:
    """Return the groups' rankings, and who would change if `moving_count` contestants move at each border.

    Contestants without a session leave, and those in `leavers`.
    """
    all_members = group_members(groups, values)
    left = frozenset(
        contestant
        for members in all_members
        for contestant in members
        if not values.get(contestant) or _has_contestant_left(contestant, leavers)
    )
    all_groups, keys = [], []
    for members in all_members:
        group, key = _ordered_group(rules, members, values)
        all_groups.append(group)
        keys.append(key)
    there = [
        [contestant for contestant in group.order if contestant not in left] for group in all_groups
    ]
    placed = [
        [contestant for contestant in members if _is_placed(contestant, g)]
        for members, g in zip(there, all_groups, strict=True)
    ]
    borders = border_counts(
        [len(members) for members in there],
        [len(members) for members in placed],
        [len(whole) - len(members) for whole, members in zip(all_members, there, strict=True)],
        moving_count,
    )
    ups = [0, *(up for up, _ in borders)]
    downs = [*(down for _, down in borders), 0]
    up = [members[:count] for members, count in zip(there, ups, strict=True)]
    down = [members[len(members) - count :] for members, count in zip(there, downs, strict=True)]
    stay = [
        members[first : len(members) - last]
        for members, first, last in zip(there, ups, downs, strict=True)
    ]
    return Promotion(
        tuple(all_groups),
        frozenset(contestant for members in up for contestant in members),
        frozenset(contestant for members in down for contestant in members),
        left,
        tuple(_ties_across_borders(rules, all_groups, keys, there, ups, downs)),
        tuple(
            tuple(above + own + below)
            for above, own, below in zip([[], *down[:-1]], stay, [*up[1:], []], strict=True)
        ),
        tuple(borders),
    )


def _has_contestant_left(people: People, leavers: Collection[People]) -> bool:
    """Return whether the contestant `people` has left, also if more people joined it since (`leavers`)."""
    return any(people[:count] in leavers for count in range(1, len(people) + 1))


def border_counts(
    sizes: Sequence[int],
    ranked_counts: Sequence[int],
    leaver_counts: Sequence[int],
    moving_count: int,
) -> list[tuple[int, int]]:
    """Return how many contestants go up, and how many go down, at each border between groups.

    `sizes` are the numbers of contestants of each group that go on. `ranked_counts` of them have a place and may go
    up; `leaver_counts` have left. The first of the first group stays. In a middle group the better half may go up,
    and no contestant goes both ways.

    >>> border_counts([6, 6, 6], [6, 6, 6], [0, 0, 0], 2)
    [(2, 2), (2, 2)]
    >>> border_counts([5, 6, 6], [6, 6, 6], [1, 0, 0], 2)
    [(2, 1), (2, 1)]
    >>> border_counts([2, 1, 3], [2, 1, 3], [0, 0, 0], 2)
    [(1, 1), (0, 0)]
    """
    exchanges: list[tuple[int, int]] = []
    last = len(sizes) - 1
    free, promised = leaver_counts[0], 1  # the first of the first group stays
    for border in range(last):
        below = sizes[border + 1]
        able = (
            ranked_counts[border + 1]
            if border + 1 == last
            else min(ranked_counts[border + 1], -(-below // 2))
        )
        room = max(0, sizes[border] - promised)
        up = min(max(moving_count, free), able, room + free)
        down = max(0, up - free)
        exchanges.append((up, down))
        free, promised = leaver_counts[border + 1] + up - down, up
    return exchanges


def _ordered_group(
    rules: Championship, people: Sequence[People], values: Had
) -> tuple[Group, dict[People, Order]]:
    """Return the ranking of a group, and the sort keys of its contestants."""
    lines, below = standing_of_values(
        rules, {person: values[person] for person in people if values.get(person)}
    )
    absent = [
        StandingLine(person, Fraction(0), 0, ()) for person in people if not values.get(person)
    ]
    before = {contestant: -place for place, contestant in enumerate(people)}
    keys: dict[People, Order] = {}
    for line in lines:
        ties = tuple(split(line) for split in _deciding_rules(rules).values())
        keys[line.who] = (1, sort_key(line.total), *ties, before[line.who])
    for line in below:
        keys[line.who] = (0, len(line.values), sort_key(line.total), before[line.who])
    for line in absent:
        keys[line.who] = (-1, before[line.who])
    order = tuple(sorted(people, key=lambda contestant: keys[contestant], reverse=True))
    return Group(tuple(lines), (*below, *absent), order), keys


def _deciding_rules(rules: Championship) -> dict[str, Callable[[StandingLine], Key]]:
    """Return the tie-breaks at a border between groups, in order: the championship's own, then all others."""
    return {**chosen_rules(rules), **TIES}


def _is_placed(people: People, group: Group) -> bool:
    """Return whether the contestant `people` is ranked in the group."""
    return any(line.who == people for line in group.lines)


def _ties_across_borders(
    rules: Championship,
    groups: Sequence[Group],
    keys: Sequence[Mapping[People, Order]],
    groups_now: Sequence[Sequence[People]],
    ups: Sequence[int],
    downs: Sequence[int],
) -> Iterator[LevelTie]:
    """Yield the contestants on both sides of a border that have equal totals."""
    names = tuple(_deciding_rules(rules))
    for number, people in enumerate(groups_now):
        cuts = {ups[number], len(people) - downs[number]} - {0, len(people)}
        for at, (first, second) in enumerate(pairwise(people), 1):
            one, other = keys[number][first], keys[number][second]
            if at in cuts and one[0] == 1 == other[0] and one[1] == other[1]:
                parts = zip(names, one[2:], other[2:], strict=False)
                by = next((name for name, a, b in parts if a != b), "")
                yield LevelTie(number, first, second, by)


def divided_groups(order: Sequence[People], count: int) -> list[list[People]]:
    """Divide contestants, in order, into `count` groups of nearly equal size, the larger ones first.

    >>> [len(group) for group in divided_groups([(str(n),) for n in range(11)], 3)]
    [4, 4, 3]
    """
    size, more = divmod(len(order), count)
    ends = [number * size + min(number, more) for number in range(count + 1)]
    return [list(order[start:end]) for start, end in pairwise(ends)]


def replace_person(groups: Groups, merged: str, kept: str) -> list[list[list[str]]]:
    """Return the groups after a merge: `kept` takes the place of `merged`; a duplicate keeps its first place."""
    seen: set[People] = set()
    groups_now: list[list[list[str]]] = []
    for group in groups:
        now = []
        for people in group:
            changed = [kept if person == merged else person for person in people]
            unique = tuple(dict.fromkeys(changed))
            if merged in people and len(unique) < 3:  # a pair stands in the order of its keys
                unique = tuple(sorted(unique))
            if unique not in seen:
                seen.add(unique)
                now.append(list(unique))
        groups_now.append(now)
    return groups_now
