"""Commands that refuse with one sentence on stderr and exit code 2."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any, NoReturn

from django.core.management.base import BaseCommand, CommandParser


class RefusingCommand(BaseCommand):
    """A management command that answers every error with one sentence on stderr and exit code 2."""

    requires_system_checks: list[str] = []

    def exit_with_error(self, sentence: str) -> NoReturn:
        """Print an error sentence and exit with code 2."""
        self.stderr.write(sentence)
        raise SystemExit(2)

    def read_text(self, name: str) -> str:
        """Return the text of a file, or of standard input for "-"; exit with an error if it is no text."""
        try:
            return self.read_bytes(name).decode("utf-8")
        except UnicodeDecodeError:
            self.exit_with_error(f"{name}: this is no text in UTF-8.")

    def read_bytes(self, name: str) -> bytes:
        """Return a file's content, or standard input for "-"."""
        try:
            return sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
        except OSError as error:
            self.exit_with_error(f"{name}: {error.strerror}.")

    def create_parser(self, prog_name: str, subcommand: str, **kwargs: Any) -> CommandParser:
        """Return an argument parser that prints errors as one sentence."""
        parser = super().create_parser(prog_name, subcommand, **kwargs)
        # argparse would print its usage first, and Django a prefix
        parser.error = lambda message: self.exit_with_error(_sentence_of_message(message))  # type: ignore[method-assign]
        return parser

    def execute(self, *args: Any, **options: Any) -> str | None:
        """Run the command; end quietly if the reader of its output has closed the pipe."""
        try:
            result: str | None = super().execute(*args, **options)
            sys.stdout.flush()
        except BrokenPipeError:
            # the reader of the output has closed it, as with `| head`
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return None
        return result


def _sentence_of_message(message: str) -> str:
    """Return an error message of the parser as a sentence."""
    return f"{message[:1].upper()}{message[1:]}{'' if message.endswith('.') else '.'}"
