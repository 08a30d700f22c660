"""Forms for wishes, sizes and files of movements."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _lazy
from django.utils.translation import pgettext_lazy

from bridgebuddy.clubs.forms import readable_name
from bridgebuddy.events.models import Section
from bridgebuddy.events.names import decode_file
from bridgebuddy.events.services.setup.breaks import USUAL_BREAK
from bridgebuddy.planning.equipment import club_equipment
from bridgebuddy.planning.models import Equipment
from movements.engine.adviser import Wishes
from movements.engine.errors import BadMovementFile, MovementError
from movements.engine.families.family import Family
from movements.engine.families.individuals.individual import copies_needed
from movements.engine.files.document import read_csv, read_json
from movements.engine.offers import (
    SCISSORS_HOWELL,
    USUAL_BOARDS,
    MovementOffer,
    MovementSize,
    movement_for,
)
from movements.switches.choices import SwitchChoice
from movements.words.file_problems import file_problem
from movements.words.refusals import movement_refused

from .equipment import board_sets_sentence

MOST_MOVEMENT_TEXT = 500_000
MOST_COPIES = 9


AS_IT_IS = "none"
SIZE = re.compile(r"([1-9][0-9]?)x([1-9][0-9]?)(?:/([1-9][0-9]{0,2}))?", re.ASCII)
CANNOT_HAVE = _lazy(
    "This movement is not possible with this number of rounds and boards. Choose from the list."
)


def size_value(size: MovementSize) -> str:
    """Return a movement's size as a form carries it: "7x4", or "5x5/24" with a shorter last set."""
    value = f"{size.rounds}x{size.boards_per_round}"
    return f"{value}/{size.total}" if size.total else value


def read_size(text: str) -> MovementSize | None:
    """Return a movement's size from the text that `size_value` writes; None for other text."""
    written = SIZE.fullmatch(text.strip())
    if written is None:
        return None
    rounds, boards, total = written.groups()
    return MovementSize(int(rounds), int(boards), int(total) if total else None)


