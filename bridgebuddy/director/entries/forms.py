"""Who plays: pairs (players, teams) one by one or as a list, checked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _lazy

from bridgebuddy.clubs.models import Person, folded
from bridgebuddy.clubs.names import one_line
from bridgebuddy.events.errors import ChangeRefused
from bridgebuddy.events.listing import read_list, read_pairs
from bridgebuddy.events.models import Entry
from bridgebuddy.events.names import (
    MOST_LINES,
    MOST_TEXT,
    Problem,
    decode,
    is_text,
    problem_of,
    problem_of_name,
)
from movements.engine.contest import Contest

from ..refusals import change_refused

PROBLEMS = {
    Problem.TOO_FEW_NAMES: _lazy("Two names are needed for a pair."),
    Problem.TOO_MANY_NAMES: _lazy("There are more than two names."),
    Problem.EMPTY_NAME: _lazy("A name is missing."),
    Problem.TOO_LONG: _lazy("A name may have 60 letters."),
    Problem.SAME_NAME: _lazy("A pair is two people; this is the same name twice."),
    Problem.NO_TEXT: _lazy("There is a sign in it that nobody can type."),
}


#: the same where an entry is not two people
PROBLEMS_OF = {
    1: PROBLEMS
    | {
        Problem.TOO_FEW_NAMES: _lazy("A name is missing."),
        Problem.TOO_MANY_NAMES: _lazy(
            "There is more than one name; single players have a line each."
        ),
    },
    2: PROBLEMS,
    4: PROBLEMS
    | {
        Problem.TOO_FEW_NAMES: _lazy("Four names are needed for a team."),
        Problem.TOO_MANY_NAMES: _lazy("There are more than six names."),
        Problem.SAME_NAME: _lazy("A team is four people; this is the same name twice."),
    },
}


MOST_SENTENCES = 5


def too_long(text: str) -> str:
    """Say that a list has more lines than any session: before it is read, which takes long."""
    lines = sum(1 for line in text.splitlines() if line.strip())
    if lines <= MOST_LINES:
        return ""
    return _("This list has %(lines)s lines; at most %(most)s can be taken at once.") % {
        "lines": lines,
        "most": MOST_LINES,
    }


class PairsText(forms.Form):
    """Pairs as text, one a line: what a field `pairs` holds, read. Doubtful lines are asked about later."""

    def read(self, text: str, people: int) -> None:
        """Read the pairs, as far as they are some."""
        if said := too_long(text):
            self.add_error("pairs", said)
            text = ""
        self.reading = read_pairs(text, people)

    def refuse(self, refused: ChangeRefused) -> None:
        """Say at the field why these pairs are not entered, with the line where it is known."""
        sentence = change_refused(refused)
        index = refused.fields.get("pair")
        if isinstance(index, int):
            sentence = _("Line %(number)s: %(problem)s") % {
                "number": self.reading.lines[index],
                "problem": sentence,
            }
        self.add_error("pairs", sentence)


class PairForm(forms.Form):
    """The people of an entry: the two of a pair, a single player, the four to six of a team."""

    #: of a team whose line-up the page showed: the `line_up_key`
    shown = forms.CharField(widget=forms.HiddenInput, required=False)
    must_stay_seated = forms.BooleanField(label=_lazy("Must stay seated"), required=False)

    #: the fields for people, and what they are called for so many
    LABELS = {
        1: {"first": _lazy("Player")},
        2: {"first": _lazy("First player"), "second": _lazy("Partner")},
        4: {
            "first": _lazy("First player"),
            "second": _lazy("Second player"),
            "third": _lazy("Third player"),
            "fourth": _lazy("Fourth player"),
            "fifth": _lazy("Fifth player (may stay empty)"),
            "sixth": _lazy("Sixth player (may stay empty)"),
        },
    }

    def __init__(
        self,
        people: int,
        data: Any = None,
        names: Sequence[str] = (),
        **more: Any,
    ) -> None:
        """Ask for so many people; of a team also for its reserves, who need not be."""
        super().__init__(data, **more)
        self.people = people
        self.problems = PROBLEMS_OF[people]
        self.labels = self.LABELS[people]
        for place, (name, label) in enumerate(self.labels.items(), start=1):
            self.fields[name] = forms.CharField(
                label=label,
                max_length=Person.NAME_LENGTH,
                required=place <= people,
                error_messages={"required": self.problems[Problem.EMPTY_NAME]},
            )
        if people == Contest.TEAMS.people:
            self.fields["team"] = forms.CharField(
                label=_lazy("Team's name (may stay empty)"),
                max_length=Entry.NAME_LENGTH,
                required=False,
                error_messages={"max_length": _lazy("A name may have 60 letters.")},
            )
        self.initial = {**self.initial, **dict(zip(self.labels, names, strict=False))}

    @property
    def players(self) -> list[forms.BoundField]:
        """The fields for people."""
        return [self[name] for name in self.labels]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        for field in self.labels:
            if field in cleaned:
                cleaned[field] = one_line(cleaned[field])
                if cleaned[field] and (problem := problem_of_name(cleaned[field])):
                    self.add_error(field, self.problems[problem])
        if set(self.labels) <= set(cleaned):
            named = {field: cleaned[field] for field in self.labels if cleaned[field]}
            if problem := problem_of(list(named.values()), self.people, len(self.labels)):
                self.add_error(self._last_of_two(named), self.problems[problem])
        return cleaned

    def _last_of_two(self, named: Mapping[str, str]) -> str:
        """The field of a name that stands in an earlier one too."""
        fields, found = list(named), list(map(folded, named.values()))
        return next(f for i, f in enumerate(fields) if found[i] in found[:i])

    def refuse(self, refused: ChangeRefused) -> None:
        """Say why nothing was entered: beside the person who is there already, if it is that."""
        name = refused.fields.get("name")
        fields = [f for f in self.labels if self.cleaned_data.get(f) == name]
        self.add_error(fields[0] if fields else None, change_refused(refused))

    @property
    def team_fields(self) -> list[forms.BoundField]:
        """The field for a team's name, where a team enters."""
        return [self["team"]] if "team" in self.fields else []

    @property
    def team(self) -> str:
        """The team's name; empty where it has none, or no team enters."""
        return one_line(self.cleaned_data.get("team", ""))

    @property
    def names(self) -> tuple[str, ...]:
        """Who was named, in order."""
        return tuple(filter(None, self.places))

    @property
    def places(self) -> tuple[str, ...]:
        """The names in their places, of which a reserve's may be empty."""
        return tuple(self.cleaned_data[field] for field in self.labels)


