"""The scoring choices of a club in words, with the fragment of a profile for each choice.

An empty choice leaves the decision to the preset of the chosen rules.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy

Choices = Mapping[str, tuple[Any, Mapping[str, Any]]]

AS_ABOVE = gettext_lazy("according to the rules above")

#: of each field: its label, and its choices with their fragments of a profile
MORE: dict[str, tuple[Any, Choices]] = {
    "datum": (
        gettext_lazy("Butler compares with"),
        {
            "mean": (gettext_lazy("the mean"), {"datum": {"kind": "mean"}}),
            "median": (gettext_lazy("the median"), {"datum": {"kind": "median"}}),
        },
    ),
    "ends": (
        gettext_lazy("Butler: left out at each end"),
        {
            "usual": (gettext_lazy("one from 5 results, two from 12"), {"datum": {"trim": None}}),
            "1": (gettext_lazy("one"), {"datum": {"trim": 1}}),
            "2": (gettext_lazy("two"), {"datum": {"trim": 2}}),
            "3": (gettext_lazy("three"), {"datum": {"trim": 3}}),
            "seventh": (gettext_lazy("a seventh"), {"datum": {"trim": "seventh"}}),
            "none": (gettext_lazy("none: all count"), {"datum": {"trim": 0}}),
        },
    ),
    "missing": (
        gettext_lazy("Butler: missing results"),
        {
            "scaled": (
                gettext_lazy("the others count for them too"),
                {"datum": {"missing": "scaled"}},
            ),
            "as-played": (
                gettext_lazy("only results that were made count"),
                {"datum": {"missing": "as-played"}},
            ),
        },
    ),
    "halves": (
        gettext_lazy("Butler: a mean that ends in exactly 5"),
        {
            "away": (gettext_lazy("rounded away from 0"), {"datum": {"halves": "away"}}),
            "towards": (gettext_lazy("rounded towards 0"), {"datum": {"halves": "towards"}}),
            "up": (
                gettext_lazy("rounded up, for North-South"),
                {"datum": {"halves": "up"}},
            ),
        },
    ),
    "averages": (
        gettext_lazy("Average plus and minus in IMPs"),
        {
            "3": (gettext_lazy("3 and −3"), {"ave": {"imps": 3}}),
            "2": (gettext_lazy("2 and −2"), {"ave": {"imps": 2}}),
            "1.5": (gettext_lazy("1.5 and −1.5"), {"ave": {"imps": 1.5}}),
        },
    ),
    "crossed": (
        gettext_lazy("Cross-IMPs of a board"),
        {
            "average": (gettext_lazy("averaged over the comparisons"), {"ximp": "average"}),
            "total": (gettext_lazy("added"), {"ximp": "total"}),
        },
    ),
    "small": (
        gettext_lazy("Two or three results of very many"),
        {
            "book": (gettext_lazy("65, 60, 55 % or 70 to 50 %"), {"small_groups": True}),
            "neuberg": (gettext_lazy("always Neuberg"), {"small_groups": False}),
        },
    ),
    "value": (
        gettext_lazy("A board’s value"),
        {
            "exact": (
                gettext_lazy("exact"),
                {"board_places": None, "display": {"half": False}},
            ),
            "places": (
                gettext_lazy("to two places"),
                {"board_places": 2, "display": {"half": False}},
            ),
            "halves": (
                gettext_lazy("halves: a tie counts ½"),
                {"board_places": None, "display": {"half": True}},
            ),
        },
    ),
    "waiting": (
        gettext_lazy("Score for a sit-out"),
        {
            "own": (gettext_lazy("by own boards"), {"sit_outs": "own-boards"}),
            "in-play": (
                gettext_lazy("total as if all had been played"),
                {"sit_outs": "in-play"},
            ),
            "fullest": (
                gettext_lazy("total as if everybody had played the largest number of boards"),
                {"sit_outs": "fullest"},
            ),
            **{
                str(percent): (
                    format_lazy(
                        gettext_lazy("{percent} % for each board, by matchpoints"), percent=percent
                    ),
                    {"sit_outs": percent},
                )
                for percent in (50, 55, 60)
            },
        },
    ),
    "percentage": (
        gettext_lazy("Calculation of a percentage"),
        {
            "points": (
                gettext_lazy("points scored, divided by all possible points"),
                {"percentage": "of-points"},
            ),
            "mean": (
                gettext_lazy("the mean of the percentages on all boards"),
                {"percentage": "mean-of-boards"},
            ),
        },
    ),
    "bye": (
        gettext_lazy("Without an opponent in a round"),
        {
            "60": (gettext_lazy("has 60 per cent of the victory points"), {"bye": 60}),
            "own": (
                gettext_lazy("has their own average, if that is more"),
                {"bye": "own-average"},
            ),
        },
    ),
    "left": (
        gettext_lazy("Leaving before half of the boards"),
        {
            "half": (
                gettext_lazy("their results are cancelled for everybody"),
                {"leavers": "half"},
            ),
            "stand": (gettext_lazy("their results stand"), {"leavers": "stand"}),
        },
    ),
    "equals": (
        gettext_lazy("Equal results"),
        {
            "shared": (gettext_lazy("share a place"), {"ties": "shared"}),
            "broken": (gettext_lazy("are parted by tie-breaks"), {"ties": "broken"}),
        },
    ),
}
#: the choices for which the least number of results can be set
FROM = ("1", "2", "3", "seventh")
#: the minutes in which a final list can be corrected
CORRECTIONS = {
    "20": gettext_lazy("20 minutes"),
    "30": gettext_lazy("30 minutes"),
    "60": gettext_lazy("an hour"),
    "1440": gettext_lazy("a day"),
    "4320": gettext_lazy("three days"),
    "10080": gettext_lazy("a week"),
    "": gettext_lazy("no time limit"),
}
OF_TEAMS = ("averages", "left", "equals")
#: only if matches are added up by their own points
OF_MATCHES = ("bye",)


def chosen_option(name: str, profile: Mapping[str, Any]) -> str:
    """Return the option of a form field that a scoring profile holds; empty if its preset decides."""
    return next(
        (
            choice
            for choice, (_, fragment) in MORE[name][1].items()
            if all(_matches_choice(profile.get(key), value) for key, value in fragment.items())
        ),
        "",
    )


def _matches_choice(value: Any, option_value: Any) -> bool:
    """Return whether a value in a scoring profile is the same as the value of an option in the form.

    Of an object, each key of the choice must match.
    """
    if isinstance(option_value, Mapping):
        return isinstance(value, Mapping) and option_value.items() <= value.items()
    return bool(value == option_value)


def trim_threshold(profile: Mapping[str, Any]) -> int | None:
    """Return the least number of results at which Butler leaves out extreme scores; None if not set."""
    least = profile.get("datum", {}).get("from")
    return None if least is None else int(least)


def profile_with_choices(
    profile: Mapping[str, Any], choices: Mapping[str, str], ends_from: int | None = None
) -> dict[str, Any]:
    """Return a scoring profile changed by the options that the user chose in the form.

    An empty choice removes its keys, so that the preset decides.
    """
    changed = dict(profile)
    for name, value in choices.items():
        field_choices = MORE[name][1]
        for _, fragment in field_choices.values():
            changed = _profile_without(changed, fragment)
        if name == "ends":
            changed = _profile_without(changed, {"datum": {"from": None}})
        if value:
            changed = _merged_profile(changed, field_choices[value][1])
        if name == "ends" and value in FROM and ends_from is not None:
            changed = _merged_profile(changed, {"datum": {"from": ends_from}})
    return changed


def _profile_without(profile: Mapping[str, Any], fragment: Mapping[str, Any]) -> dict[str, Any]:
    """Return a scoring profile without the keys of a fragment, also inside objects."""
    remaining = dict(profile)
    for key, value in fragment.items():
        rest_of_value = remaining.pop(key, None)
        if isinstance(value, Mapping) and isinstance(rest_of_value, Mapping):
            rest = {
                name: kept_value for name, kept_value in rest_of_value.items() if name not in value
            }
            remaining |= {key: rest} if rest else {}
    return remaining


def _merged_profile(profile: Mapping[str, Any], fragment: Mapping[str, Any]) -> dict[str, Any]:
    """Return a scoring profile merged with a fragment; objects keep their other keys."""
    merged = dict(profile)
    for key, value in fragment.items():
        present = merged.get(key)
        if isinstance(value, Mapping) and isinstance(present, Mapping):
            merged[key] = {**present, **value}
        else:
            merged[key] = value
    return merged
