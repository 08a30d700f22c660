"""The chart's movement for the next session with as many pairs, and a suggestion."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from bridgebuddy.events.models import Section
from movements.engine.contest import Contest
from movements.engine.errors import MovementError
from movements.engine.fairness.balance import balance

from .charts import default_line
from .rules.chart import ChartLine, MovementChoice, build_movement

#: minutes late from which fewer boards are suggested
LATE = 10
#: points of fairness (of 100) that justify another movement; the most boards more or fewer
FAIRER, AS_LONG = 5, 2
#: fewer boards a round would leave too little play between moves
FEWEST_BOARDS = 2


@dataclass(frozen=True)
class Improvement:
    """A suggestion for the next session: fewer boards a round, one round fewer, or a fairer movement."""

    kind: Literal["boards", "rounds", "fairer"]
    choice: MovementChoice
    before: int = 0  # the fairness of the chart's choice and of this one, of 100
    after: int = 0
    minutes: int = 0  # minutes that it ends sooner


@dataclass(frozen=True)
class NextSessionAdvice:
    """The chart's line for the next session of this size, and a suggested improvement if there is one."""

    line: ChartLine
    to_try: Improvement | None


def next_chart_line(section: Section, late: int) -> NextSessionAdvice | None:
    """Return advice for the next session of this size, after a session that ended `late` minutes late."""
    if section.contest != Contest.PAIRS:
        return None
    line = default_line(section.club, section.entries.count())
    if line is None:
        return None
    return NextSessionAdvice(
        line, _shorter_choice(line, section, late) if late >= LATE else _fairer_choice(line)
    )


def _shorter_choice(line: ChartLine, section: Section, late: int) -> Improvement | None:
    """Return the movement with one board a round less, or one round less; None if neither is possible."""
    choice, a_board = line.choice, section.session.minutes_per_board
    if choice.boards > FEWEST_BOARDS and choice.rounds * a_board <= 2 * late:
        fewer = replace(choice, boards=choice.boards - 1)
        return Improvement("boards", fewer, minutes=choice.rounds * a_board)
    fewer = replace(choice, rounds=choice.rounds - 1)
    try:
        build_movement(line.pairs, fewer)
    except MovementError:
        return None
    return Improvement("rounds", fewer, minutes=choice.boards * a_board)


def _fairer_choice(line: ChartLine) -> Improvement | None:
    """Return the improvement that plays the chart's fairest alternative, if similar in length and clearly fairer."""
    own, *others = [_balance_score(line.pairs, other) for other in (line.choice, *line.others)]
    boards = line.choice.rounds * line.choice.boards
    about_as_long = [
        (score, -place)
        for place, (other_choice, score) in enumerate(zip(line.others, others, strict=True))
        if abs(other_choice.rounds * other_choice.boards - boards) <= AS_LONG
        and score >= own + FAIRER
    ]
    if not about_as_long:
        return None
    score, place = max(about_as_long)
    return Improvement("fairer", line.others[-place], before=own, after=score)


def _balance_score(pairs: int, choice: MovementChoice) -> int:
    """Return from 0 to 100 how fairly a movement compares all pairs with each other."""
    return balance(build_movement(pairs, choice)).score
