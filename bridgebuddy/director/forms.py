"""What the director types and taps, checked."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _lazy
from django.utils.translation import ngettext

from bridgebuddy.clubs.models import MOST_STRENGTH, Person, folded
from bridgebuddy.events.errors import ChangeRefused
from bridgebuddy.events.models import PEOPLE, Contest, Section
from bridgebuddy.events.names import (
    MOST_TEXT,
    Problem,
    decode,
    is_text,
    problem_of,
    problem_of_name,
    read_pairs,
)
from movements.engine.adviser import Wishes
from movements.engine.document import read_csv, read_json
from movements.engine.errors import BadMovementFile
from movements.engine.offers import Offer, Size
from movements.file_problems import file_problem
from movements.switches import Choice

from .refusals import change_refused

MOST_MOVEMENT_TEXT = 500_000
AS_IT_IS = "none"


def size_value(size: Size) -> str:
    """Return a size as a form carries it: "7x4", or "5x5/24" with a shorter last set."""
    value = f"{size.rounds}x{size.boards_per_round}"
    return f"{value}/{size.total}" if size.total else value


class MovementForm(forms.Form):
    """The movement chosen out of those offered, with its size and the family's own choices."""

    family = forms.CharField()
    size = forms.CharField(required=False)
    line = forms.ChoiceField(choices=[("ns", "NS"), ("ew", "EW")], required=False)

    def __init__(self, data: Any, offered: Sequence[Offer]) -> None:
        super().__init__(data)
        self.offered = {offer.family.name: offer for offer in offered}

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        offer = self.offered.get(cleaned.get("family", ""))
        if offer is None:
            raise forms.ValidationError(
                _("This movement does not work with the pairs on the list. Choose one of these.")
            )
        sizes = {size_value(size): size for size in offer.sizes}
        cleaned["size"] = sizes.get(cleaned.get("size") or size_value(offer.size))
        if cleaned["size"] is None:
            raise forms.ValidationError(
                _("This movement cannot have so many rounds and boards. Choose from the list.")
            )
        cleaned["options"] = self._options(offer)
        return cleaned

    def _options(self, offer: Offer) -> dict[str, Any]:
        """Read the family's own options, named option-…; what is left empty keeps its default."""
        options = {}
        for option in offer.family.options:
            typed = str(self.data.get(f"option-{option.name}", "")).strip()
            if typed:
                try:
                    options[option.name] = option.read(typed)
                except ValueError:
                    raise forms.ValidationError(
                        _("“%(typed)s” is not possible here. Leave it empty for the usual way.")
                        % {"typed": typed[:20]}
                    ) from None
        return options


