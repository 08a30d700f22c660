"""Heat maps of a movement's comparisons as SVG without styles.

Each square is for two contestants. Its class gives the difference of their weight from the usual: h1 to h3 more, l1
to l3 less, h0 about even, x about even between two fields, d a contestant with itself. In black and white the large
picture is read by its numbers, the small one by its shades and the words beside it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache, lru_cache

from django.utils.formats import number_format
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from movements.engine.fairness.balance import Balance, Weight, balance
from movements.engine.fairness.influences import Influences, PairInfluence, influences
from movements.engine.model import Movement

from ..words.sentences import shown_label

THUMB = 80  # units each way, for any number of contestants
#: pixels of the large picture: a square, the gap between two, and the position of its number
CELL, GAP, MIDDLE, BASELINE = 34, 2, 16, 22
HEAD, HEAD_OF_LINES = 40, 60
MOST_WITH_NUMBERS = 40
#: a square up to this many steps counts as about even; a step is half the mean weight
STEPS_IN_MEAN = 2
MOST_STEPS = 3

Cell = tuple[str, str]
"""Class and number of a square."""


def heat_squares(movement: Movement, balance: Balance) -> list[list[Cell]]:
    """Return the CSS class and the number of every square of a movement's heat map, row by row."""
    return [
        [
            (kind, "" if kind == "d" else _weight_text(weight))
            for kind, weight in zip(kinds, weights, strict=True)
        ]
        for kinds, weights in zip(heat_classes(movement, balance), balance.weights, strict=True)
    ]


def _weight_text(weight: Weight) -> str:
    """Return an opposition weight with at most one decimal."""
    return str(weight) if weight == int(weight) else number_format(float(weight), 1)


def heat_classes(movement: Movement, balance: Balance) -> list[list[str]]:
    """Return the CSS class of every square of a movement's heat map, row by row."""
    fields = [movement.field_of(number).name for number in movement.contestants]
    mean = float(balance.mean)
    scale = max(1.0, abs(mean))

    @cache
    def class_of_weight(weight: Weight, is_of_one_field: bool) -> str:
        """Return the CSS class for a weight."""
        off = (float(weight) - (mean if is_of_one_field else 0.0)) / scale
        step = min(MOST_STEPS, round(abs(off) * STEPS_IN_MEAN))
        if not step and not is_of_one_field:
            return "x"
        return f"{'l' if off < 0 and step else 'h'}{step}"

    rows = [
        [class_of_weight(weight, own == other) for weight, other in zip(row, fields, strict=True)]
        for row, own in zip(balance.weights, fields, strict=True)
    ]
    for place, row in enumerate(rows):
        row[place] = "d"
    return rows


def heat_thumbnail(movement: Movement) -> SafeString:
    """Return the small heat map of a movement as SVG, with a text alternative.

    Empty if there are no boards yet, and so no comparisons.
    """
    if not movement.sets:
        return mark_safe("")
    paths, score, level = _heat_data(movement)
    return _svg_picture("thumb", THUMB, _summary_text(movement, score, level), paths)


@lru_cache(maxsize=256)
def _heat_data(movement: Movement) -> tuple[SafeString, int, Influences]:
    """Return the squares and the size of a small heat map; cached because a page shows a dozen."""
    measured = balance(movement)
    return (
        _paths_by_class(movement, heat_classes(movement, measured)),
        measured.score,
        influences(measured, limit=1),
    )


def _svg_picture(name: str, size: int, label: str, body: SafeString) -> SafeString:
    """Return an SVG picture with a text alternative."""
    return format_html(
        '<svg class="{0}" width="{1}" height="{1}" viewBox="0 0 {1} {1}" role="img"'
        ' aria-label="{2}">{3}</svg>',
        name,
        size,
        label,
        body,
    )


@lru_cache(maxsize=512)
def _svg_number(units: float) -> str:
    """Return a number with at most two decimal places."""
    return f"{units:.2f}".rstrip("0").rstrip(".")


