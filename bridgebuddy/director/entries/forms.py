"""Forms for entries: pairs (players, teams) one by one or as a list."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _lazy

from bridgebuddy.clubs.models import Person, searchable
from bridgebuddy.clubs.people.names import one_line
from bridgebuddy.events.errors import ChangeRefused
from bridgebuddy.events.listing import parse_pairs, read_list
from bridgebuddy.events.models import Entry
from bridgebuddy.events.names import (
    MOST_LINES,
    MOST_TEXT,
    LineProblem,
    decode_file,
    is_plain_text,
    name_problem,
    problem_of_name,
)
from movements.engine.contest import Contest

from ..refusals import change_refused

PROBLEMS = {
    LineProblem.TOO_FEW_NAMES: _lazy("Two names are needed for a pair."),
    LineProblem.TOO_MANY_NAMES: _lazy("There are more than two names."),
    LineProblem.EMPTY_NAME: _lazy("A name is missing."),
    LineProblem.TOO_LONG: _lazy("A name may have at most 60 letters."),
    LineProblem.SAME_NAME: _lazy("A pair is two people; this is the same name twice."),
    LineProblem.NO_TEXT: _lazy("The name contains a character that cannot be typed."),
}


#: the same for entries that are not two people
PROBLEMS_OF = {
    1: PROBLEMS
    | {
        LineProblem.TOO_FEW_NAMES: _lazy("A name is missing."),
        LineProblem.TOO_MANY_NAMES: _lazy(
            "The line has more than one name. Enter single players on separate lines."
        ),
    },
    2: PROBLEMS,
    4: PROBLEMS
    | {
        LineProblem.TOO_FEW_NAMES: _lazy("Four names are needed for a team."),
        LineProblem.TOO_MANY_NAMES: _lazy("There are more than six names."),
        LineProblem.SAME_NAME: _lazy("A team is four people; this is the same name twice."),
    },
}


MOST_SENTENCES = 5


def list_length_error(text: str) -> str:
    """Return an error text if a pasted list has too many lines to be read quickly; empty if it has not."""
    lines = sum(1 for line in text.splitlines() if line.strip())
    if lines <= MOST_LINES:
        return ""
    return _("This list has %(lines)s lines; at most %(most)s can be taken at once.") % {
        "lines": lines,
        "most": MOST_LINES,
    }


class PairsText(forms.Form):
    """Base form with a field `pairs`: entries as text, one on each line.

    Doubtful lines are shown for correction later.
    """

    def read(self, text: str, people: int) -> None:
        """Read the entries from a typed text into `reading`; add an error if it has too many lines."""
        if error := list_length_error(text):
            self.add_error("pairs", error)
            text = ""
        self.reading = parse_pairs(text, people)

    def add_refusal(self, refusal: ChangeRefused) -> None:
        """Add the reason why a list was refused to the field, with its line if known."""
        sentence = change_refused(refusal)
        index = refusal.fields.get("pair")
        if isinstance(index, int):
            sentence = _("Line %(number)s: %(problem)s") % {
                "number": self.reading.lines[index],
                "problem": sentence,
            }
        self.add_error("pairs", sentence)


class PairForm(forms.Form):
    """The form for an entry's people: a pair, a single player, or a team of four to six."""

    #: for a team, the `line_up_key` of the line-up on the page
    shown = forms.CharField(widget=forms.HiddenInput, required=False)
    must_stay_seated = forms.BooleanField(label=_lazy("Must stay seated"), required=False)

    #: the fields for people, with their labels, by the size of an entry
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
        """Create fields for `people` names; a team also has fields for optional reserves."""
        super().__init__(data, **more)
        self.people = people
        self.problems = PROBLEMS_OF[people]
        self.labels = self.LABELS[people]
        for place, (name, label) in enumerate(self.labels.items(), start=1):
            self.fields[name] = forms.CharField(
                label=label,
                max_length=Person.NAME_LENGTH,
                required=place <= people,
                error_messages={"required": self.problems[LineProblem.EMPTY_NAME]},
            )
        if people == Contest.TEAMS.people:
            self.fields["team"] = forms.CharField(
                label=_lazy("Team's name (may stay empty)"),
                max_length=Entry.NAME_LENGTH,
                required=False,
                error_messages={"max_length": _lazy("A name may have at most 60 letters.")},
            )
        self.initial = {**self.initial, **dict(zip(self.labels, names, strict=False))}

    @property
    def players(self) -> list[forms.BoundField]:
        """Return the form fields for the names of the entry's players."""
        return [self[name] for name in self.labels]

    def clean(self) -> dict[str, Any]:
        """Return the names in their stored form; refuse unusable, missing and repeated ones."""
        cleaned = super().clean() or {}
        for field in self.labels:
            if field in cleaned:
                cleaned[field] = one_line(cleaned[field])
                if cleaned[field] and (problem := problem_of_name(cleaned[field])):
                    self.add_error(field, self.problems[problem])
        if set(self.labels) <= set(cleaned):
            named = {field: cleaned[field] for field in self.labels if cleaned[field]}
            if problem := name_problem(list(named.values()), self.people, len(self.labels)):
                self.add_error(self._field_of_repeated_name(named), self.problems[problem])
        return cleaned

    def _field_of_repeated_name(self, names: Mapping[str, str]) -> str:
        """Return the name of the form field that repeats a name typed in an earlier field."""
        fields, folded_names = list(names), list(map(searchable, names.values()))
        return next(f for i, f in enumerate(fields) if folded_names[i] in folded_names[:i])

    def add_refusal(self, refusal: ChangeRefused) -> None:
        """Add the reason why an entry was refused, at the field of the person concerned."""
        name = refusal.fields.get("name")
        fields = [f for f in self.labels if self.cleaned_data.get(f) == name]
        self.add_error(fields[0] if fields else None, change_refused(refusal))

    @property
    def team_fields(self) -> list[forms.BoundField]:
        """Return a list with the form field for the team's name; an empty list if the contest is not for teams."""
        return [self["team"]] if "team" in self.fields else []

    @property
    def team(self) -> str:
        """Return the team's name; empty without one."""
        return one_line(self.cleaned_data.get("team", ""))

    @property
    def names(self) -> tuple[str, ...]:
        """Return the typed names in order, without empty ones."""
        return tuple(filter(None, self.places))

    @property
    def places(self) -> tuple[str, ...]:
        """Return all typed names in the order of the form's fields, with "" for an empty one, such as a reserve's."""
        return tuple(self.cleaned_data[field] for field in self.labels)


