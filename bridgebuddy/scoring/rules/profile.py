"""Profiles of scoring: a method and its rules. Presets are data; the code knows no federation."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Literal

from movements.engine.contest import Contest

from .reading import DocumentNode
from .scales.victory_points import OwnScale, scales_by_name

Unequal = Literal["neuberg", "own-tops", "tie-for-missing", "proportion"]
METHODS = ("matchpoints", "cross-imps", "butler", "team-imps", "bam", "aggregate")
#: methods whose artificial scores are per cent of a board's value
IN_PER_CENT = ("matchpoints", "bam")
TIE_BREAKS = ("between", "opponents", "wins", "net", "quotient", "count-back", "lot")


def usual_method(contest: Contest) -> str:
    """Return the scoring method that is the default for a kind of contest."""
    return "team-imps" if contest.has_halves else "matchpoints"


@dataclass(frozen=True, slots=True)
class AverageLimits:
    """The values of AVE+ and AVE-; with `own`, a contestant's own average replaces them if it is better (worse)."""

    plus: Fraction = Fraction(60)
    minus: Fraction = Fraction(40)
    imps: Fraction = Fraction(3)
    own: bool = True


@dataclass(frozen=True, slots=True)
class Datum:
    """The method of computing the Butler datum: mean or median, extremes left out, rounding."""

    kind: Literal["mean", "median"] = "mean"
    #: number of results omitted at each end; None: 1 from 5 results, 2 from 12
    trim: int | Literal["seventh"] | None = None
    round: int = 10
    #: with fewer results none is omitted; None: a seventh from 5, a number from the first
    least: int | None = None
    #: missing results: each existing one counts more before ends are omitted, or only existing ones count; None:
    #: as the profile counts boards that some did not play (`Profile.scales_missing`)
    missing: Literal["scaled", "as-played"] | None = None
    #: rounding of an exact half of the unit: away from 0, towards 0, or up (in favour of North-South)
    halves: Literal["away", "towards", "up"] = "away"


@dataclass(frozen=True, slots=True)
class Strata:
    """The strata of a session: classes of strength with rankings of their own, by upper limits of masterpoints."""

    names: tuple[str, ...]
    limits: tuple[Fraction | None, ...] = ()
    of: Literal["stronger", "mean"] = "stronger"


@dataclass(frozen=True, slots=True)
class Profile:
    """The scoring rules of a session; the defaults are those of a club."""

    method: str = "matchpoints"
    scope: Literal["field", "section"] = "field"
    unequal: Unequal = "neuberg"
    small_groups: bool = True
    #: matchpoints as if each contestant also tied with itself: (m + 1) of twice the results
    ascherman: bool = False
    expected: Literal["scheduled", "tables"] = "scheduled"
    board_places: int | None = None
    ave: AverageLimits = AverageLimits()
    ave_imps: Literal["scaled", "fixed"] = "scaled"
    ximp: Literal["average", "total"] = "average"
    ximp_session: Literal["total", "mean-due"] = "total"
    datum: Datum = Datum()
    #: a number: per cent of a top for each board sat out, by matchpoints
    sit_outs: Literal["own-boards", "in-play", "fullest"] | Fraction = "own-boards"
    #: a session's percentage: of all possible points, or the mean of the boards' percentages
    percentage: Literal["of-points", "mean-of-boards"] = "of-points"
    bam: tuple[Fraction, Fraction, Fraction] = (Fraction(2), Fraction(1), Fraction(0))
    pairs_method: Literal["cross-imps", "butler"] = "cross-imps"
    vp: str | OwnScale | None = None
    vp_floor: Fraction | None = Fraction(0)
    bye: Fraction | Literal["own-average"] = Fraction(60)
    tie_breaks: tuple[str, ...] = ("between", "opponents", "net", "count-back", "lot")
    ties: Literal["shared", "broken"] = "shared"
    min_played: Fraction = Fraction(50)
    #: the boards of contestants that leave before half of them: they count for none, or stand
    leavers: Literal["half", "stand"] = "half"
    sessions: Literal["weighted", "plain", "sum", "carry-forward"] = "weighted"
    strata: Strata | None = None
    #: factor, and number of results; None: handicaps are not computed
    handicap: tuple[Fraction, int] | None = None
    half: bool = False
    places: int = 2

    @property
    def is_per_cent(self) -> bool:
        """Return whether a score on a board is a share of a top: the method is matchpoints."""
        return self.method == "matchpoints"

    @property
    def scales_missing(self) -> bool:
        """Return whether Butler scales the results up to the expected number before extremes are left out."""
        if self.datum.missing is not None:
            return self.datum.missing == "scaled"
        return self.unequal != "own-tops"

    @property
    def is_imps(self) -> bool:
        """Return whether the method scores IMPs."""
        return self.method in ("cross-imps", "butler", "team-imps")

    @property
    def is_by_points(self) -> bool:
        """Return whether matches score their boards' points, never victory points (board-a-match, total points)."""
        return self.method in ("bam", "aggregate")

    @property
    def makes_vps(self) -> bool:
        """Return whether match results are converted to victory points."""
        return self.vp is not None and not self.is_by_points

    @property
    def is_of_teams(self) -> bool:
        """Return whether the scoring method is one for teams."""
        return self.method in ("team-imps", "bam")


