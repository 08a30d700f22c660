"""Evenings as clubs have them, and the movements that the sources the catalogue names would choose.

`python -m tests.engine.situations` writes docs/dev/adviser.md: every situation, the sources' choice and the
adviser's. The sources are the encyclopaedia's list of preferred movements for 2½ to 8 tables, its rules for
more, and the notes of a state's association (no curtailed Mitchell with a half table, a rover or a share
and relay instead; few boards a round where a pair sits out; all boards played where that can be).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from pathlib import Path

from movements.engine import catalogue
from movements.engine.adviser import Advice, Wishes, advise_movements

PAGE = Path(__file__).parents[2] / "docs" / "dev" / "adviser.md"
FIRST = 3
SHOWN = 5


@dataclass(frozen=True)
class Situation:
    """An evening; one of `chosen` has to be among the first, none of `never_first` the first."""

    pairs: int
    boards: tuple[int, int]
    chosen: tuple[str, ...]  # a family, perhaps with its rounds: "howell 9"
    wishes: tuple[tuple[str, object], ...] = ()
    never_first: tuple[str, ...] = ("awl", "twin-mitchell")

    @property
    def asked(self) -> Wishes:
        return Wishes(self.pairs, *self.boards, **dict(self.wishes))  # type: ignore[arg-type]

    @cached_property
    def advised(self) -> tuple[Advice, ...]:
        return advise_movements(self.asked)

    @property
    def name(self) -> str:
        low, high = self.boards
        said = [f"{self.pairs} pairs", f"{low} boards" if low == high else f"{low}–{high} boards"]
        said += [
            WISHES[name] % value if "%" in WISHES[name] else WISHES[name]
            for name, value in self.wishes
        ]
        return ", ".join(said)


WISHES = {
    "late_pair": "a late pair is likely",
    "winners": "%s winner(s)",
    "stationary": "%s must stay seated",
    "sharing": "no sharing",
    "stands": "no stands",
    "copies": "%s copies",
    "longest_sit_out": "nobody out longer than %s round",
    "break_after_half": "a break",
    "masterpoints": "masterpoints",
    "minutes": "in %s minutes",
}
LATE = (("late_pair", True),)
SHORT_MITCHELL = ("mitchell", "awl", "skip-mitchell", "twin-mitchell")
#: what plays every board in five rounds at three tables
THREE_TABLES = ("scissors-howell 5", "extended-hesitation 5", "howell 5")
ROVERS = ("ew-rover", "ns-rover")

SITUATIONS = (
    # two to three tables
    Situation(4, (18, 24), ("howell 3",)),
    Situation(5, (20, 20), THREE_TABLES, never_first=SHORT_MITCHELL),
    Situation(5, (24, 28), THREE_TABLES, never_first=SHORT_MITCHELL),
    Situation(6, (18, 20), THREE_TABLES, never_first=SHORT_MITCHELL),
    Situation(6, (24, 24), THREE_TABLES, never_first=SHORT_MITCHELL),
    Situation(6, (25, 25), THREE_TABLES, never_first=SHORT_MITCHELL),
    Situation(6, (24, 25), THREE_TABLES, LATE, never_first=SHORT_MITCHELL),
    Situation(6, (30, 30), THREE_TABLES, never_first=SHORT_MITCHELL),
    # four tables
    Situation(7, (21, 21), ("hybrid 7", "howell 7")),
    Situation(7, (28, 28), ("hybrid 7", "howell 7")),
    Situation(7, (24, 28), ("howell 7",), LATE),
    Situation(8, (20, 20), ("crisscross 4", "share-and-relay 4")),
    Situation(8, (21, 21), ("hybrid 7", "howell 7")),
    Situation(8, (24, 24), ("crisscross 4", "share-and-relay 4")),
    Situation(8, (24, 28), ("howell 7",)),
    Situation(8, (28, 28), ("hybrid 7",)),
    # five tables
    Situation(9, (18, 18), ("howell 9",)),
    Situation(9, (27, 27), ("howell 9",)),
    Situation(9, (24, 28), ("howell 9", "partial-howell")),
    Situation(10, (18, 18), ("howell 9",)),
    Situation(10, (24, 24), ("hesitation 6",)),
    Situation(10, (25, 25), ("mitchell 5",)),
    Situation(10, (27, 27), ("howell 9",)),
    Situation(10, (24, 28), ("howell 9", "partial-howell"), LATE, never_first=SHORT_MITCHELL),
    # six tables
    Situation(11, (22, 22), ("howell 11",)),
    Situation(11, (24, 24), ("share-and-relay 6", "double-hesitation 8")),
    Situation(11, (27, 27), ("partial-howell 9",)),
    Situation(12, (22, 22), ("howell 11",)),
    Situation(12, (24, 24), ("share-and-relay 6", "double-hesitation 8")),
    Situation(12, (27, 27), ("partial-howell 9",)),
    Situation(12, (24, 28), ("share-and-relay 6",), LATE),
    # seven tables
    Situation(13, (21, 21), ("mitchell 7",)),
    Situation(13, (24, 24), ("hesitation 8", "two-way-rover 6"), never_first=SHORT_MITCHELL),
    Situation(13, (26, 26), ("howell 13",)),
    Situation(13, (24, 28), ("mitchell 7",), LATE),
    Situation(14, (21, 21), ("mitchell 7",)),
    Situation(14, (26, 26), ("howell 13",)),
    Situation(14, (28, 28), ("mitchell 7",)),
    Situation(14, (24, 28), ("scrambled-mitchell 7",), (("winners", 1),)),
    # eight tables
    Situation(15, (24, 24), ("share-and-relay 8",)),
    Situation(15, (28, 28), ("two-way-rover 7", *ROVERS)),
    Situation(16, (24, 24), ("share-and-relay 8",)),
    Situation(16, (24, 28), ("skip-mitchell 7",), (("sharing", False), ("stands", False))),
    Situation(16, (26, 28), ("skip-mitchell 7",)),
    Situation(16, (24, 24), ("scrambled-mitchell 8",), (("winners", 1), ("stationary", 8))),
    # nine tables
    Situation(17, (24, 24), ROVERS, never_first=SHORT_MITCHELL),
    Situation(17, (26, 28), ("mitchell 9",)),
    Situation(18, (27, 27), ("mitchell 9",)),
    Situation(18, (24, 28), ("mitchell 9",), LATE),
    # ten tables and more
    Situation(19, (24, 28), (*ROVERS, "share-and-relay 10")),
    Situation(20, (26, 28), ("skip-mitchell 9",), never_first=("awl", "twin-mitchell", "share-and-relay")),
    Situation(20, (30, 30), ("share-and-relay 10",)),
    Situation(21, (26, 28), ROVERS),
    Situation(22, (22, 22), ("mitchell 11",)),
    Situation(23, (24, 24), ("share-and-relay 12",)),
    Situation(24, (24, 24), ("share-and-relay 12",)),
    Situation(25, (26, 26), ("mitchell 13",)),
    Situation(26, (26, 26), ("mitchell 13",)),
    Situation(26, (24, 28), ("scrambled-mitchell 13",), (("winners", 1), ("stationary", 13))),
    Situation(27, (24, 28), ("share-and-relay 14", *ROVERS), LATE),
    Situation(27, (26, 26), ("two-way-rover 13",), (("winners", 1), ("longest_sit_out", Fraction(1, 2)))),
    Situation(28, (26, 26), ("skip-mitchell 13",)),
    Situation(28, (28, 28), ("share-and-relay 14",)),
    Situation(30, (26, 26), ("mitchell 13", "appendix-mitchell 13")),
    Situation(32, (26, 26), ("skip-mitchell 13",)),
    Situation(40, (24, 28), ("web 13", "web"), (("copies", 3),)),
    Situation(60, (24, 28), ("mitchell", "skip-mitchell")),
)  # fmt: skip


def fits(advice: Advice, chosen: str) -> bool:
    """Return whether an advice is of the chosen family, and has its rounds if any are named."""
    family, _, rounds = chosen.partition(" ")
    size = advice.offer.size
    return advice.offer.family.name == family and (not rounds or size.rounds == int(rounds))


def page() -> str:
    """Return docs/dev/adviser.md."""
    return "\n".join([HEAD, *_rows()]) + "\n"


HEAD = """# What the adviser says

Every situation of `tests/engine/situations.py`, written by `python -m tests.engine.situations`. One of the choices of
the second column has to be among the first three; the sources are named at the top of that file. A number in
brackets is the fairness, of 100; `!` stands before a wish that is not granted.

| Evening | Chosen by the sources | Adviser, best first |
|---|---|---|"""


def _rows() -> Iterator[str]:
    for situation in SITUATIONS:
        first = situation.advised[:SHOWN]
        chosen = " or ".join(_chosen(item) for item in situation.chosen)
        yield f"| {situation.name} | {chosen} | {'; '.join(map(_said, first))} |"


def _chosen(text: str) -> str:
    family, _, rounds = text.partition(" ")
    title = catalogue.find_family(family).title
    return f"{title} ({rounds} rounds)" if rounds else title


def _said(advice: Advice) -> str:
    size = advice.offer.size
    boards = f"{size.rounds} × {size.boards_per_round}" + (f" ({size.total})" if size.total else "")
    broken = "".join(f" !{name}" for name in advice.broken)
    return f"{advice.offer.family.title} {boards} [{advice.score}]{broken}"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