def _paths_by_class(movement: Movement, rows: Sequence[Sequence[str]]) -> SafeString:
    """Return the SVG paths of a heat map, one for all squares of a class.

    A field's background means about even, and the others are drawn on it. Squares about even between two fields stay
    empty.
    """
    side = THUMB / max(1, len(rows))
    strokes: dict[str, list[str]] = {
        "l0": [
            _rectangle_path(members.start - 1, members.start - 1, len(members), len(members), side)
            for members in map(movement.members, movement.fields)
        ]
    }
    for y, row in enumerate(rows):
        for kind, first, last in _runs_of_class(row):
            if kind not in ("h0", "x"):
                strokes.setdefault(kind, []).append(
                    _rectangle_path(first, y, last - first, 1, side)
                )
    return format_html_join(
        "", '<path class="c-{}" d="{}"/>', ((kind, "".join(strokes[kind])) for kind in strokes)
    )


def _rectangle_path(x: int, y: int, width: int, height: int, side: float) -> str:
    """Return the SVG path of a rectangle, measured in squares."""
    wide = _svg_number(width * side)
    return f"M{_svg_number(x * side)} {_svg_number(y * side)}h{wide}v{_svg_number(height * side)}h-{wide}z"


def _runs_of_class(row: Sequence[str]) -> Iterator[tuple[str, int, int]]:
    """Yield runs of equal classes in a row of squares: the class, its start and its end."""
    first = 0
    for place in range(1, len(row) + 1):
        if place == len(row) or row[place] != row[first]:
            yield row[first], first, place
            first = place


def heat_picture(movement: Movement, balance: Balance) -> SafeString:
    """Return an SVG heat map of how often each two pairs are compared, with numbers and labels.

    Very large fields have no space for numbers and get the small picture, enlarged.
    """
    words = heat_sentence(movement, balance)
    if len(movement.contestants) > MOST_WITH_NUMBERS:
        paths = _paths_by_class(movement, heat_classes(movement, balance))
        return _svg_picture("heat whole", THUMB, words, paths)
    rows = heat_squares(movement, balance)
    labels = [shown_label(movement.label(number)) for number in movement.contestants]
    head = HEAD_OF_LINES if any(len(label) > 3 for label in labels) else HEAD
    body = [_draw_row(row, head, head + y * CELL) for y, row in enumerate(rows)]
    size = head + CELL * len(rows)
    return _svg_picture(
        "heat", size, words, mark_safe("".join([_draw_labels(labels, head), *body]))
    )


def _draw_row(row: Sequence[Cell], head: int, top: int) -> SafeString:
    """Return the SVG of one row of the large heat map."""
    rects = format_html_join(
        "",
        '<rect class="c-{}" x="{}" y="{}" width="{}" height="{}" rx="2"/>',
        ((kind, head + x * CELL, top, CELL - GAP, CELL - GAP) for x, (kind, _) in enumerate(row)),
    )
    return rects + format_html_join(
        "",
        '<text class="on-{}" x="{}" y="{}">{}</text>',
        (
            (kind, head + x * CELL + MIDDLE, top + BASELINE, number)
            for x, (kind, number) in enumerate(row)
            if number
        ),
    )


def _draw_labels(labels: Sequence[str], head: int) -> SafeString:
    """Return the SVG of the labels above the columns and beside the rows of the large heat map."""
    above = format_html_join(
        "",
        '<text class="name" x="{}" y="{}">{}</text>',
        (
            (head + x * CELL + MIDDLE, head - 10, label.split()[-1])
            for x, label in enumerate(labels)
        ),
    )
    return above + format_html_join(
        "",
        '<text class="name row" x="{}" y="{}">{}</text>',
        ((head - 8, head + y * CELL + BASELINE, label) for y, label in enumerate(labels)),
    )


# ── in words ──

#: meaning of a square's class for two contestants, the strongest first
CLASS_WORDS = {
    "h3": gettext_lazy("depend on each other much more than usual"),
    "h2": gettext_lazy("clearly more than usual"),
    "h1": gettext_lazy("a little more than usual"),
    "h0": gettext_lazy("as usual"),
    "x": gettext_lazy("not at all: of two lines, each with its own winner"),
    "l1": gettext_lazy("a little less than usual"),
    "l2": gettext_lazy("clearly less than usual"),
    "l3": gettext_lazy("much less than usual, or one even helps the other"),
}