PRESETS = {
    "club": Profile(),
    "EBU": Profile(board_places=2, vp="wbf-discrete"),
    "WBF": Profile(vp="wbf-continuous"),
    "ABF": Profile(vp="wbf-continuous"),
    # a seventh of the results at each end, as German clubs count Butler; Laws 81C, 12C2
    "DBV": Profile(datum=Datum(trim="seventh"), leavers="stand", vp="wbf-continuous"),
    "ACBL": Profile(
        half=True,
        sit_outs="in-play",
        bam=(Fraction(1), Fraction(1, 2), Fraction(0)),
        vp="acbl-20",
    ),
    # programs: according to their documentation only this differs from the club's rules
    "BBO": Profile(percentage="mean-of-boards"),
    "JFR": Profile(datum=Datum(kind="median", halves="up"), sit_outs=Fraction(60)),
    "Magic": Profile(datum=Datum(missing="as-played")),
}
# as clubs there play: small groups by Neuberg too; boards played before leaving stand (Laws 81C, 12C2)
PRESETS["USA"] = replace(PRESETS["ACBL"], small_groups=False, leavers="stand")
PRESETS["AUS"] = replace(PRESETS["ABF"], leavers="stand")


def preset_profile(name: str, contest: Contest) -> Profile:
    """Return the scoring profile of a preset by name: a federation, or "club", the general default."""
    preset = PRESETS[name]
    if name == "EBU" and not contest.has_halves:
        return replace(preset, vp="swiss-pairs")
    return preset


def profile_of(settings: Mapping[str, object], contest: Contest) -> Profile:
    """Return the scoring profile that these stored settings describe. Raises `ScoringError`."""
    return read_profile(DocumentNode(settings, "profile"), contest)


def read_profile(node: DocumentNode, contest: Contest) -> Profile:
    """Return the scoring profile in a document's JSON node. Raises `ScoringError`."""
    if node.is_absent:
        node = DocumentNode({}, node.path)
    node.keys(
        *("preset", "method", "scope", "unequal", "small_groups", "expected", "board_places"),
        *("ave", "ave_imps", "ximp", "ximp_session", "datum", "sit_outs", "bam", "pairs_method"),
        *("vp", "vp_floor", "bye", "tie_breaks", "ties", "min_played", "sessions", "strata"),
        *("handicap", "display", "ascherman", "leavers", "percentage"),
    )
    base = preset_profile(node["preset"].one_of(*PRESETS, default="club"), contest)
    method = "team-imps" if contest.has_halves else base.method
    profile = replace(
        base,
        method=node["method"].one_of(*METHODS, default=method),
        scope=node["scope"].one_of("field", "section", default=base.scope),
        unequal=node["unequal"].one_of(
            "neuberg", "own-tops", "tie-for-missing", "proportion", default=base.unequal
        ),
        small_groups=node["small_groups"].boolean(base.small_groups),
        ascherman=node["ascherman"].boolean(base.ascherman),
        leavers=node["leavers"].one_of("half", "stand", default=base.leavers),
        expected=node["expected"].one_of("scheduled", "tables", default=base.expected),
        board_places=_read_board_places(node, base),
        ave=_read_averages(node["ave"], base.ave),
        ave_imps=node["ave_imps"].one_of("scaled", "fixed", default=base.ave_imps),
        ximp=node["ximp"].one_of("average", "total", default=base.ximp),
        ximp_session=node["ximp_session"].one_of("total", "mean-due", default=base.ximp_session),
        datum=_read_datum(node["datum"], base.datum),
        sit_outs=_read_sit_outs(node["sit_outs"], base),
        percentage=node["percentage"].one_of(
            "of-points", "mean-of-boards", default=base.percentage
        ),
        bam=_read_bam(node["bam"], base),
        pairs_method=node["pairs_method"].one_of("cross-imps", "butler", default=base.pairs_method),
        vp=_read_vp_scale(node, base),
        vp_floor=_read_vp_floor(node, base),
        bye=_read_bye(node["bye"], base),
        tie_breaks=_read_tie_breaks(node["tie_breaks"], base),
        ties=node["ties"].one_of("shared", "broken", default=base.ties),
        min_played=node["min_played"].number(base.min_played),
        sessions=node["sessions"].one_of(
            "weighted", "plain", "sum", "carry-forward", default=base.sessions
        ),
        strata=_read_strata(node["strata"]),
        handicap=_read_handicap(node["handicap"]),
    )
    if profile.is_of_teams and not contest.has_halves:
        node["method"].raise_error(f"{profile.method!r} is for teams")
    if contest.has_halves and not (profile.is_of_teams or profile.method == "aggregate"):
        node["method"].raise_error(f"{profile.method!r} is not for teams")
    display = node["display"]
    if not display.is_absent:
        display.keys("half", "places")
        profile = replace(
            profile,
            half=display["half"].boolean(base.half),
            places=display["places"].whole(base.places, minimum=0),
        )
    return profile


