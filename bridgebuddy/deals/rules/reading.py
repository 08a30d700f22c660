"""Deals read from a file: PBN, LIN (of Bridge Base) and DUP (of dealing machines).

Nothing in a file is trusted: each board must have 52 cards. PBN and LIN state dealer and vulnerability; books,
lessons and Bridge Base choose them freely. A session scores by board number, so other conditions are a problem there.
An analysis uses the conditions of the file. DUP states neither, so the board number decides both.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from movements.engine.boards import dealer, vulnerability

from .hands import CARDS as EVERY_CARD
from .hands import RANKS, SEATS, SUITS, format_pbn, hands_of_deal

#: bytes of a file, and boards in it
MOST_BYTES, MOST_BOARDS, HIGHEST = 1_000_000, 300, 999
UNKNOWN = "-"
#: a record of a dealing machine: cards by number, pictures of them, and how the set is numbered
RECORD, CARDS, LOWEST = 156, 78, slice(148, 151)
#: in PBN: a tag, or a comment beside tags
_TAG = re.compile(r'\[\s*(\w+)\s+"((?:\\"(?!\s*\])|[^"\n]){0,400})"\s*\]|;[^\n]*|(?m:^%[^\n]*)')
_TAG_OR_COMMENT = re.compile(_TAG.pattern + r"|\{[^}]*\}")
AS_BEFORE = "#"
_PLACE = re.compile(r"\bah\|[^|\d]{0,40}(\d{1,3})\|", re.IGNORECASE)
_DEAL = re.compile(r"\bmd\|([1-4])([^|]{0,90})\|", re.IGNORECASE)
_SPLIT = re.compile(r"\bqx\|", re.IGNORECASE)
_BOARD = re.compile(r"[a-z]{0,2}(\d{1,3})", re.IGNORECASE)
#: the dealer in LIN, and the seats of the hands
LIN_DEALERS, LIN_SEATS = {"1": "S", "2": "W", "3": "N", "4": "E"}, "SWNE"
_LIN_VULNERABLE = re.compile(r"\bsv\|([^|]{0,10})\|", re.IGNORECASE)
#: files' words for the dealer, and for vulnerability (single letters are those of LIN)
DEALERS = {
    written: name[0].upper()
    for name in ("north", "east", "south", "west")
    for written in (name, name[0])
}
VULNERABLE = {
    **dict.fromkeys(("none", "love", "-", "o", "0"), "none"),
    **dict.fromkeys(("ns", "n-s", "n"), "ns"),
    **dict.fromkeys(("ew", "e-w", "e"), "ew"),
    **dict.fromkeys(("all", "both", "b"), "all"),
}
#: values of an unknown tag
NOT_SAID = ("", "?")


@dataclass(frozen=True)
class BoardProblem:
    """An error in a board of a file: "cards", "dealer", "vulnerable", "twice" (a repeated board), or "none": no cards.

    `said` is the tag's value, if dealer or vulnerability is the problem.
    """

    board: int
    why: str
    said: str = ""


@dataclass(frozen=True)
class DealsFile:
    """The deals read from a file by board number, each as PBN from North on, and the problems of the other boards."""

    deals: dict[int, str]
    problems: tuple[BoardProblem, ...] = ()
    #: for boards whose dealer or vulnerability differs from their number's: the number from 1 to 16 that fits
    conditions: dict[int, int] = field(default_factory=dict)

    def board_with_same_conditions(self, board: int) -> int:
        """Return another board of the file with the same dealer and vulnerability as `board`."""
        return self.conditions.get(board, board)


class NoDeals(ValueError):
    """Raised if no deals could be read from a file: "unknown" format, "large" file, or "many" boards."""

    def __init__(self, why: str) -> None:
        self.why = why
        super().__init__(why)


class FoundBoard(NamedTuple):
    """A board as the deal file gives it; dealer and vulnerability only if stated, in the file's notation."""

    board: int
    #: as PBN; empty if the file names the board without cards
    pbn: str | None
    dealer: str = ""
    vulnerable: str = ""


Found = list[FoundBoard]
#: the number from 1 to 16, by dealer and vulnerability
_NUMBERS = {(dealer(number), vulnerability(number)): number for number in range(1, 17)}


