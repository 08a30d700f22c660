"""What the rules of scoring leave to the club, in words: what each choice stands for in a profile.

An empty choice is what the rules of the chosen federation say; `SAID` is what they say beyond their presets.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext_lazy

Choices = Mapping[str, tuple[Any, Mapping[str, Any]]]

AS_ABOVE = gettext_lazy("as the rules above say")

#: of each field: its label, and what may be chosen with what it is in a profile
MORE: dict[str, tuple[Any, Choices]] = {
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
            "neuberg": (gettext_lazy("Neuberg as ever"), {"small_groups": False}),
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
        gettext_lazy("Who sat out"),
        {
            "own": (gettext_lazy("by own boards"), {"sit_outs": "own-boards"}),
            "in-play": (
                gettext_lazy("total as if all had been played"),
                {"sit_outs": "in-play"},
            ),
            "fullest": (
                gettext_lazy("total as if as many had been played as by anybody"),
                {"sit_outs": "fullest"},
            ),
        },
    ),
    "bye": (
        gettext_lazy("Who has no opponent in a round"),
        {
            "60": (gettext_lazy("has 60 per cent of the victory points"), {"bye": 60}),
            "own": (
                gettext_lazy("has their own average, if that is more"),
                {"bye": "own-average"},
            ),
        },
    ),
    "left": (
        gettext_lazy("Who leaves before half of their boards"),
        {
            "half": (gettext_lazy("what they played counts for nobody"), {"leavers": "half"}),
            "stand": (gettext_lazy("what they played stands"), {"leavers": "stand"}),
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
#: of these it may be said from how many results they are left out
FROM = ("1", "2", "3", "seventh")
#: how many minutes a final list is corrected
CORRECTIONS = {
    "20": gettext_lazy("20 minutes"),
    "30": gettext_lazy("30 minutes"),
    "60": gettext_lazy("an hour"),
    "1440": gettext_lazy("a day"),
    "4320": gettext_lazy("three days"),
    "10080": gettext_lazy("a week"),
    "": gettext_lazy("as long as somebody finds a mistake"),
}
OF_TEAMS = ("averages", "left", "equals")
#: only where matches are added up by what each was worth
OF_MATCHES = ("bye",)
#: what federations say that is not in their presets
SAID: dict[str, dict[str, str]] = {
    "ABF": {"left": "stand"},
    "ACBL": {"left": "stand", "small": "neuberg"},
}


def chosen(name: str, profile: Mapping[str, Any]) -> str:
    """Return what of a field a profile has; empty where it is what the federation says."""
    if "datum" in profile:
        datum = {key: value for key, value in profile["datum"].items() if key != "from"}
        profile = {**profile, "datum": datum}
    found = next(
        (
            choice
            for choice, (_, fragment) in MORE[name][1].items()
            if all(profile.get(key) == value for key, value in fragment.items())
        ),
        "",
    )
    return "" if found == SAID.get(profile.get("preset") or "", {}).get(name) else found


def chosen_from(profile: Mapping[str, Any]) -> int | None:
    """Return from how many results Butler leaves some out, where it was said."""
    found = profile.get("datum", {}).get("from")
    return None if found is None else int(found)


def with_choices(
    profile: Mapping[str, Any], choices: Mapping[str, str], ends_from: int | None = None
) -> dict[str, Any]:
    """Return the profile with what was chosen, and what its federation says of the rest."""
    found = dict(profile)
    said = SAID.get(profile.get("preset") or "", {})
    for name, value in choices.items():
        known = MORE[name][1]
        for _, fragment in known.values():
            for key in fragment:
                found.pop(key, None)
        if choice := value or said.get(name):
            found |= known[choice][1]
        if name == "ends" and value in FROM and ends_from is not None:
            found["datum"] = found["datum"] | {"from": ends_from}
    return found
