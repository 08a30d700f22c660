"""The chart of a player's results over time, on the player's own page."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from decimal import Decimal
from fractions import Fraction
from functools import cached_property

from bridgebuddy.scoring.rules.rounding import rounded_number
from bridgebuddy.scoring.words import number_text

#: the most sessions with a dot, and the sessions in each mean
DOTS, OF_MEAN = 40, 5
HUNDRED = 100
WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 360, 190, 36, 350, 14, 158
STEP = 5


def format_whole_percent(hundredths: int) -> str:
    """Return hundredths of a per cent as text in whole per cent."""
    return number_text(rounded_number(Fraction(hundredths, HUNDRED), 0, 50), 0)


class ResultsTrendChart:
    """A player's results over time as SVG coordinates: a dot for each session, a line for the mean of five."""

    def __init__(self, dots: Sequence[tuple[date, Decimal]]) -> None:
        self._days = [day for day, _ in dots][-DOTS:]
        values = [Fraction(value) for _, value in dots]
        means = []
        for end in range(1, len(values) + 1):
            last = values[max(0, end - OF_MEAN) : end]
            means.append(sum(last, Fraction(0)) / len(last))
        self.values, self.means = values[-DOTS:], means[-DOTS:]

    @cached_property
    def _range(self) -> tuple[int, int]:
        """Return the lowest and highest percentage of the chart's axis, which includes 50."""
        low = min(*self.values, Fraction(45))
        high = max(*self.values, Fraction(55))
        return int(low // STEP * STEP), int(-(-high // STEP) * STEP)

    def _x(self, at: int) -> str:
        """Return the horizontal coordinate of the session with this index."""
        return f"{LEFT + (RIGHT - LEFT) * at / (len(self.values) - 1):.1f}"

    def y(self, value: Fraction | int) -> str:
        """Return the vertical coordinate of a percentage."""
        low, high = self._range
        return f"{float(BOTTOM - (BOTTOM - TOP) * (Fraction(value) - low) / (high - low)):.1f}"

    @cached_property
    def dots(self) -> list[tuple[str, str]]:
        """Return the coordinates of all sessions' dots."""
        return [(self._x(at), self.y(value)) for at, value in enumerate(self.values)]

    @property
    def latest_dot(self) -> tuple[str, str]:
        """Return the coordinates of the latest session's dot."""
        return self.dots[-1]

    @property
    def mean_line(self) -> str:
        """Return the SVG points of the line of means."""
        return " ".join(f"{self._x(at)},{self.y(mean)}" for at, mean in enumerate(self.means))

    @property
    def marks(self) -> list[tuple[int, str]]:
        """Return the labelled percentages of the axis with their coordinates."""
        low, high = self._range
        return [(value, self.y(value)) for value in dict.fromkeys((low, 50, high))]

    @property
    def first_day(self) -> date:
        """Return the date of the first session in the chart."""
        return self._days[0]

    @property
    def last_day(self) -> date:
        """Return the date of the last session in the chart."""
        return self._days[-1]

    @property
    def lowest(self) -> str:
        """Return the lowest percentage in the chart."""
        return format_whole_percent(int(min(self.values) * HUNDRED))

    @property
    def highest(self) -> str:
        """Return the highest percentage in the chart."""
        return format_whole_percent(int(max(self.values) * HUNDRED))

    @property
    def mean_before(self) -> str:
        """Return the first mean in the chart, as text for its description."""
        return format_whole_percent(int(self.means[0] * HUNDRED))

    @property
    def mean_now(self) -> str:
        """Return the latest mean in the chart, as text for its description."""
        return format_whole_percent(int(self.means[-1] * HUNDRED))

    @property
    def session_count(self) -> int:
        """Return how many sessions the chart shows."""
        return len(self.values)