def names_typed(people: int, sent: Mapping[str, str]) -> dict[str, str]:
    """Return what was typed for somebody to be entered, by the names of the fields."""
    return {
        name: sent[name][: Person.NAME_LENGTH]
        for name in (*PairForm.LABELS[people], "team")
        if sent.get(name)
    }


class ListForm(forms.Form):
    """Many pairs at once: pasted, or from a file; what is understood of it is shown next."""

    #: what a line is, by how many people an entry has
    LABELS = {
        1: _lazy("One player a line"),
        2: _lazy("One pair a line, two names"),
        4: _lazy("One team a line, four to six names"),
    }

    pairs = forms.CharField(
        widget=forms.Textarea(attrs={"rows": 6}),
        required=False,
        max_length=MOST_TEXT,
        strip=False,
    )
    file = forms.FileField(label=_lazy("Or a CSV file"), required=False)

    def __init__(self, people: int, *data: Any) -> None:
        super().__init__(*data)
        self.people = people
        self.fields["pairs"].label = self.LABELS[people]

    def clean_file(self) -> str:
        """Return the text of the file."""
        file = self.cleaned_data["file"]
        if not file:
            return ""
        if file.size > MOST_TEXT:
            raise forms.ValidationError(_("This file is too big for a list of names."))
        text = decode(file.read())
        if not is_text(text):
            raise forms.ValidationError(
                _("This is no text. Save the list as CSV in your spreadsheet, then choose that.")
            )
        return text

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if self.errors:
            return cleaned
        if cleaned["file"]:
            self.data = {**self.data, "pairs": cleaned["file"]}
        cleaned["pairs"] = cleaned["file"] or cleaned["pairs"]
        if said := too_long(cleaned["pairs"]):
            self.add_error("pairs", said)
        elif not cleaned["pairs"].strip():
            self.add_error("pairs", _("Type or paste at least one line."))
        elif not read_list(cleaned["pairs"], self.people).entries:
            self.add_error("pairs", _("There is no name in this list."))
        return cleaned
