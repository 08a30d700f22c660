"""Movements drawn from results: the parts of a Swiss and a knock-out that are known in advance."""

from __future__ import annotations

from dataclasses import replace

from movements.engine.contest import Contest
from movements.engine.drawing import open_rounds
from movements.engine.drawing.draws import (
    FirstRound,
    OddOneOut,
    first_draw,
    round_random,
    swiss_advice,
)
from movements.engine.drawing.knockouts import (
    first_knockout_draw,
    knockout_brackets,
    knockout_rounds,
)
from movements.engine.drawing.open_rounds import (
    apply_draw,
    contestants_without_further_bye,
    drawn_meetings,
    open_declaration,
)
from movements.engine.errors import UnknownOption
from movements.engine.model import Field, Movement, set_names
from movements.engine.translation_marks import marked, marked_for_players

from ..family import Family, FamilyOption
from ..grid import require_allowed_rounds
from .teams import need_teams, team_field

CONTESTS = (Contest.TEAMS, Contest.PAIRS)
FIRST_ROUNDS = ("slide", "fold", "random")
ODD_ONES_OUT = ("triangle", "long-triangle", "bye")
MOST_SWISS_TEAMS = 128
MOST_KNOCKOUT_TEAMS = 64


def swiss(
    tables: int,
    rounds: int | None = None,
    contest: Contest = Contest.TEAMS,
    first: FirstRound = "slide",
    odd: OddOneOut | None = None,
    behind: bool = False,
    half: bool = False,
    seed: int = 1,
    danish: bool = False,
) -> Movement:
    """Return a Swiss movement with round 1 drawn; results decide the draw of the others.

    A table for each team, or two pairs a table and all tables on the same boards. The numbers are the seeds. `first`
    sets the first pairings: "slide" 1 v n/2 + 1, "fold" 1 v n, or "random" (repeatable by its `seed`). An odd number
    of teams has a triangle in one round, a long triangle over two (the number of rounds must then be even), or a bye,
    as pairs always have: with `half` one pair is missing. With `behind` the second round is drawn in advance too, and
    each later one on the results up to the last round but one.

    A draw without a repeated meeting can be found for as many rounds as half the contestants, and for more as long as
    one exists. The usual number is that after which two undefeated must have met. The last round of a `danish` one is
    1 v 2, 3 v 4 … even if they have met, which shows when it is drawn. Raises `TooFewTables`, `WrongRounds`,
    `UnknownOption`. Source: QBA, Swiss pairs and Swiss teams.

    >>> [(s.ns, s.ew) for s in swiss(8).in_round(1)]
    [(1, 5), (2, 6), (3, 7), (4, 8)]
    """
    need_teams("swiss", tables, 4)
    is_teams = contest == Contest.TEAMS
    count = tables if is_teams else 2 * tables - half
    _check_options(contest, first, odd, half)
    rounds = usual_swiss_rounds(tables, contest, odd, half) if rounds is None else rounds
    require_allowed_rounds("swiss", tables, rounds, swiss_rounds(tables, contest, odd, half))
    odd = odd or ("triangle" if is_teams else "bye")
    movement = _undrawn_movement(tables, count, rounds, contest)
    for _ in range(2 if behind else 1):
        round = movement.open_rounds[0]
        busy = {team for t in movement.triangles if round in t.rounds for team in t.teams}
        draw = first_draw(
            [contestant for contestant in movement.contestants if contestant not in busy],
            first,
            odd=odd,
            meetings=drawn_meetings(movement),
            exempt=contestants_without_further_bye(movement),
            rng=round_random(seed, round),
        )
        movement = apply_draw(movement, draw, is_long=odd == "long-triangle")
    if not is_teams:
        return movement
    # as in all draws of teams a match counts once, and a triangle three times
    in_triangles = sum(1 in triangle.rounds for triangle in movement.triangles)
    return replace(movement, tables=len(movement.in_round(1)) + 3 * in_triangles)


def _check_options(contest: Contest, first: str, odd: str | None, half: bool) -> None:
    """Raise `UnknownOption` for an option that the contest does not allow."""
    is_teams = contest == Contest.TEAMS
    odd_allowed: tuple[str, ...] = ODD_ONES_OUT if is_teams else ("bye",)
    for option, value, allowed in (
        ("contest", contest, CONTESTS),
        ("first", first, FIRST_ROUNDS),
        ("odd", odd or "bye", odd_allowed),
    ):
        if value not in allowed:
            raise UnknownOption("swiss", option=option, value=value, allowed=", ".join(allowed))
    if half and is_teams:
        raise UnknownOption(
            "swiss", option="half", value="yes", allowed="no, in a contest of teams"
        )


def _undrawn_movement(tables: int, count: int, rounds: int, contest: Contest) -> Movement:
    """Return a movement of so many contestants in which no round is drawn yet."""
    is_teams = contest == Contest.TEAMS
    pairs = Field("pairs", tuple(str(number) for number in range(1, count + 1)))
    return Movement(
        family="swiss",
        contest=contest,
        tables=tables,
        rounds=rounds,
        fields=(team_field(count) if is_teams else pairs,),
        sets=() if is_teams else set_names(rounds),
        seatings=(),
        copies=1 if is_teams else tables,
        exemptions=(open_declaration(rounds), *([open_rounds.SWISS] if is_teams else [])),
    )


