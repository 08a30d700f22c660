"""What live changes have made different since a director last looked."""

from __future__ import annotations

from dataclasses import dataclass

from bridgebuddy.events.queries.plan import Plan


@dataclass(frozen=True)
class News:
    """The tables whose rounds to come are not those of a version any more."""

    since: int  # the version of the movement that was seen last
    now: int  # the present one
    from_round: int  # the first round that is different
    tables: tuple[int, ...]  # none where only the number of rounds is another one
    last_round: int = 0  # where the session has another number of rounds now


def news_since(plan: Plan, seen: int) -> News | None:
    """Return what is different in the rounds that are being played and to come; None if nothing.

    `seen` is a version of the section's movement. One query as long as there has been no other.
    """
    was = next((one for one in plan.versions if one.version == seen), None)
    if was is None or plan.is_as_in(was):
        return None
    difference = plan.difference(plan.as_in(was))
    coming = range(max(plan.section.round, 1), plan.evening.rounds + 1)
    different = [one for one in difference.tables if one.round in coming]
    if not different and not difference.rounds:
        return None
    return News(
        since=seen,
        now=plan.versions[-1].version,
        from_round=different[0].round if different else difference.rounds + 1,
        tables=tuple(sorted({one.table for one in different})),
        last_round=difference.rounds,
    )