def typed_name_fields(people: int, form_data: Mapping[str, str]) -> dict[str, str]:
    """Return the names of an entry's people and team in sent data, by form field; empty ones are left out."""
    return {
        name: form_data[name][: Person.NAME_LENGTH]
        for name in (*PairForm.LABELS[people], "team")
        if form_data.get(name)
    }


class EntryListForm(forms.Form):
    """The form for many entries at once, pasted or from a file; a preview follows."""

    #: the label of the text field, by the people of an entry
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
        """Return the text of the uploaded file."""
        file = self.cleaned_data["file"]
        if not file:
            return ""
        if file.size > MOST_TEXT:
            raise forms.ValidationError(_("This file is too big for a list of names."))
        text = decode_file(file.read())
        if not is_plain_text(text):
            raise forms.ValidationError(
                _("This is no text. Save the list as CSV in your spreadsheet, then choose that.")
            )
        return text

    def clean(self) -> dict[str, Any]:
        """Return the pasted or uploaded list; refuse one without names, or with too many lines."""
        cleaned = super().clean() or {}
        if self.errors:
            return cleaned
        if cleaned["file"]:
            self.data = {**self.data, "pairs": cleaned["file"]}
        cleaned["pairs"] = cleaned["file"] or cleaned["pairs"]
        if error := list_length_error(cleaned["pairs"]):
            self.add_error("pairs", error)
        elif not cleaned["pairs"].strip():
            self.add_error("pairs", _("Type or paste at least one line."))
        elif not read_list(cleaned["pairs"], self.people).entries:
            self.add_error("pairs", _("There is no name in this list."))
        return cleaned
