"""The catalogue of families: requirements, options and construction of each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from typing import Any

from .errors import (
    MovementError,
    NoMissingPair,
    UnknownFamily,
    UnknownOption,
    WrongRounds,
    WrongTables,
)
from .families.family import Family, number_runs
from .families.howells import barometer, howell, hybrid, rematches, scissors_howell
from .families.individuals import individual, rainbow
from .families.mitchells import (
    appendix,
    awl,
    crisscross,
    hesitation,
    mitchell,
    scissors_mitchell,
    scrambled,
    share_and_relay,
    skip,
    stanzas,
    twin,
    two_copies,
    web,
)
from .families.rovers import rover, two_way_rover, whist_rover
from .families.team_movements import drawn, matches, round_robin, team_awl, two_rows
from .model import Movement
from .options import remove_contestant

FAMILIES: tuple[Family, ...] = (
    mitchell.FAMILY,
    skip.FAMILY,
    share_and_relay.FAMILY,
    crisscross.FAMILY,
    awl.FAMILY,
    stanzas.FAMILY,
    scissors_mitchell.FAMILY,
    web.WEB,
    web.BOWMAN,
    web.DOUBLE_WEB,
    two_copies.FAMILY,
    twin.FAMILY,
    appendix.ONE_AND_A_HALF,
    appendix.APPENDIX,
    rover.EW_ROVER,
    rover.NS_ROVER,
    rover.ROVER_PARTY,
    whist_rover.FAMILY,
    barometer.FAMILY,
    howell.HOWELL,
    howell.PARTIAL_HOWELL,
    rematches.FAMILY,
    hesitation.HESITATION,
    hesitation.DOUBLE_HESITATION,
    hesitation.EXTENDED_HESITATION,
    scrambled.FAMILY,
    hybrid.FAMILY,
    scissors_howell.FAMILY,
    two_way_rover.TWO_WAY_ROVER,
    two_way_rover.TWO_WAY_ROVER_PARTY,
    rainbow.FAMILY,
    individual.SHOMATE,
    individual.INDIVIDUAL,
    matches.HEAD_TO_HEAD,
    matches.TRIANGLE,
    team_awl.FAMILY,
    two_rows.NEW_ENGLAND_RELAY,
    two_rows.MITCHELL_TEAMS,
    round_robin.FAMILY,
    round_robin.RINGS,
    drawn.KNOCKOUT,
    drawn.SWISS,
)

_BY_NAME = {family.name: family for family in FAMILIES}


def find_family(name: str) -> Family:
    """Return the movement family of this name. Raises `UnknownFamily`."""
    try:
        return _BY_NAME[name]
    except KeyError:
        raise UnknownFamily(name) from None


def build_movement(
    name: str,
    tables: int,
    rounds: int | None = None,
    missing: str | None = None,
    options: Mapping[str, Any] | None = None,
) -> Movement:
    """Build the movement of a family in this size. Raises `MovementError` if it is impossible.

    `missing` is the label of the absent contestant ("EW 5"): a half table. Raises a `MovementError` with the reason
    if it is impossible.
    """
    the_family = find_family(name)
    options = dict(options or {})
    option_names = {option.name for option in the_family.options}
    for option, value in options.items():
        if option not in option_names:
            raise UnknownOption(
                name, option=option, value=value, allowed=", ".join(sorted(option_names))
            )
    if not the_family.smallest <= tables <= the_family.largest:
        raise WrongTables(name, tables=tables, needs=_size_text(the_family))
    if rounds is not None and rounds < 1:
        raise WrongRounds(
            name,
            tables=tables,
            rounds=rounds,
            allowed=tuple(the_family.possible_rounds(tables, options)),
        )
    if missing and not the_family.takes_missing_pair:
        raise NoMissingPair(name, missing=missing)
    movement = the_family.build(tables, rounds=rounds, **options)
    return remove_contestant(movement, missing) if missing else movement


def _size_text(family: Family) -> str:
    """Return the possible sizes of a family as a text."""
    if family.smallest == family.largest:
        return family.needs
    *more, last = number_runs(family.sizes, to=" to ")
    return f"{', '.join(more)} or {last} {family.counted}" if more else f"{last} {family.counted}"


def family_title(name: str) -> str:
    """Return the usual name of a family; unknown families keep their own."""
    return _BY_NAME[name].title if name in _BY_NAME else name


def explain_refusal(error: MovementError) -> str:
    """Return one or two English sentences on why a movement is impossible, with an alternative.

    >>> explain_refusal(find_refusal("skip-mitchell", 5))
    'Skip Mitchell needs an even number of tables; you asked for 5. Mitchell works with 5.'
    """
    if isinstance(error, UnknownFamily):
        typed = error.family.lower().replace(" ", "-").replace("_", "-")
        close = get_close_matches(typed, _BY_NAME, n=1)
        return f"{error} Did you mean {close[0]}?" if close else str(error)
    the_family = _BY_NAME.get(error.family)
    if the_family is None:
        return str(error)
    if isinstance(error, WrongTables):
        fields = {**error.fields, "instead": _alternative_families(the_family, error)}
        error = type(error)(error.family, **fields)
    return error.sentence(family_title, the_family.counted)


def _alternative_families(known_family: Family, error: WrongTables) -> list[str]:
    """Return families that have a movement for this number of tables, the most similar first."""
    tables = error.fields["tables"]
    named = [name for name in error.fields.get("instead") or () if name in _BY_NAME]
    alike = [
        family.name
        for family in FAMILIES
        if (family.contest, family.winners) == (known_family.contest, known_family.winners)
        and family != known_family
    ]
    possible = [
        [name for name in names if _BY_NAME[name].default_rounds(tables)]
        for names in (named, alike)
    ]
    return possible[0] or possible[1][:2]


def find_refusal(
    name: str, tables: int, rounds: int | None = None, missing: str | None = None
) -> MovementError | None:
    """Return the error why a movement is impossible; None if it is possible."""
    try:
        build_movement(name, tables, rounds, missing)
    except MovementError as error:
        return error
    return None


def families_with_usual_rounds(tables: int) -> Iterator[tuple[Family, int]]:
    """Yield every family that has a movement for this number of tables, with its usual number of rounds."""
    for family in FAMILIES:
        rounds = family.default_rounds(tables)
        if rounds is not None:
            yield family, rounds
