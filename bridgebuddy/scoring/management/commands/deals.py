"""Deals from a file or made here: double-dummy results, and proof that they were not chosen."""

from __future__ import annotations

import json
import os
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from bridgebuddy.deals.double_dummy import (
    NoSolver,
    NotSolved,
    NotStarted,
    SolverProcess,
    Tricks,
    trick_table,
)
from bridgebuddy.deals.rules import making, writing
from bridgebuddy.deals.rules.hands import format_pbn
from bridgebuddy.deals.rules.reading import (
    HIGHEST,
    MOST_BOARDS,
    BoardProblem,
    DealsFile,
    NoDeals,
    read_deals,
)
from bridgebuddy.scoring.rules.par import par_of_board
from movements.engine.boards import dealer, vulnerability
from movements.management.refusing import RefusingCommand

UNREAD = {
    "cards": "these are not 52 cards",
    "dealer": "Dealer is not N, E, S or W",
    "vulnerable": "Vulnerable is not None, NS, EW or All",
    "twice": "two different deals",
    "none": "no cards",
}
NOT_ANALYSED = "the solver gave no answer for these cards"
NO_DEALS = {
    "unknown": "no deals in a form known here (PBN, LIN, DUP)",
    "large": "too large",
    "many": f"more than {MOST_BOARDS} boards",
}


