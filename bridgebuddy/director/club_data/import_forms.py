"""The form for files of past results, and the parts of their preview."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _lazy

from bridgebuddy.publication.imports.importing import (
    SessionInFile,
)
from bridgebuddy.publication.imports.name_matching import NameMatch
from bridgebuddy.scoring.rules.past.model import ImportDoubt

#: the reasons why a file cannot be imported
WHY = {
    "large": _lazy("Too large: at most 5 MB a file, 60 MB in all."),
    "many": _lazy("Too many sessions at once. Import at most 2,500 sessions at a time."),
    "unknown": _lazy("This kind of file cannot be imported. Save it as PBN, USEBIO (XML) or CSV."),
    "entities": _lazy("This XML file defines its own entities. It was not imported."),
    "broken": _lazy("The file is damaged."),
    "packed": _lazy("The ZIP file is damaged."),
    "empty": _lazy("The file is empty."),
    "no list": _lazy("The file contains no ranking."),
}


DOUBTS = {
    ImportDoubt.PER_CENT: _lazy("A percentage is above 100 or below 0."),
    ImportDoubt.PLACES: _lazy("Places do not follow each other."),
    ImportDoubt.NO_PLACES: _lazy("The ranking has no places."),
    ImportDoubt.NOBODY: _lazy("A line has no names."),
    ImportDoubt.NOT_FINAL: _lazy("The ranking was never final."),
}


THERE = {
    "file": _lazy("Already there: this file was imported."),
    "identifier": _lazy("Already there: a session with the same identifier on this day."),
    "day": _lazy("Already there: a session of this name on this day."),
    "twice": _lazy("It is in two of these files."),
    "pairs": _lazy("Already there: most of its pairs, in a session on this day."),
    "alike": _lazy("Another of these files seems to have the same session. Tick only one of them."),
    "later": _lazy(
        "An earlier file seems to have the same session. If this one is corrected, tick this one only."
    ),
}


class MultipleFiles(forms.ClearableFileInput):
    """A file input that accepts several files."""

    allow_multiple_selected = True


class FilesField(forms.FileField):
    """A form field for several files."""

    widget = MultipleFiles

    def clean(self, data: Any, initial: Any = None) -> Any:
        """Return the list of uploaded files; raise `ValidationError` for the first invalid one or for none."""
        return [super(FilesField, self).clean(file, initial) for file in data or [None]]


class ImportFilesForm(forms.Form):
    """The form for uploading files of past results from another program."""

    chosen = FilesField(label=_lazy("Files, or one ZIP"), allow_empty_file=True)


def checkbox_of_year(year: int) -> str:
    """Return the name of the check box that imports all plain sessions of a year."""
    return f"year-{year}"


@dataclass(frozen=True)
class SessionPreview:
    """A past session of an uploaded file, as the preview shows it."""

    found: SessionInFile
    lines: Sequence[tuple[str, str, str, str]]  # the direction, the place, the value, the names
    day: str = ""
    name: str = ""
    is_taken: bool = True
    wrong: str = ""

    @property
    def doubt_sentences(self) -> list[str]:
        """Return sentences on what is doubtful, such as missing places or a session imported before."""
        there = [THERE[self.found.there]] if self.found.there else []
        return [
            str(problem) for problem in (*there, *(DOUBTS[doubt] for doubt in self.found.doubts))
        ]

    @property
    def asks_for_a_name(self) -> bool:
        """Return whether the user must type the session's name, because the file has none."""
        return not self.found.session.name


@dataclass(frozen=True)
class YearPreview:
    """The past sessions of a year that need no question, imported with one check box."""

    year: int
    count: int
    is_taken: bool

    @property
    def field(self) -> str:
        """Return the name of the check box that imports all sessions of this year."""
        return checkbox_of_year(self.year)


@dataclass(frozen=True)
class NameQuestion:
    """A doubtful name of an import and the people whom it may mean, the likeliest first."""

    field: str
    whom: NameMatch
    chosen: str
