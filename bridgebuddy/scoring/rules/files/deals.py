"""Deals read from a file: PBN, LIN (of Bridge Base) and DUP (of dealing machines).

Nothing in a file is trusted: each board has to have 52 cards and the dealer its number asks for.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from .. import laws
from ..points import DEALERS, dealer

#: bytes of a file, and boards in it
MOST_BYTES, MOST_BOARDS, HIGHEST = 1_000_000, 300, 999
SUITS, RANKS = "SHDC", "AKQJT98765432"
#: a record of a dealing machine: cards by number, pictures of them, and how the set is numbered
RECORD, CARDS, LOWEST = 156, 78, slice(148, 151)
_TAG = re.compile(r'\[\s*(\w+)\s+"([^"\n]{0,400})"\s*\]')
_PLACE = re.compile(r"\bah\|[^|\d]{0,40}(\d{1,3})\|", re.IGNORECASE)
_DEAL = re.compile(r"\bmd\|([1-4])([^|]{0,90})\|", re.IGNORECASE)
_SPLIT = re.compile(r"\bqx\|", re.IGNORECASE)
_BOARD = re.compile(r"[a-z]{0,2}(\d{1,3})", re.IGNORECASE)
#: who deals in LIN, and whose hands follow
LIN_DEALERS, LIN_SEATS = {"1": "S", "2": "W", "3": "N", "4": "E"}, "SWNE"


@dataclass(frozen=True)
class Problem:
    """What is wrong with a board: "cards", "dealer" or "twice"."""

    board: int
    why: str


@dataclass(frozen=True)
class DealsFile:
    """The deals of a file, each as PBN from North on, and what is wrong with others."""

    deals: dict[int, str]
    problems: tuple[Problem, ...] = ()


class NoDeals(ValueError):
    """No deals could be read: "unknown" format, "large" file, or "many" boards."""

    def __init__(self, why: str) -> None:
        self.why = why
        super().__init__(why)


Found = list[tuple[int, str | None, str | None]]  # board, deal as PBN, dealer if it is said


def read_deals(data: bytes) -> DealsFile:
    """Return the deals of a file, whichever of the formats it has. Raises `NoDeals`."""
    if len(data) > MOST_BYTES:
        raise NoDeals("large")
    found = _dup(data) or _text(data.decode("utf-8", errors="replace"))
    if not found:
        raise NoDeals("unknown")
    if len(found) > MOST_BOARDS:
        raise NoDeals("many")
    deals: dict[int, str] = {}
    problems = []
    for board, pbn, who in found:
        deal = from_north(pbn) if pbn else None
        if deal is None:
            problems.append(Problem(board, "cards"))
        elif who not in (None, dealer(board)):
            problems.append(Problem(board, "dealer"))
        elif deals.get(board, deal) != deal:
            problems.append(Problem(board, "twice"))
        else:
            deals[board] = deal
    return DealsFile(deals, tuple(problems))


def from_north(pbn: str) -> str | None:
    """Return a deal from North on, ranks in order; None where it is not one of 52 cards.

    >>> from_north("E:A.. ... ... ...") is None
    True
    """
    hands = laws.hands(pbn.upper().replace("10", "T"))
    if hands is None:
        return None
    return "N:" + " ".join(
        ".".join("".join(rank for rank in RANKS if suit + rank in hands[seat]) for suit in SUITS)
        for seat in DEALERS
    )


def _text(text: str) -> Found:
    return _lin(text) if _DEAL.search(text) else _pbn(text)


def _pbn(text: str) -> Found:
    """A game begins with its event or its board; what is said again counts from there on."""
    found: Found = []
    board, who = 0, None
    for name, value in _TAG.findall(text):
        match name.lower():
            case "board" if value.strip().isdecimal() and 0 < int(value) <= HIGHEST:
                board, who = int(value), None
            case "dealer" if value.strip().upper() in DEALERS:
                who = value.strip().upper()
            case "deal" if board and value.strip():
                found.append((board, value, who))
    return found


def _lin(text: str) -> Found:
    """Boards by their name; where they have none, one after the other."""
    found: Found = []
    for number, part in enumerate(_parts(text), 1):
        deal = _DEAL.search(part)
        if not deal:
            continue
        named = _PLACE.search(part) or _BOARD.match(part)
        board = int(named[1]) if named else number
        if 0 < board <= HIGHEST:
            found.append((board, _lin_hands(deal[2]), LIN_DEALERS[deal[1]]))
    return found


def _parts(text: str) -> list[str]:
    """The boards of a text: each from its "qx", or each from its deal."""
    if _SPLIT.search(text):
        return _SPLIT.split(text)[1:]
    starts = [found.start() for found in _DEAL.finditer(text)]
    ends = [*starts[1:], len(text)]
    return [text[start:end] for start, end in zip(starts, ends, strict=True)]


def _lin_hands(written: str) -> str | None:
    """South, West, North and, if it is written, East: who is left out has all other cards."""
    hands = [_lin_hand(one) for one in written.split(",")[:4]]
    hands += [set()] * (4 - len(hands))
    if not hands[3]:
        every = {suit + rank for suit in SUITS for rank in RANKS}
        hands[3] = every - hands[0] - hands[1] - hands[2]
    by_seat = dict(zip(LIN_SEATS, hands, strict=True))
    return "N:" + " ".join(
        ".".join("".join(sorted(c[1] for c in by_seat[seat] if c[0] == suit)) for suit in SUITS)
        for seat in DEALERS
    )


def _lin_hand(written: str) -> set[str]:
    suit, found = "", set()
    for letter in written.upper().replace("10", "T"):
        if letter in SUITS:
            suit = letter
        elif suit and letter in RANKS:
            found.add(suit + letter)
    return found


def _dup(data: bytes) -> Found:
    """Records of 156 bytes: the cards of North, East and South by number, 01 the ace of spades."""
    if not data or len(data) % RECORD or not data[:CARDS].isdigit():
        return []
    lowest = data[LOWEST].strip()
    first = int(lowest) if lowest.isdigit() and 0 < int(lowest) <= HIGHEST else 1
    return [
        (first + index, _by_number(data[start : start + CARDS]), None)
        for index, start in enumerate(range(0, len(data), RECORD))
    ]


def _by_number(written: bytes) -> str | None:
    if not written.isdigit():
        return None
    numbers = [int(written[place : place + 2]) for place in range(0, CARDS, 2)]
    if not all(1 <= number <= 52 for number in numbers):
        return None
    cards = [SUITS[(n - 1) // 13] + RANKS[(n - 1) % 13] for n in numbers]
    every = {suit + rank for suit in SUITS for rank in RANKS}
    hands = [set(cards[:13]), set(cards[13:26]), set(cards[26:]), every - set(cards)]
    return "N:" + " ".join(
        ".".join("".join(card[1] for card in hand if card[0] == suit) for suit in SUITS)
        for hand in hands
    )