def swiss_rounds(
    tables: int, contest: Contest = Contest.TEAMS, odd: str | None = None, half: bool = False
) -> range:
    """Return the legal numbers of rounds of a Swiss: from 2 until all have met.

    Up to half the number of contestants a draw can always be found; beyond that only as long as one exists.
    """
    if contest not in CONTESTS or (half and contest == Contest.TEAMS):
        return range(0)
    count = tables if contest == Contest.TEAMS else 2 * tables - half
    if odd is not None and odd not in (ODD_ONES_OUT if contest == Contest.TEAMS else ("bye",)):
        return range(0)
    return range(2, count, 2 if odd == "long-triangle" else 1)


def usual_swiss_rounds(
    tables: int, contest: Contest = Contest.TEAMS, odd: str | None = None, half: bool = False
) -> int:
    """Return the usual number of rounds of a Swiss, after which only one contestant can be unbeaten."""
    advice = swiss_advice(tables if contest == Contest.TEAMS else 2 * tables - half)
    legal = [n for n in swiss_rounds(tables, contest, odd, half) if n <= max(2, advice.most)]
    return next((rounds for rounds in legal if rounds >= advice.fewest), legal[-1])


def knockout(
    teams: int, rounds: int | None = None, seeded: bool = False, compact: bool = False
) -> Movement:
    """Return a knockout movement with round 1 drawn; results decide who plays the others.

    The chart is in the order of numbers, which the teams draw. With `seeded`, the best meets the last, and the second
    best not before the end. Up to 16 teams make a bracket; more are divided into brackets of nearly equal size, each
    with its own winner. Triangles are of the short kind, two half-length matches in the round. The next matches are
    those of `knockouts.knockout_round` for the remaining teams. In the `compact` form all teams stay: beaten ones
    play on for the third place or in a consolation, which shows from the second round on.

    Raises `TooFewTables`, `WrongRounds`. Source: catalogue 4 (Wikipedia, knock-out teams).

    >>> knockout(7).triangles
    (Triangle(rounds=(1,), teams=(5, 6, 7)),)
    """
    need_teams("knockout", teams, 4)
    numbers = range(1, teams + 1)
    needed = max(knockout_rounds(len(chart)) for chart in knockout_brackets(numbers))
    rounds = needed if rounds is None else rounds
    require_allowed_rounds("knockout", teams, rounds, (needed,))
    draw = first_knockout_draw(numbers, seeded=seeded)
    movement = Movement(
        family="knockout",
        contest=Contest.TEAMS,
        tables=len(draw.matches) + 3 * len(draw.triangles),
        rounds=rounds,
        fields=(team_field(teams),),
        sets=(),
        seatings=(),
        exemptions=(open_declaration(rounds), open_rounds.KNOCK_OUT),
    )
    return apply_draw(movement, draw)


def knockout_possible(teams: int) -> tuple[int, ...]:
    """Return the only number of rounds of a knockout with so many teams."""
    charts = knockout_brackets(range(teams))
    return (max(knockout_rounds(len(chart)) for chart in charts),) if teams >= 4 else ()


SWISS = Family(
    name="swiss",
    title=marked_for_players("Swiss"),
    build=swiss,
    rounds=swiss_rounds,
    smallest=4,
    largest=MOST_SWISS_TEAMS,
    needs=marked("at least 4 teams"),
    contest=Contest.TEAMS,
    winners=1,
    options=(
        FamilyOption(
            "contest", "choice", marked("teams, or pairs (two a table)"), CONTESTS, sizes=True
        ),
        FamilyOption("first", "choice", marked("how the first round is drawn"), FIRST_ROUNDS),
        FamilyOption(
            "odd",
            "choice",
            marked("what an odd number of teams does"),
            ODD_ONES_OUT,
            sizes=True,
        ),
        FamilyOption(
            "behind", "flag", marked("draw one round behind, so the first two beforehand")
        ),
        FamilyOption("half", "flag", marked("one pair is missing (pairs)"), sizes=True),
        FamilyOption(
            "danish",
            "flag",
            marked("in the last round 1 meets 2 and 3 meets 4, even if they have met before"),
        ),
        FamilyOption("seed", "int", marked("the number that makes a random draw repeatable")),
    ),
    usual_rounds=usual_swiss_rounds,
    takes_missing_pair=False,
    source="QBA, J. Peach 2011; Wikipedia, Duplicate bridge movements",
)

KNOCKOUT = Family(
    name="knockout",
    title=marked_for_players("Knock-out"),
    build=knockout,
    rounds=knockout_possible,
    smallest=4,
    largest=MOST_KNOCKOUT_TEAMS,
    needs=marked("at least 4 teams"),
    contest=Contest.TEAMS,
    winners=1,
    options=(
        FamilyOption("seeded", "flag", marked("the numbers are seeds: 1 meets the last")),
        FamilyOption("compact", "flag", marked("losers play on: third place, consolation")),
    ),
    takes_missing_pair=False,
    source="Wikipedia, Duplicate bridge movements",
    also_called=("KO", "Soloway (second stage)"),
)