class WishesForm(forms.Form):
    """What the evening should be; every answer has a default, so the first visit needs none."""

    fewest = forms.IntegerField(label=_lazy("Boards, at least"), min_value=1, max_value=120)
    most = forms.IntegerField(label=_lazy("Boards, at most"), min_value=1, max_value=120)
    until = forms.TimeField(
        label=_lazy("Until"), required=False, widget=forms.TimeInput(attrs={"type": "time"})
    )
    winners = forms.ChoiceField(
        label=_lazy("Winners"),
        choices=[("", _lazy("Any")), ("1", _lazy("One")), ("2", _lazy("Two"))],
        required=False,
        widget=forms.RadioSelect,
    )
    stay = forms.IntegerField(
        label=_lazy("Pairs who must stay seated"), min_value=0, max_value=60, required=False
    )
    copies = forms.IntegerField(
        label=_lazy("Copies of the boards"), min_value=1, max_value=9, required=False
    )
    sharing = forms.BooleanField(label=_lazy("Tables may share boards"), required=False)
    stands = forms.BooleanField(label=_lazy("Boards may wait on a stand"), required=False)
    late = forms.BooleanField(label=_lazy("A late pair is likely"), required=False)
    rest = forms.BooleanField(label=_lazy("A break after about half"), required=False)
    masterpoints = forms.BooleanField(
        label=_lazy(
            "Counts for masterpoints: 24 boards, 75 % of those in play, rounds for 70 % of the sets"
        ),
        required=False,
    )
    caddies = forms.BooleanField(label=_lazy("Caddies carry the boards"), required=False)
    sitout = forms.ChoiceField(
        label=_lazy("Longest sit-out"),
        choices=[
            ("", _lazy("Any")),
            ("0", _lazy("none")),
            ("1/2", _lazy("half a round")),
            ("1", _lazy("1 round")),
            ("2", _lazy("2 rounds")),
        ],
        required=False,
    )
    line = forms.ChoiceField(choices=[("ew", "EW"), ("ns", "NS")], required=False)

    @classmethod
    def for_section(cls, section: Section, data: Any) -> WishesForm:
        """Return the form with what was answered, or with this evening's defaults."""
        if data.get("fewest"):
            return cls(data)
        return cls(
            {
                "fewest": section.session.fewest_boards,
                "most": section.session.most_boards,
                "stay": section.entries.filter(must_stay_seated=True).count(),
                "copies": 1,
                "sharing": True,
                "stands": True,
                "late": section.contest == Contest.PAIRS,
                "line": data.get("line") or section.missing_line,
            }
        )

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if cleaned.get("fewest") and cleaned.get("most") and cleaned["fewest"] > cleaned["most"]:
            self.add_error("most", _("This should not be less than the boards at least."))
        return cleaned

    def wishes(self, section: Section, pairs: int) -> Wishes:
        """Return the wishes of a valid form."""
        answers = self.cleaned_data
        return Wishes(
            pairs=pairs,
            contest=section.contest,
            fewest_boards=answers["fewest"],
            most_boards=answers["most"],
            minutes_per_board=section.session.minutes_per_board,
            minutes=self._minutes(section),
            winners=int(answers["winners"]) if answers["winners"] else None,
            stationary=answers["stay"] or 0,
            copies=answers["copies"] or 1,
            sharing=answers["sharing"],
            stands=answers["stands"],
            break_after_half=answers["rest"],
            masterpoints=answers["masterpoints"],
            caddies=answers["caddies"],
            longest_sit_out=Fraction(answers["sitout"]) if answers["sitout"] else None,
            late_pair=answers["late"],
            missing_line=answers["line"] or "ew",
        )

    def _minutes(self, section: Section) -> int | None:
        until = self.cleaned_data["until"]
        if until is None:
            return None
        start = section.session.starts_at
        minutes = (until.hour - start.hour) * 60 + until.minute - start.minute
        return minutes if minutes > 0 else minutes + 24 * 60


class RoundForm(forms.Form):
    """Which round the page showed when the button was pressed."""

    after = forms.IntegerField(min_value=0, max_value=200)


class BackForm(RoundForm):
    """The round whose start, or end, is taken back, and why."""

    reason = forms.CharField(max_length=200, required=False)


class SessionForm(forms.Form):
    """A session: when, what it is called, how many boards."""

    name = forms.CharField(label=_lazy("Name"), max_length=80)
    date = forms.DateField(
        label=_lazy("Date"), widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")
    )
    starts_at = forms.TimeField(
        label=_lazy("Start"), widget=forms.TimeInput(attrs={"type": "time"}, format="%H:%M")
    )
    fewest_boards = forms.IntegerField(label=_lazy("Boards, at least"))
    most_boards = forms.IntegerField(label=_lazy("Boards, at most"))
    minutes_per_board = forms.IntegerField(label=_lazy("Minutes per board"))

    def clean_name(self) -> str:
        return " ".join(self.cleaned_data["name"].split())

    def clean_fewest_boards(self) -> int:
        return self._within("fewest_boards", 1, 120, _("Play 1 to 120 boards."))

    def clean_most_boards(self) -> int:
        return self._within("most_boards", 1, 120, _("Play 1 to 120 boards."))

    def clean_minutes_per_board(self) -> int:
        return self._within("minutes_per_board", 3, 15, _("Give a board 3 to 15 minutes."))

    def _within(self, name: str, least: int, most: int, sentence: str) -> int:
        value: int = self.cleaned_data[name]
        if not least <= value <= most:
            raise forms.ValidationError(sentence)
        return value

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        fewest, most = cleaned.get("fewest_boards"), cleaned.get("most_boards")
        if fewest and most and fewest > most:
            self.add_error("most_boards", _("This should not be less than the boards at least."))
        return cleaned


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
        Problem.TOO_MANY_NAMES: _lazy("There are more than four names."),
        Problem.SAME_NAME: _lazy("A team is four people; this is the same name twice."),
    },
}
MOST_SENTENCES = 5


