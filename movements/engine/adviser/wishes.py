"""A director's wishes for the session."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

from ..contest import Contest

Broken = tuple[str, ...]
"""Names of the wishes that are not granted."""


@dataclass(frozen=True, slots=True)
class Wishes:
    """The director's wishes for a session: boards, time, sharing and so on; None means no wish."""

    pairs: int  # or players, or teams
    fewest_boards: int = 24
    most_boards: int = 28
    minutes_per_board: int = 7
    minutes: int | None = None  # from the first board to the last
    winners: int | None = None
    longest_sit_out: Fraction | None = None  # rounds
    stationary: int = 0  # pairs that must stay seated
    copies: int = 1  # copies of the boards at hand
    sharing: bool = True
    stands: bool = True
    break_after_half: bool = False
    masterpoints: bool = False
    late_pair: bool = False
    caddies: bool = False  # a caddy carries the boards
    imps: bool = False  # scored in IMPs or total points
    missing_line: str = "ew"  # position of a half table; empty: the better one
    contest: Contest = Contest.PAIRS


def drop_wish(wishes: Wishes, name: str) -> Wishes:
    """Return the wishes without the one with this name, so that a page can offer to give it up.

    >>> drop_wish(Wishes(16, winners=1), "winners").winners is None
    True
    """
    free = Wishes(wishes.pairs)
    fields = {
        "boards": {"fewest_boards": 1, "most_boards": 120},
        "time": {"minutes": None},
        "winners": {"winners": None},
        "sit_out": {"longest_sit_out": None},
        "stationary": {"stationary": 0},
        "copies": {"copies": 9},
        "sharing": {"sharing": True},
        "stands": {"stands": True},
        "masterpoints": {"masterpoints": False},
        "break": {"break_after_half": free.break_after_half},
    }
    return replace(wishes, **fields[name])  # type: ignore[arg-type]