class Command(RefusingCommand):
    """Make, verify and analyse deals."""

    help = "Make deals that nobody chose, verify them, or work out what can be made of them."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the actions `analyse`, `make` and `verify` with their arguments."""
        ways = parser.add_subparsers(dest="way", required=True, parser_class=type(parser))
        analyse = ways.add_parser("analyse", help="tricks with all cards seen, and par")
        analyse.add_argument("file", help="PBN, LIN or DUP; - reads the standard input")
        analyse.add_argument("--format", choices=("text", "json"), default="text")
        make = ways.add_parser("make", help="deals from a secret")
        make.add_argument("--boards", default="1-24", help="such as 1-24 or 1-8,17-24")
        make.add_argument("--format", choices=tuple(writing.FORMATS), default="pbn")
        verify = ways.add_parser("verify", help="whether a file's deals follow from a secret")
        verify.add_argument("file", help="PBN, LIN or DUP; - reads the standard input")
        verify.add_argument("--secret", help="as it was told afterwards")
        for command_parser in (make, verify):
            command_parser.add_argument(
                "--secret-file", help="holds the secret; `make` writes one that is not there"
            )
            command_parser.add_argument(
                "--word", action="append", default=[], help="what somebody added, in order"
            )
            command_parser.add_argument(
                "--set", default="", help="a name for these boards, if there are several sets"
            )

    def handle(self, **options: Any) -> None:
        """Analyse, make or verify deals, as the command line says."""
        {"analyse": self._analyse_deals, "make": self._make_deals, "verify": self._verify_deals}[
            options["way"]
        ](options)

    # ── generated deals ──

    def _analyse_deals(self, options: dict[str, Any]) -> None:
        """Print the makeable tricks and par of a file's deals."""
        read = self._read_deals_file(options["file"])
        unread = {problem.board: _error_text(problem) for problem in read.problems}
        boards = []
        try:
            with SolverProcess() as solver:
                for board, deal in sorted(read.deals.items()):
                    try:
                        solved = trick_table(solver.solve(deal))
                    except NotSolved:
                        unread[board] = NOT_ANALYSED
                        continue
                    boards.append(
                        _board_analysis(board, read.board_with_same_conditions(board), solved)
                    )
        except NoSolver:
            self.exit_with_error(
                "Deals cannot be solved, because endplay is missing: pip install endplay"
            )
        except NotStarted:
            self.exit_with_error(
                "What solves deals does not begin: the machine is too busy, or has no memory."
            )
        if options["format"] == "json":
            unread_boards = [{"board": board, "why": why} for board, why in unread.items()]
            self.stdout.write(json.dumps({"boards": boards, "unread": unread_boards}, indent=1))
            return
        for dealt_board in boards:
            self.stdout.write(_analysis_text(dealt_board))
        for board, why in unread.items():
            self.stdout.write(f"Board {board}: {why}.")

    def _read_deals_file(self, name: str) -> DealsFile:
        """Return the deals of a file; exit if it has none."""
        try:
            return read_deals(self.read_bytes(name), as_file_says=True)
        except NoDeals as error:
            self.exit_with_error(f"{name}: {NO_DEALS[error.why]}.")

    # ── made, and verified ──

    def _make_deals(self, options: dict[str, Any]) -> None:
        """Print deals made from a secret."""
        boards = self._board_numbers(options["boards"])
        secret = self._secret_of_file(options["secret_file"])
        deals = making.deals_from_secret(secret, boards, options["word"], options["set"])
        try:
            written = writing.FORMATS[options["format"]](deals)
        except ValueError as error:
            self.exit_with_error(f"{str(error).capitalize()}.")
        if not options["secret_file"]:
            self.stderr.write(f"secret: {secret}")
        self.stderr.write(f"its SHA-256, to show before: {making.commitment(secret)}")
        self.stdout.write(written.decode("ascii"), ending="")

    def _board_numbers(self, text: str) -> list[int]:
        """Return the board numbers in an argument such as "1-24"; exit if they are invalid."""
        numbers = making.parse_board_ranges(text, HIGHEST, MOST_BOARDS)
        if numbers is None:
            self.exit_with_error(
                f"--boards: {text!r} are no boards like 1-8,17-24, each once and at most {MOST_BOARDS}."
            )
        return numbers

    def _secret_of_file(self, name: str | None) -> str:
        """Return the dealing secret in a file; without a file, store a new secret."""
        if not name:
            return making.new_secret()
        path = Path(name)
        if path.exists():
            return self._stripped_secret(self.read_text(name))
        secret = making.new_secret()
        try:
            with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
                file.write(secret + "\n")
        except OSError as error:
            self.exit_with_error(f"{name}: {error.strerror}.")
        return secret

    def _stripped_secret(self, secret: str) -> str:
        """Return a typed dealing secret without surrounding spaces; exit if it is empty."""
        text = secret.strip()
        return text if text else self.exit_with_error("The secret is empty.")

    def _verify_deals(self, options: dict[str, Any]) -> None:
        """Print whether the deals of a file follow from a secret."""
        if (options["secret"] is None) == (options["secret_file"] is None):
            self.exit_with_error("Give the secret: --secret or --secret-file.")
        argument = options["secret"]
        secret = self._stripped_secret(
            self.read_text(options["secret_file"]) if argument is None else argument
        )
        read = self._read_deals_file(options["file"])
        deals = making.deals_from_secret(secret, read.deals, options["word"], options["set"])
        others = [
            board for board, deal in sorted(read.deals.items()) if format_pbn(deals[board]) != deal
        ]
        for board in others:
            self.stdout.write(f"Board {board} does not follow from this secret.")
        for problem in read.problems:
            self.stdout.write(f"Board {problem.board}: {_error_text(problem)}.")
        if others or read.problems:
            raise SystemExit(1)
        self.stdout.write(f"All {len(read.deals)} boards follow from this secret.")


def _error_text(problem: BoardProblem) -> str:
    """Return the error of a board in a deal file as text, with the value of its tag."""
    detail = f" but {problem.said}" if problem.said else ""
    return f"{UNREAD[problem.why]}{detail}"


def _board_analysis(board: int, number: int, tricks: Tricks) -> dict[str, Any]:
    """Return the double-dummy tricks and par of a board; `number` gives its dealer and vulnerability."""
    the_par = par_of_board(number, tricks)
    return {
        "board": board,
        "dealer": dealer(number),
        "vulnerable": writing.VULNERABLE[vulnerability(number)],
        "tricks": tricks,
        "par": {"score": the_par.score, "contracts": list(the_par.contracts)},
    }


def _analysis_text(board: dict[str, Any]) -> str:
    """Return the double-dummy tricks and par of a board as text."""
    lines = [f"Board {board['board']}: {board['dealer']} deals, vulnerable {board['vulnerable']}"]
    lines += [
        f"  {seat}  " + "  ".join(f"{strain} {took:>2}" for strain, took in row.items())
        for seat, row in board["tricks"].items()
    ]
    lines.append(f"  par {board['par']['score']:+} {' '.join(board['par']['contracts'])}")
    return "\n".join(lines)