class PairsText(forms.Form):
    """Pairs as text, one a line: what a field `pairs` holds, read."""

    def read(self, text: str, people: int) -> None:
        """Read the pairs, and say at the field which lines are none; an entry is so many people."""
        self.reading = read_pairs(text, people)
        bad = self.reading.bad
        for line in bad[:MOST_SENTENCES]:
            self.add_error(
                "pairs",
                _("Line %(number)s, “%(text)s”: %(problem)s")
                % {
                    "number": line.number,
                    "text": line.text,
                    "problem": PROBLEMS_OF[people][line.problem],
                },
            )
        more = len(bad) - MOST_SENTENCES
        if more > 0:
            sentence = ngettext(
                "%(count)s more line cannot be read.", "%(count)s more lines cannot be read.", more
            )
            self.add_error("pairs", sentence % {"count": more})

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


class NewSessionForm(PairsText, SessionForm):
    """A new session: who plays for themselves, and the pairs (players, teams) known already."""

    contest = forms.ChoiceField(
        label=_lazy("Who plays?"), choices=Contest.choices, initial=Contest.PAIRS, required=False
    )
    pairs = forms.CharField(
        label=_lazy(
            "A list, if you have one: a line for each pair, player or team, with all names"
        ),
        widget=forms.Textarea(attrs={"rows": 5}),
        required=False,
        max_length=MOST_TEXT,
        strip=False,
    )

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean()
        cleaned["contest"] = cleaned.get("contest") or Contest.PAIRS
        self.read(cleaned.get("pairs", ""), PEOPLE[cleaned["contest"]])
        cleaned["pairs"] = self.reading.pairs
        return cleaned


class VersionForm(forms.Form):
    """What a live change is decided on: the section's version, the way chosen, and why."""

    version = forms.IntegerField(min_value=1, max_value=2**31 - 1)
    way = forms.CharField(max_length=20, required=False)
    reason = forms.CharField(max_length=200, required=False)


class PairForm(forms.Form):
    """The people of an entry: the two of a pair, a single player, the four of a team."""

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
        },
    }

    def __init__(
        self, people: int, data: Any = None, names: Sequence[str] = (), **more: Any
    ) -> None:
        super().__init__(data, **more)
        self.people = people
        self.problems = PROBLEMS_OF[people]
        for name, label in self.LABELS[people].items():
            self.fields[name] = forms.CharField(
                label=label,
                max_length=Person.NAME_LENGTH,
                error_messages={"required": self.problems[Problem.EMPTY_NAME]},
            )
        self.initial |= dict(zip(self.LABELS[people], names, strict=False))

    @property
    def players(self) -> list[forms.BoundField]:
        """The fields for people."""
        return [self[name] for name in self.LABELS[self.people]]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        for field in self.LABELS[self.people]:
            if field in cleaned:
                cleaned[field] = " ".join(cleaned[field].split())
                if problem := problem_of_name(cleaned[field]):
                    self.add_error(field, self.problems[problem])
        names = [cleaned[field] for field in self.LABELS[self.people] if field in cleaned]
        if len(names) == self.people and (problem := problem_of(names, self.people)):
            self.add_error(self._last_of_two(names), self.problems[problem])
        return cleaned

    def _last_of_two(self, names: Sequence[str]) -> str:
        """The field of a name that stands in an earlier one too."""
        fields, found = list(self.LABELS[self.people]), list(map(folded, names))
        return next(f for i, f in enumerate(fields) if found[i] in found[:i])

    def refuse(self, refused: ChangeRefused) -> None:
        """Say why nothing was entered: beside the person who is there already, if it is that."""
        name = refused.fields.get("name")
        fields = [f for f in self.LABELS[self.people] if self.cleaned_data.get(f) == name]
        self.add_error(fields[0] if fields else None, change_refused(refused))

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self.cleaned_data[field] for field in self.LABELS[self.people])