def _is_given(node: DocumentNode, key: str) -> bool:
    """Return whether the node has this key; its value may be null."""
    return key in node.value


def _read_board_places(node: DocumentNode, base: Profile) -> int | None:
    """Return the number of decimals of scores on boards, by default that of `base`."""
    if not _is_given(node, "board_places"):
        return base.board_places
    return node["board_places"].optional_whole_number(minimum=0)


def _read_averages(node: DocumentNode, base: AverageLimits) -> AverageLimits:
    """Return the values of artificial scores in a profile's JSON."""
    if node.is_absent:
        return base
    node.keys("plus", "minus", "imps", "own")
    return AverageLimits(
        node["plus"].number(base.plus),
        node["minus"].number(base.minus),
        node["imps"].number(base.imps),
        node["own"].boolean(base.own),
    )


def _read_datum(node: DocumentNode, base: Datum) -> Datum:
    """Return how the Butler datum is computed, from a profile's JSON."""
    if node.is_absent:
        return base
    node.keys("kind", "trim", "round", "from", "missing", "halves")
    trim = node["trim"]
    is_given = "trim" in node.value or "from" in node.value
    return Datum(
        node["kind"].one_of("mean", "median", default=base.kind),
        ("seventh" if trim.value == "seventh" else trim.optional_whole_number(minimum=0))
        if is_given
        else base.trim,
        node["round"].whole(base.round, minimum=1),
        node["from"].optional_whole_number(minimum=1) if is_given else base.least,
        node["missing"].optional_one_of("scaled", "as-played") or base.missing,
        node["halves"].one_of("away", "towards", "up", default=base.halves),
    )


def _read_sit_outs(node: DocumentNode, base: Profile) -> Any:
    """Return how sat-out boards count, from a profile's JSON: a rule or a percentage."""
    if isinstance(node.value, bool | str) or node.is_absent:
        return node.one_of("own-boards", "in-play", "fullest", default=base.sit_outs)
    percent = node.number()
    if not 0 <= percent <= 100:
        node.raise_error(f"{node.value} is no percentage")
    return percent


def _read_bam(node: DocumentNode, base: Profile) -> tuple[Fraction, Fraction, Fraction]:
    """Return the points for a board won, tied and lost in board-a-match."""
    if node.is_absent:
        return base.bam
    values = node.numbers()
    if len(values) != 3:
        node.raise_error("wants three numbers: won, tied, lost")
    return values[0], values[1], values[2]


def _read_vp_scale(node: DocumentNode, base: Profile) -> str | OwnScale | None:
    """Return the victory point scale in a profile's JSON; that of `base` if the JSON has no key for it."""
    return read_scale(node["vp"]) if _is_given(node, "vp") else base.vp


def read_scale(scale: DocumentNode) -> str | OwnScale | None:
    """Return a victory point scale given by name, or typed by a club. Raises `ScoringError`."""
    if not isinstance(scale.value, dict):
        return scale.optional_one_of(*scales_by_name())  # type: ignore[no-any-return]
    scale.keys("total", "draw", "least", "cap")
    least = scale["least"].whole_numbers(minimum=1)
    if list(least) != sorted(set(least)):
        scale["least"].raise_error("does not rise")
    total, draw = scale["total"].number(Fraction(20)), scale["draw"].number(Fraction(10))
    return OwnScale(total, draw, least, scale["cap"].number(total))


def _read_vp_floor(node: DocumentNode, base: Profile) -> Fraction | None:
    """Return the fewest victory points that a side can have, by default those of `base`; None: no limit."""
    return node["vp_floor"].optional_number() if _is_given(node, "vp_floor") else base.vp_floor


def _read_bye(node: DocumentNode, base: Profile) -> Fraction | Literal["own-average"]:
    """Return the points for a bye, from a profile's JSON."""
    if node.value == "own-average":
        return "own-average"
    return node.number(base.bye if isinstance(base.bye, Fraction) else None)


def _read_tie_breaks(node: DocumentNode, base: Profile) -> tuple[str, ...]:
    """Return the names of the tie-breaks in order, from a profile's JSON."""
    if node.is_absent:
        return base.tie_breaks
    return tuple(item.one_of(*TIE_BREAKS) for item in node)


def _read_strata(node: DocumentNode) -> Strata | None:
    """Return the strata in a profile's JSON; None without any."""
    if node.is_absent:
        return None
    node.keys("names", "limits", "of")
    names = node["names"].texts()
    limits = tuple(limit.optional_number() for limit in node["limits"])
    if not names:
        node["names"].raise_error("is missing")
    if limits and len(limits) != len(names):
        node["limits"].raise_error(f"has {len(limits)} for {len(names)} names")
    return Strata(names, limits, node["of"].one_of("stronger", "mean"))


def _read_handicap(node: DocumentNode) -> tuple[Fraction, int] | None:
    """Return how handicaps are calculated (factor and rounding), from a profile's JSON; None without them."""
    if node.is_absent:
        return None
    node.keys("factor", "last")
    return node["factor"].number(Fraction(1)), node["last"].whole(10, minimum=1)