def read_deals(data: bytes, *, as_file_says: bool = False) -> DealsFile:
    """Return the deals of a file in any of the formats. Raises `NoDeals`.

    A board with other conditions than its number's is a problem, or, with `as_file_says`, keeps the conditions of the
    file.
    """
    if len(data) > MOST_BYTES:
        raise NoDeals("large")
    readings = _boards_of_dup(data) or _boards_of_text(decoded_text(data))
    if len(readings) > MOST_BOARDS:
        raise NoDeals("many")
    if not any(reading.pbn != "" for reading in readings):
        raise NoDeals("unknown")
    deals: dict[int, str] = {}
    conditions: dict[int, int] = {}
    problems = []
    for reading in readings:
        if reading.pbn == "":
            continue
        board, deal = reading.board, deal_from_north(reading.pbn) if reading.pbn else None
        number, wrong = _number_by_conditions(reading, as_file_says=as_file_says)
        if deal is None:
            problems.append(BoardProblem(board, "cards"))
        elif wrong:
            problems.append(wrong)
        elif deals.get(board, deal) != deal or conditions.get(board, number) != number:
            problems.append(BoardProblem(board, "twice"))
        else:
            deals[board], conditions[board] = deal, number
    mentioned = {problem.board for problem in problems} | set(deals)
    without = dict.fromkeys(reading.board for reading in readings if reading.board not in mentioned)
    others = {
        board: number for board, number in conditions.items() if number != 1 + (board - 1) % 16
    }
    return DealsFile(
        deals, (*problems, *(BoardProblem(board, "none") for board in without)), others
    )


def _number_by_conditions(
    found_board: FoundBoard, *, as_file_says: bool
) -> tuple[int, BoardProblem | None]:
    """Return the number from 1 to 16 that a board's dealer and vulnerability fit, and a problem of its tags or None.

    With a problem the number follows from the number in the file.
    """
    board, values = found_board.board, []
    for tag, written, words, usual in (
        ("dealer", found_board.dealer, DEALERS, dealer(board)),
        ("vulnerable", found_board.vulnerable, VULNERABLE, vulnerability(board)),
    ):
        value = usual if written in NOT_SAID else words.get(written.casefold())
        if value is None or (value != usual and not as_file_says):
            return 1 + (board - 1) % 16, BoardProblem(board, tag, written)
        values.append(value)
    return _NUMBERS[values[0], values[1]], None


def decoded_text(data: bytes) -> str:
    """Return the text of a deal file in any of the usual encodings; a byte order mark decides."""
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return data.decode("utf-16", errors="replace")
    beginning = data[:200]
    for order, zeros in (("utf-16-le", beginning[1::2]), ("utf-16-be", beginning[::2])):
        if zeros and zeros.count(0) > len(zeros) // 2:
            return data.decode(order, errors="replace")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("cp1252", errors="replace")


def deal_from_north(text: str) -> str | None:
    """Return a written deal as PBN from North on; a missing fourth hand gets the remaining cards.

    Returns None if it is not a deal of 52 cards.

    >>> deal_from_north("E:A.. ... ... ...") is None
    True
    """
    hands_by_seat = hands_of_deal(_complete_fourth_hand(text.upper().replace("10", "T")))
    return None if hands_by_seat is None else format_pbn(hands_by_seat)


def _complete_fourth_hand(pbn: str) -> str:
    """Return a deal with the unknown fourth hand ("-" in PBN) replaced by the remaining cards."""
    first, _, rest = pbn.strip().partition(":")
    dealt = rest.split()
    if len(dealt) == 3:
        dealt.append(UNKNOWN)
    if len(dealt) != 4 or dealt.count(UNKNOWN) != 1:
        return pbn
    known_hands = [hand.split(".") for hand in dealt if hand != UNKNOWN]
    if any(len(suits) != 4 for suits in known_hands):
        return pbn
    rest_of = (
        "".join(rank for rank in RANKS if all(rank not in hand[place] for hand in known_hands))
        for place in range(4)
    )
    dealt[dealt.index(UNKNOWN)] = ".".join(rest_of)
    return f"{first}:{' '.join(dealt)}"


def _boards_of_text(text: str) -> Found:
    """Return the boards of a PBN or LIN text. PBN is tried first, because its comments may look like LIN."""
    boards = _boards_of_pbn(text)
    is_lin = _DEAL.search(text) and not any(reading.pbn != "" for reading in boards)
    return _boards_of_lin(text) if is_lin else boards


def _boards_of_pbn(text: str) -> Found:
    """Return the boards of a PBN text. A board begins with its Event or Board tag; its tags may be in any order.

    "#" repeats the value of the game before.
    """
    boards: Found = []
    before = {"dealer": "", "vulnerable": "", "deal": ""}
    #: dealer and vulnerability of a game whose board is not named yet; None within a game
    ahead: dict[str, str] | None = {}
    for name, value in _pbn_tags(text):
        tag, is_as_before = name.lower(), value.startswith(AS_BEFORE)
        value = value.strip().lstrip(AS_BEFORE)
        if tag == "event":
            ahead = {}
        elif tag == "board":
            if board := _board_number(value):
                boards.append(FoundBoard(board, "", **(ahead or {})))
            ahead = None
        if tag not in before:
            continue
        before[tag] = value = before[tag] if is_as_before and not value else value
        if ahead is not None and tag != "deal":
            ahead[tag] = value
            continue
        if not boards:
            continue
        game = boards[-1]
        if tag == "dealer":
            boards[-1] = game._replace(dealer=value)
        elif tag == "vulnerable":
            boards[-1] = game._replace(vulnerable=value)
        elif game.pbn == "":
            boards[-1] = game._replace(pbn=value)
        else:  # another deal without a number of its own
            boards.append(FoundBoard(game.board, value, game.dealer, game.vulnerable))
    return boards