class StrengthsForm(forms.Form):
    """How strong each player of a section is; empty where the club does not say."""

    def __init__(self, people: Sequence[Person], data: Any = None) -> None:
        super().__init__(data)
        for person in people:
            self.fields[f"strength-{person.pk}"] = forms.IntegerField(
                label=person.name,
                initial=person.strength,
                required=False,
                min_value=0,
                max_value=MOST_STRENGTH,
                widget=forms.NumberInput(attrs={"inputmode": "numeric", "autocomplete": "off"}),
            )

    @property
    def strengths(self) -> dict[int, int | None]:
        """What a valid form says, by the people's keys."""
        return {
            int(name.removeprefix("strength-")): value for name, value in self.cleaned_data.items()
        }


class ListForm(PairsText):
    """Many pairs at once: pasted, or from a file, whose lines are then shown to be mended."""

    #: what a line is, by how many people an entry has
    LABELS = {
        1: _lazy("One player a line"),
        2: _lazy("One pair a line, two names"),
        4: _lazy("One team a line, four names"),
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
            self.data = self.data.copy()
            self.data["pairs"] = cleaned["file"]
        self.read(cleaned["file"] or cleaned["pairs"], self.people)
        if not self.reading.pairs and not self.reading.bad:
            self.add_error("pairs", _("Type or paste at least one line."))
        return cleaned


class SeedForm(forms.Form):
    """A seed to repeat a draw of seats."""

    seed = forms.IntegerField(
        label=_lazy("Seed"),
        min_value=1,
        max_value=2_000_000_000,
        widget=forms.TextInput(attrs={"inputmode": "numeric", "autocomplete": "off"}),
        error_messages={
            "invalid": _lazy("A seed is a number, such as 4711."),
            "required": _lazy("Type the seed of the draw to repeat."),
        },
    )


class SwapForm(forms.Form):
    """Two seats to exchange, by the numbers of those who sit there."""

    one = forms.IntegerField(min_value=1, max_value=1000)
    other = forms.IntegerField(min_value=1, max_value=1000)


class ImportForm(forms.Form):
    """A movement from elsewhere: our JSON or CSV."""

    name = forms.CharField(label=_lazy("Name of the movement"), max_length=80)
    text = forms.CharField(
        label=_lazy("JSON or CSV"),
        widget=forms.Textarea(attrs={"rows": 10, "spellcheck": "false"}),
        required=False,
        max_length=MOST_MOVEMENT_TEXT,
        strip=False,
    )
    file = forms.FileField(label=_lazy("Or a file"), required=False)

    def clean_file(self) -> Any:
        file = self.cleaned_data["file"]
        if file and file.size > MOST_MOVEMENT_TEXT:
            raise forms.ValidationError(_("This file is too big for a movement."))
        return file

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if self.errors:
            return cleaned
        file = cleaned.get("file")
        field = "file" if file else "text"
        text = decode(file.read()) if file else cleaned.get("text", "")
        if not text.strip():
            self.add_error("text", _("Paste a movement, or choose a file."))
            return cleaned
        try:
            is_json = text.lstrip().startswith(("{", "["))
            cleaned["movement"] = (read_json(text) if is_json else read_csv(text)).movement
        except BadMovementFile as error:
            self.add_error(
                field, _("This cannot be read. %(problem)s") % {"problem": file_problem(error)}
            )
        return cleaned


class OwnMovementForm(forms.Form):
    """One of the club's own movements, with the boards of a round."""

    own = forms.IntegerField(min_value=1)
    boards = forms.IntegerField(min_value=1, max_value=12)


class SwitchForm(forms.Form):
    """One way of switching the arrows, out of those found for a movement (its key is `of`)."""

    of = forms.IntegerField(min_value=1, max_value=2**31)
    choice = forms.ChoiceField()

    def __init__(self, found: Sequence[Choice], data: Any = None) -> None:
        super().__init__(data)
        self.found = found
        self.fields["choice"] = forms.ChoiceField(
            choices=[(AS_IT_IS, ""), *((str(n), "") for n in range(1, len(found)))],
            error_messages={
                "required": _("Choose one of these."),
                "invalid_choice": _("Choose one of these."),
            },
        )

    @property
    def chosen(self) -> Choice | None:
        """What a valid form chose; None where nothing is to be turned."""
        answer = self.cleaned_data["choice"]
        return None if answer == AS_IT_IS else self.found[int(answer)]
