"""Slip notation: a result as a trained scorer types it. `4hs=` is four hearts by South, just made.

Level, strain, doubled, declarer, tricks; then a space and the lead, if leads are recorded. `p` is passed out, `-` not
played, `420` or `-50` North-South's score alone, `60/40` an average of both sides. Case does not matter. Letters are
those of the scorer's language; English ones are accepted unless they are ambiguous.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from .model import Compass, Strain

BOOK = 6
MOST_TRICKS = 13
AVERAGES = {60: "AVE+", 50: "AVE", 40: "AVE-"}


class InvalidResultText(ValueError):
    """Error: a typed text is no result; `why` names the error, `typed` is the part that is wrong.

    `why` is one of "empty", "level", "strain", "declarer", "tricks", "many-tricks", "lead", "score".
    """

    def __init__(self, why: str, text: str = "") -> None:
        self.why = why
        self.typed = text
        super().__init__(f"{why}: {text}")


@dataclass(frozen=True)
class ContractLetters:
    """The lower-case letters of a language for strains, seats, ranks and "passed"."""

    strains: Mapping[str, Strain]
    seats: Mapping[str, Compass]
    passed: frozenset[str]
    ranks: Mapping[str, str]
    #: how a line is written: clubs to no trumps, North to West; ranks are written as the first letter with that meaning
    written_strains: tuple[str, ...] = ("c", "d", "h", "s", "n")
    written_seats: tuple[str, ...] = ("n", "e", "s", "w")

    @property
    def strains_text(self) -> str:
        """Return the letters of the strains as text: "C D H S N"."""
        return " ".join(self.written_strains).upper()

    @property
    def seats_text(self) -> str:
        """Return the letters of the seats as text: "N E S W"."""
        return " ".join(self.written_seats).upper()

    @property
    def cards_text(self) -> str:
        """Return the letters of the honours as text: "A K Q J"."""
        return " ".join(map(self.written_rank, "AKQJ")).upper()

    def written_rank(self, rank: str) -> str:
        """Return how a rank is written: "q" for "Q"."""
        return next((typed for typed, meant in self.ranks.items() if meant == rank), "")

    def strain(self, letter: str) -> Strain | None:
        """Return the strain that a typed letter means; None if it means none."""
        return self.strains.get(letter)


_RANKS = {**{str(n): str(n) for n in range(2, 10)}, "10": "T", "t": "T"}
ENGLISH = ContractLetters(
    strains={"c": "C", "d": "D", "h": "H", "s": "S", "n": "N", "nt": "N", "sa": "N"},
    seats={"n": "N", "e": "E", "s": "S", "w": "W"},
    passed=frozenset({"p", "pass", "passed", "0"}),
    ranks={**_RANKS, "j": "J", "q": "Q", "k": "K", "a": "A"},
)
#: Treff Karo Cœur Pik: C is hearts here, and the other English letters keep their meaning
GERMAN = ContractLetters(
    strains={
        **ENGLISH.strains,
        "t": "C",
        "k": "D",
        "c": "H",
        "p": "S",
        "sa": "N",
    },
    seats={**ENGLISH.seats, "o": "E"},
    passed=frozenset({*ENGLISH.passed, "passe", "gepasst"}),
    ranks={"d": "Q", "b": "J", **ENGLISH.ranks},
    written_strains=("t", "k", "c", "p", "sa"),
    written_seats=("n", "o", "s", "w"),
)
LETTERS = {"en": ENGLISH, "de": GERMAN}

_LINE = re.compile(
    r"(?P<level>[1-7])\s*(?P<strain>nt|sa|[a-z])\s*(?P<before>x{0,2})\s*(?P<seat>[a-z])"
    r"\s*(?P<after>x{0,2})\s*(?P<tricks>=|[+-]\s*\d{1,2})?(?:\s+(?P<lead>\S+))?"
)
_SCORE = re.compile(r"[+-]?\d{2,5}")
_AVERAGE = re.compile(r"(\d{1,3})\s*[/ ]\s*(\d{1,3})")
_AS_TYPED = str.maketrans("−–—*", "---x")
_PLAYED = re.compile(r"([1-7])(NT|[CDHS])(x{0,2})")


def parse_result_text(text: str, letters: ContractLetters = ENGLISH) -> dict[str, Any]:
    """Return the outcome that a typed result such as "4hs=" means, as document data. Raises `InvalidResultText`.

    >>> parse_result_text("4hs=")
    {'contract': '4H', 'declarer': 'S', 'tricks': 10}
    >>> parse_result_text("3co-1", GERMAN)
    {'contract': '3H', 'declarer': 'E', 'tricks': 8}
    >>> parse_result_text("-50")
    {'score': -50}
    """
    line = " ".join(text.casefold().translate(_AS_TYPED).split())
    if not line:
        raise InvalidResultText("empty")
    if line in letters.passed:
        return {"passed": True}
    if line == "-":
        return {"not_played": "skipped"}
    if _SCORE.fullmatch(line):
        return {"score": int(line)}
    if average := _AVERAGE.fullmatch(line):
        return {"artificial": {"ns": _read_average(average[1]), "ew": _read_average(average[2])}}
    return _read_contract(line, letters)


def format_result_text(
    outcome: Mapping[str, Any] | None, letters: ContractLetters = ENGLISH
) -> str:
    """Return the text that `parse_result_text` reads as this outcome; empty if the notation cannot express it.

    >>> format_result_text({"contract": "4H", "declarer": "S", "tricks": 10})
    '4hs='
    """
    line = _slip_text(outcome or {}, letters)
    try:
        return line if line and parse_result_text(line, letters) == outcome else ""
    except InvalidResultText:
        return ""


def _slip_text(outcome: Mapping[str, Any], letters: ContractLetters) -> str:
    """Return an outcome in the short notation of result slips: "4SN+1"."""
    match outcome:
        case {"contract": str(contract), "declarer": declarer, "tricks": tricks}:
            return _contract_text(contract, declarer, tricks, letters) + _lead_text(
                outcome, letters
            )
        case {"passed": True}:
            return "p"
        case {"not_played": "skipped"}:
            return "-"
        case {"score": score}:
            return f"{score:+d}"
        case {"artificial": {"ns": ns, "ew": ew}}:
            per_cent = {name: number for number, name in AVERAGES.items()}
            return f"{per_cent.get(ns, ns)}/{per_cent.get(ew, ew)}"
    return ""


def _contract_text(contract: str, declarer: str, tricks: int, letters: ContractLetters) -> str:
    """Return contract, declarer and tricks in the short notation."""
    match = _PLAYED.fullmatch(contract)
    if not match:
        return ""
    strain, seat = "CDHSN".index(match[2][0]), "NESW".index(declarer)
    over = tricks - BOOK - int(match[1])
    bid = f"{match[1]}{letters.written_strains[strain]}{match[3]}{letters.written_seats[seat]}"
    return bid + (f"{over:+d}" if over else "=")


def _lead_text(outcome: Mapping[str, Any], letters: ContractLetters) -> str:
    """Return the opening lead in the notation of slips; empty without one."""
    lead = outcome.get("lead")
    if not lead:
        return ""
    suit = letters.written_strains["CDHSN".index(lead[0])]
    return f" {suit}{letters.written_rank(lead[1:])}"


def _read_average(text: str) -> str | int:
    """Return the artificial score that a typed percentage means; raise `InvalidResultText` above 100."""
    per_cent = int(text)
    if per_cent > 100:
        raise InvalidResultText("score", text)
    return AVERAGES.get(per_cent, per_cent)


def _read_contract(line: str, letters: ContractLetters) -> dict[str, Any]:
    """Return the outcome that a typed contract means; raise `InvalidResultText` for other texts."""
    match = _LINE.fullmatch(line)
    strain = letters.strain(match["strain"]) if match else None
    seat = letters.seats.get(match["seat"]) if match else None
    if match is None or strain is None or seat is None:
        raise _line_error(line, letters)
    doubled = match["before"] or match["after"]
    level = int(match["level"])
    name = "NT" if strain == "N" else strain
    outcome: dict[str, Any] = {"contract": f"{level}{name}{doubled}", "declarer": seat}
    outcome["tricks"] = _read_tricks(level, match["tricks"])
    if match["lead"]:
        outcome["lead"] = _read_lead(match["lead"], letters)
    return outcome


def _read_tricks(level: int, text: str | None) -> int:
    """Return the number of tricks; raise `InvalidResultText` if it is missing or impossible."""
    if text is None:
        raise InvalidResultText("tricks")
    over = 0 if text == "=" else int(text.replace(" ", ""))
    tricks = BOOK + level + over
    if not 0 <= tricks <= MOST_TRICKS:
        raise InvalidResultText("many-tricks", text)
    return tricks


def _read_lead(text: str, letters: ContractLetters) -> str:
    """Return the card that a typed opening lead means; raise `InvalidResultText` if it is no card."""
    suit, rank = letters.strain(text[0]), letters.ranks.get(text[1:])
    if suit is None or suit == "N" or rank is None:
        raise InvalidResultText("lead", text)
    return suit + rank


def _line_error(line: str, letters: ContractLetters) -> InvalidResultText:
    """Return the error that best explains why a typed text is not a result."""
    if line[0] not in "1234567":
        return InvalidResultText("level", line[0])
    rest = line[1:].lstrip()
    strain = rest[:2] if rest[:2] in ("nt", "sa") else rest[:1]
    if letters.strain(strain) is None:
        return InvalidResultText("strain", strain)
    rest = rest[len(strain) :].lstrip(" x")
    if not rest or letters.seats.get(rest[0]) is None:
        return InvalidResultText("declarer", rest[:1])
    return InvalidResultText("tricks", rest[1:].lstrip(" x"))