def read_family_options(family: Family, data: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options of a movement family in form fields `option-…`; empty fields keep the default.

    Raises `ValidationError` for unreadable values.
    """
    options = {}
    for option in family.options:
        typed = str(data.get(f"option-{option.name}", "")).strip()
        if typed:
            try:
                options[option.name] = option.read(typed)
            except ValueError:
                raise forms.ValidationError(
                    _("“%(typed)s” is not possible here. Leave it empty for the usual way.")
                    % {"typed": typed[:20]}
                ) from None
    return options


class MovementForm(forms.Form):
    """The form that chooses one of the suggested movements, with its size and the family's options.

    Every size that the family has with these options, for `pairs` entries, is accepted.
    """

    family = forms.CharField()
    size = forms.CharField(required=False)

    def __init__(self, data: Any, offers: Sequence[MovementOffer], pairs: int) -> None:
        super().__init__(data)
        self.offered = {offer.family.name: offer for offer in offers}
        self.pairs = pairs

    def clean(self) -> dict[str, Any]:
        """Read size and options; refuse a movement that does not fit the number of pairs."""
        cleaned = super().clean() or {}
        offer = self.offered.get(cleaned.get("family", ""))
        if offer is None:
            raise forms.ValidationError(
                _("This movement does not fit the number of pairs. Choose one of these movements.")
            )
        cleaned["line"] = offer.missing_line
        cleaned["options"] = read_family_options(offer.family, self.data)
        cleaned["size"] = self._chosen_size(offer, cleaned.get("size", ""), cleaned["options"])
        return cleaned

    def _chosen_size(
        self, offer: MovementOffer, text: str, options: Mapping[str, Any]
    ) -> MovementSize:
        """Return the movement's chosen size, or its default size; refuse a size that is impossible."""
        sizes = {size_value(size): size for size in offer.sizes}
        size = sizes.get(text or size_value(offer.size)) or read_size(text)
        if size is None or size.boards_per_round not in USUAL_BOARDS:
            raise forms.ValidationError(CANNOT_HAVE)
        if offer.family.name == "scissors-howell" and size not in SCISSORS_HOWELL:
            raise forms.ValidationError(CANNOT_HAVE)
        try:
            movement_for(offer.family.name, self.pairs, size.rounds, options=options)
        except MovementError as error:
            raise forms.ValidationError(movement_refused(error)) from None
        return size


class WishesForm(forms.Form):
    """The form for the director's wishes for a movement: boards, time, stationary pairs; all have defaults."""

    fewest = forms.IntegerField(label=_lazy("Boards from"), min_value=1, max_value=120)
    most = forms.IntegerField(
        label=pgettext_lazy("boards from … to", "to"), min_value=1, max_value=120
    )
    until = forms.TimeField(
        label=_lazy("End by"), required=False, widget=forms.TimeInput(attrs={"type": "time"})
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
        label=_lazy("Copies of the boards"), min_value=1, max_value=MOST_COPIES, required=False
    )
    sharing = forms.BooleanField(label=_lazy("Tables may share boards"), required=False)
    stands = forms.BooleanField(label=_lazy("Boards may wait on a stand"), required=False)
    late = forms.BooleanField(label=_lazy("A late pair is likely"), required=False)
    rest = forms.BooleanField(label=_lazy("A break after about half"), required=False)
    masterpoints = forms.BooleanField(
        label=_lazy(
            # xgettext: no-python-format
            "Counts for masterpoints: 24 boards, 75 % of those in play, rounds for 70 % of the sets"
        ),
        required=False,
    )
    caddies = forms.BooleanField(label=_lazy("Caddies carry the boards"), required=False)
    imps = forms.BooleanField(label=_lazy("Scored in IMPs or total points"), required=False)
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
    #: the line that is a pair short; the other line sits out
    line = forms.ChoiceField(
        label=_lazy("Who sits out at the half table?"),
        choices=[
            ("", _lazy("whichever is better")),
            ("ew", _lazy("NS pairs")),
            ("ns", _lazy("EW pairs")),
        ],
        required=False,
        widget=forms.RadioSelect,
    )

    #: the club's equipment limits the wishes
    owned: Equipment

    @classmethod
    def for_section(cls, section: Section, data: Any) -> WishesForm:
        """Return the form with the values in `data`, or with the section's defaults."""
        owned = club_equipment(section.club)
        form = cls(data if data.get("fewest") else cls._usual_values(section, data, owned))
        form.owned = owned
        form.fields["copies"].help_text = board_sets_sentence(owned)
        return form

    @staticmethod
    def _usual_values(section: Section, data: Any, owned: Equipment) -> dict[str, Any]:
        """Return the initial wishes from the section and the club's equipment."""
        return {
            "fewest": section.session.fewest_boards,
            "most": section.session.most_boards,
            "stay": section.entries.filter(must_stay_seated=True).count(),
            "copies": owned.copy_count or _usual_copies(section),
            "sharing": True,
            "stands": True,
            "late": section.contest.fills_a_side,
            "rest": section.break_after is not None,
            "line": data.get("line", section.club.half_table),
        }

    def clean(self) -> dict[str, Any]:
        """Refuse a largest number of boards below the smallest."""
        cleaned = super().clean() or {}
        if cleaned.get("fewest") and cleaned.get("most") and cleaned["fewest"] > cleaned["most"]:
            self.add_error(
                "most",
                _(
                    "The maximum is smaller than the minimum. Enter at least "
                    "the minimum number of boards."
                ),
            )
        return cleaned

    def wishes(self, section: Section, pairs: int) -> Wishes:
        """Return the wishes of a valid form as the adviser needs them."""
        answers = self.cleaned_data
        return Wishes(
            pairs=pairs,
            contest=section.contest,
            fewest_boards=answers["fewest"],
            most_boards=answers["most"],
            minutes_per_board=section.session.minutes_per_board,
            minutes=self._wished_minutes(section),
            winners=int(answers["winners"]) if answers["winners"] else None,
            stationary=answers["stay"] or 0,
            copies=min(answers["copies"] or 1, self.owned.copy_count or MOST_COPIES),
            sharing=answers["sharing"],
            stands=answers["stands"],
            break_after_half=answers["rest"],
            masterpoints=answers["masterpoints"],
            caddies=answers["caddies"],
            imps=answers["imps"],
            longest_sit_out=Fraction(answers["sitout"]) if answers["sitout"] else None,
            late_pair=answers["late"],
            missing_line=answers["line"],
        )

    def _wished_minutes(self, section: Section) -> int | None:
        """Return the minutes of play until the wished end of the session; None without one."""
        until = self.cleaned_data["until"]
        if until is None:
            return None
        start = section.session.starts_at
        minutes: int = (until.hour - start.hour) * 60 + until.minute - start.minute
        return (minutes if minutes > 0 else minutes + 24 * 60) - self.break_minutes(section)

    def break_minutes(self, section: Section) -> int:
        """Return the length of the wished break: as planned, or the usual one; 0 without a wish."""
        return (section.break_minutes or USUAL_BREAK) if self.cleaned_data["rest"] else 0


def _usual_copies(section: Section) -> int:
    """Return the usual number of board copies; individuals need more than one from four tables on."""
    tables = section.entries.count() // section.contest.contestants_per_table
    return copies_needed(tables) if section.contest.plays_alone and tables else 1


class ImportForm(forms.Form):
    """The form for importing a movement from a file in our JSON or CSV."""

    name = forms.CharField(label=_lazy("Name of the movement"), max_length=80)
    text = forms.CharField(
        label=_lazy("JSON or CSV"),
        widget=forms.Textarea(attrs={"rows": 10, "spellcheck": "false"}),
        required=False,
        max_length=MOST_MOVEMENT_TEXT,
        strip=False,
    )
    file = forms.FileField(label=_lazy("Or a file"), required=False)

    def clean_name(self) -> str:
        """Return the movement's name in its stored form."""
        return readable_name(self.cleaned_data["name"])

    def clean_file(self) -> Any:
        """Return the uploaded file; refuse one that is too large for a movement."""
        file = self.cleaned_data["file"]
        if file and file.size > MOST_MOVEMENT_TEXT:
            raise forms.ValidationError(_("This file is too big for a movement."))
        return file

    def clean(self) -> dict[str, Any]:
        """Read the movement from the file or the text; refuse one that cannot be read."""
        cleaned = super().clean() or {}
        if self.errors:
            return cleaned
        file = cleaned.get("file")
        field = "file" if file else "text"
        text = decode_file(file.read()) if file else cleaned.get("text", "")
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
    """The form that chooses one of the club's own movements, with the number of boards a round."""

    own = forms.IntegerField(min_value=1)
    boards = forms.IntegerField(min_value=1, max_value=12)


class ArrowSwitchChoiceForm(forms.Form):
    """The form that chooses arrow-switches for a movement; `of` is its key, by which old pages are noticed."""

    of = forms.IntegerField(min_value=1, max_value=2**31)
    choice = forms.ChoiceField()

    def __init__(self, choices: Sequence[SwitchChoice], data: Any = None) -> None:
        super().__init__(data)
        self.found = choices
        self.fields["choice"] = forms.ChoiceField(
            choices=[(AS_IT_IS, ""), *((str(n), "") for n in range(1, len(choices)))],
            error_messages={
                "required": _("Choose one of these."),
                "invalid_choice": _("Choose one of these."),
            },
        )

    @property
    def chosen_switches(self) -> SwitchChoice | None:
        """Return the chosen arrow-switches; None to leave the movement as it is."""
        answer = self.cleaned_data["choice"]
        return None if answer == AS_IT_IS else self.found[int(answer)]
