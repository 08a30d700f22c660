"""Sheets are printed in a separate process, which can read only style sheet and fonts.

A sheet contains users' text and a club's logo, and large libraries parse its pictures and fonts.
The process has no access to database, network and settings (`sandbox`). It prints one sheet after
the other, and ends with its parent. It returns text and a PDF, and nothing executable. Decision
0019.
"""

from __future__ import annotations

import atexit
import gc
import json
import logging
import os
import struct
import subprocess
import sys
import tempfile
from pathlib import Path
from threading import Lock
from typing import IO, Any

from bridgebuddy.operations.call_stack import call_with_large_stack

ROOT = Path(__file__).resolve().parents[3]
#: the environment passed on: nothing about the database or about signing keys
HANDED_ON = {"HOME", "LANG", "LC_ALL", "PATH", "PYTHONPATH", "DYLD_FALLBACK_LIBRARY_PATH"}
HANDED_ON |= {
    "SYSTEMROOT",
    "WEASYPRINT_DLL_DIRECTORIES",
}  # Windows starts no Python without the first
#: the fonts' folders of operating systems, and their caches
FONTS = ("/etc/fonts", "/var/cache/fontconfig", "/var/lib/fontconfig", "/opt/homebrew")
FONTS_AT_HOME = (".fonts", ".local/share/fonts", ".cache/fontconfig")
LENGTH = struct.Struct("!Q")
log = logging.getLogger("weasyprint")


class NotPrinted(Exception):
    """Raised if the PDF process has ended, or could not render a sheet."""


class _PrintProcess:
    """The separate process that renders PDFs, started with the first sheet."""

    def __init__(self) -> None:
        self.folder = tempfile.TemporaryDirectory(prefix="bridgebuddy-")
        self.process = subprocess.Popen(
            [sys.executable, "-m", "bridgebuddy.printing.rendering.print_process"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            cwd=ROOT,
            env={name: os.environ[name] for name in HANDED_ON & os.environ.keys()},
        )
        self.write_message(json.dumps({**_process_settings(), "folder": self.folder.name}).encode())

    def write_message(self, part: bytes) -> None:
        """Send a message to the PDF process."""
        assert self.process.stdin is not None
        _write_message(self.process.stdin, part)

    def read(self) -> bytes:
        """Return the next message from the PDF process."""
        assert self.process.stdout is not None
        return _read_message(self.process.stdout)

    def end(self) -> None:
        """Kill the PDF process and delete its temporary folder."""
        self.process.kill()
        self.process.communicate()
        self.folder.cleanup()


_one_sheet = Lock()
_presses: list[_PrintProcess] = []


def render_pdf(html: str, *more: str) -> bytes:
    """Return a PDF of one or several sheets' HTML, rendered in the separate process.

    Raises `NotPrinted`.
    """
    with _one_sheet:
        if not _presses:
            _presses.append(_PrintProcess())
        press = _presses[0]
        try:
            press.write_message(json.dumps([html, *more]).encode())
            answer, pdf = json.loads(press.read()), press.read()
        except (OSError, EOFError) as gone:
            _end_print_processes()  # the next sheet starts a new process
            raise NotPrinted("the process that prints has ended") from gone
    for level, line in answer["said"]:
        log.log(level, "%s", line)
    if answer["broken"]:
        raise NotPrinted(answer["broken"])
    return pdf


def _end_print_processes() -> None:
    """End all PDF processes when the server stops."""
    while _presses:
        _presses.pop().end()


atexit.register(_end_print_processes)


def _process_settings() -> dict[str, Any]:
    """Return the settings for the PDF process: where it finds style sheets and fonts."""
    from django.conf import settings

    return {
        "url": settings.STATIC_URL,
        "folders": [str(folder) for folder in settings.STATICFILES_DIRS],
    }


def _write_message(stream: IO[bytes], part: bytes) -> None:
    """Write a message, preceded by its length, to a stream."""
    stream.write(LENGTH.pack(len(part)))
    stream.write(part)
    stream.flush()


def _read_message(stream: IO[bytes]) -> bytes:
    """Return the next message from a stream; raise `EOFError` at its end."""
    parts: list[bytes] = []
    for length in (LENGTH.size, -1):
        if length < 0:
            (length,) = LENGTH.unpack(parts[0])
        parts.append(stream.read(length))
        if len(parts[-1]) < length:
            raise EOFError
    return parts[1]


# ── in the process ──


class _CapturedOutput(logging.Handler):
    """A log handler that collects the messages logged while a sheet is rendered."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.lines: list[tuple[int, str]] = []

    def emit(self, record: logging.LogRecord) -> None:
        """Add a log message to the collected ones."""
        self.lines.append((record.levelno, record.getMessage()))


def main() -> None:
    """Run the PDF process: render each sheet from standard input until the input ends."""
    asked, answers = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # output printed by libraries must not mix with the answers
    told = json.loads(_read_message(asked))
    tempfile.tempdir = told["folder"]
    _set_up_django(told)
    from . import pdf

    log.handlers, log.propagate = [heard := _CapturedOutput()], False
    pdf.render_pdf("<p>")  # loads all that is needed before access is restricted
    gc.freeze()  # these objects stay to the end
    _enter_sandbox(told)
    while True:
        try:
            sheets = json.loads(_read_message(asked))
        except EOFError:
            return
        heard.lines, printed, broken = [], b"", ""
        try:
            printed = pdf.render_pdf(*sheets)
        except Exception as refused:
            broken = f"{type(refused).__name__}: {refused}"
        _write_message(answers, json.dumps({"said": heard.lines, "broken": broken}).encode())
        _write_message(answers, printed)


def _set_up_django(options: dict[str, Any]) -> None:
    """Set up Django in the PDF process with static files only."""
    import django
    from django.conf import settings

    settings.configure(
        STATIC_URL=options["url"],
        STATICFILES_DIRS=options["folders"],
        STATICFILES_FINDERS=["django.contrib.staticfiles.finders.FileSystemFinder"],
        INSTALLED_APPS=["django.contrib.staticfiles"],
    )
    django.setup()


def _enter_sandbox(settings: dict[str, Any]) -> None:
    """Limit the PDF process to the files that it needs."""
    from contextlib import suppress

    from bridgebuddy.operations.sandbox import confine_process

    at_home = [str(Path.home() / font) for font in FONTS_AT_HOME]
    of_ours = [str(ROOT / "bridgebuddy"), *settings["folders"]]
    python = {sys.prefix, sys.base_prefix}
    with suppress(OSError):  # systems without this function
        confine_process(*of_ours, *python, *FONTS, *at_home, own=settings["folder"])


if __name__ == "__main__":
    call_with_large_stack(main)