def _board_number(text: str) -> int:
    """Return the board number that a text states; 0 if there is none or it is too high."""
    is_number = text.isdecimal() and len(text.lstrip("0")) <= len(str(HIGHEST))
    return int(text.lstrip("0") or "0") if is_number else 0


def _pbn_tags(text: str) -> Iterator[tuple[str, str]]:
    """Return the PBN tags of a text with their values, without comments; an unclosed bracket is ignored."""
    return ((name, value) for name, value, _, _ in _pbn_tags_with_spans(text))


def tagged_tables(text: str) -> Iterator[tuple[str, str, str]]:
    """Yield each PBN tag of a text with the table rows that follow it before the next tag."""
    positions = [*_pbn_tags_with_spans(text)]
    ends = [*(start for _, _, start, _ in positions[1:]), len(text)]
    for (name, value, _, end), next_one in zip(positions, ends, strict=False):
        yield name, re.sub(r"\\([\\\"])", r"\1", value), text[end:next_one]


def _pbn_tags_with_spans(text: str) -> Iterator[tuple[str, str, int, int]]:
    """Yield the PBN tags of a text, each with the positions where it begins and ends."""
    closed = text.rfind("}") + 1
    for pattern, before, part in (
        (_TAG_OR_COMMENT, 0, text[:closed]),
        (_TAG, closed, text[closed:]),
    ):
        for match in pattern.finditer(part):
            if match[1]:
                yield match[1], match[2], before + match.start(), before + match.end()


def _boards_of_lin(text: str) -> Found:
    """Return the boards of a LIN text by their names, or numbered in sequence if they have none."""
    boards: Found = []
    for number, part in enumerate(_lin_parts(text), 1):
        deal = _DEAL.search(part)
        named = _PLACE.search(part) or _BOARD.match(part)
        board = int(named[1]) if named else number
        if not 0 < board <= HIGHEST or not (deal or named):
            continue
        vulnerable = _LIN_VULNERABLE.search(part)
        boards.append(
            FoundBoard(
                board,
                _lin_hands(deal[2]) if deal else "",
                LIN_DEALERS[deal[1]] if deal else "",
                vulnerable[1].strip() if vulnerable else "",
            )
        )
    return boards


def _lin_parts(text: str) -> list[str]:
    """Return a LIN text divided into boards: at each "qx" command, or else at each deal."""
    if _SPLIT.search(text):
        return _SPLIT.split(text)[1:]
    starts = [match.start() for match in _DEAL.finditer(text)]
    ends = [*starts[1:], len(text)]
    return [text[start:end] for start, end in zip(starts, ends, strict=True)]


def _lin_hands(text: str) -> str:
    """Return a LIN deal (South, West, North and perhaps East) as PBN; a missing hand gets the remaining cards."""
    hands = [_lin_hand(hand_text) for hand_text in text.split(",")[:4]]
    hands += [[]] * (4 - len(hands))
    if not any(hands):
        return ""
    by_seat = {
        seat: ".".join("".join(c[1] for c in hand if c[0] == suit) for suit in SUITS)
        if hand
        else UNKNOWN
        for seat, hand in zip(LIN_SEATS, hands, strict=True)
    }
    return "N:" + " ".join(by_seat[seat] for seat in SEATS)


def _lin_hand(text: str) -> list[str]:
    """Return the cards of a hand in the LIN format."""
    suit, cards = "", []
    for letter in text.upper().replace("10", "T"):
        if letter in SUITS:
            suit = letter
        elif suit and letter in RANKS:
            cards.append(suit + letter)
    return cards


def _boards_of_dup(data: bytes) -> Found:
    """Return the boards of a DUP file: 156 bytes each, with the cards of North, East and South by number."""
    if not data or len(data) % RECORD or not data[:CARDS].isdigit():
        return []
    lowest = data[LOWEST].strip()
    first = int(lowest) if lowest.isdigit() and 0 < int(lowest) <= HIGHEST else 1
    return [
        FoundBoard(first + index, _hands_of_card_numbers(data[start : start + CARDS]))
        for index, start in enumerate(range(0, len(data), RECORD))
    ]


def _hands_of_card_numbers(written: bytes) -> str | None:
    """Return the hands of a DUP record of card numbers as PBN; None if the numbers are wrong."""
    if not written.isdigit():
        return None
    numbers = [int(written[place : place + 2]) for place in range(0, CARDS, 2)]
    if not all(1 <= number <= 52 for number in numbers):
        return None
    cards = [EVERY_CARD[number - 1] for number in numbers]
    dealt = [frozenset(cards[:13]), frozenset(cards[13:26]), frozenset(cards[26:])]
    west = frozenset(EVERY_CARD).difference(*dealt)
    return format_pbn(dict(zip(SEATS, (*dealt, west), strict=True)))