def heat_legend(movement: Movement, balance: Balance) -> list[tuple[str, str, str]]:
    """Return the legend of the large heat map: class, numbers and words, strongest first."""
    strokes: dict[str, list[Weight]] = {}
    for kinds, weights in zip(heat_classes(movement, balance), balance.weights, strict=True):
        for kind, weight in zip(kinds, weights, strict=True):
            if kind != "d":
                strokes.setdefault(kind, []).append(weight)
    return [
        (kind, _range_text(strokes[kind]), str(words))
        for kind, words in CLASS_WORDS.items()
        if kind in strokes
    ]


def _range_text(weights: Sequence[Weight]) -> str:
    """Return the range of these opposition weights as text."""
    least, most = _weight_text(min(weights)), _weight_text(max(weights))
    if least == most:
        return least.replace("-", "−")
    return _("%(least)s to %(most)s") % {
        "least": least.replace("-", "−"),
        "most": most.replace("-", "−"),
    }


def heat_sentence(movement: Movement, balance: Balance) -> str:
    """Return a sentence on how evenly a movement compares contestants, with the most uneven couples."""
    return _summary_text(movement, balance.score, influences(balance, limit=1))


def _summary_text(movement: Movement, score: int, influences: Influences) -> str:
    """Return the sentence that sums up how evenly a movement compares contestants."""
    are_pairs = movement.contest.fills_a_side
    if not influences.more and not influences.less:
        return (
            _("Every pair influences every other equally.")
            if are_pairs
            else _("Everybody influences everybody else equally.")
        )
    starts = STARTS if are_pairs else STARTS_OF_OTHERS
    start = next(text for least, text in starts if score >= least)
    couples = [
        _couple_text(movement, contestant) for contestant in (*influences.more, *influences.less)
    ]
    return "; ".join([str(start), *couples]) + "."


STARTS = (
    (85, gettext_lazy("Every pair influences every other about equally")),
    (75, gettext_lazy("Pairs influence each other somewhat unequally")),
    (0, gettext_lazy("Pairs influence each other unequally")),
)
STARTS_OF_OTHERS = (
    (85, gettext_lazy("Everybody influences everybody else about equally")),
    (75, gettext_lazy("People influence each other somewhat unequally")),
    (0, gettext_lazy("People influence each other unequally")),
)
DEGREES = {
    ("a little", True): gettext_lazy("%(one)s and %(other)s a little more"),
    ("a little", False): gettext_lazy("%(one)s and %(other)s a little less"),
    ("clearly", True): gettext_lazy("%(one)s and %(other)s clearly more"),
    ("clearly", False): gettext_lazy("%(one)s and %(other)s clearly less"),
    ("strongly", True): gettext_lazy("%(one)s and %(other)s much more"),
    ("strongly", False): gettext_lazy("%(one)s and %(other)s much less"),
}
DEGREES_OF_PAIRS = {
    ("a little", True): gettext_lazy("pairs %(one)s and %(other)s a little more"),
    ("a little", False): gettext_lazy("pairs %(one)s and %(other)s a little less"),
    ("clearly", True): gettext_lazy("pairs %(one)s and %(other)s clearly more"),
    ("clearly", False): gettext_lazy("pairs %(one)s and %(other)s clearly less"),
    ("strongly", True): gettext_lazy("pairs %(one)s and %(other)s much more"),
    ("strongly", False): gettext_lazy("pairs %(one)s and %(other)s much less"),
}


def _couple_text(movement: Movement, influence: PairInfluence) -> str:
    """Return the sentence on how much two contestants' results depend on each other."""
    degrees = DEGREES_OF_PAIRS if movement.contest.fills_a_side else DEGREES
    return str(degrees[influence.degree, influence.excess > 0]) % {
        "one": shown_label(movement.label(influence.one)),
        "other": shown_label(movement.label(influence.other)),
    }
