"""What taking a proposal means: who sits out, moves, shares, meets again, and how even it is."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from fractions import Fraction

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from movements.engine.boards import ranges
from movements.engine.changes import Consequences, Proposal
from movements.engine.fairness.balance import WORDS as SCORES
from movements.engine.model import Movement
from movements.words.advice import WORDS
from movements.words.sentences import label_of

MOST_NAMED = 8


def score_word(score: int) -> str:
    """Return the word for a fairness score."""
    return str(WORDS[next((word for least, word in SCORES if score >= least), "uneven")])


def effects(proposal: Proposal, new_boards: Iterable[int]) -> list[tuple[str, str]]:
    """Return what taking a proposal means, as pairs of a word and what it is."""
    meant, movement = proposal.consequences, proposal.movement
    found = [
        (_("Sits out"), _sit_outs(meant, movement)),
        (_("New places"), _moved(meant, movement)),
        (_("Shares boards"), _shares(meant)),
    ]
    boards = tuple(sorted(new_boards))
    if boards:
        text = ", ".join(f"{a}–{b}" if a != b else str(a) for a, b in ranges(boards))
        found.append((_("New boards"), text))
    if meant.copies > meant.copies_before:
        found.append((_("Copies of the boards"), str(meant.copies)))
    if meant.repeats:
        found.append((_("Again"), _repeats(meant, movement)))
    return found


def _sit_outs(meant: Consequences, movement: Movement) -> str:
    rounds: defaultdict[int, Fraction] = defaultdict(Fraction)
    for contestant, _round, share in meant.sit_outs:
        rounds[contestant] += share
    if not rounds:
        return _("nobody")
    if max(rounds.values()) <= Fraction(1, 2):
        return _("nobody for more than half a round")
    once = [c for c, share in rounds.items() if share <= 1]
    more = sorted(((share, c) for c, share in rounds.items() if share > 1), reverse=True)
    said = []
    if once:
        said.append(_("once: %(pairs)s") % {"pairs": _named(once, movement)})
    for share, contestant in more[:MOST_NAMED]:
        said.append(
            _("%(pair)s %(rounds)s rounds")
            % {"pair": label_of(movement, contestant), "rounds": f"{float(share):g}"}
        )
    return "; ".join(said)


def _named(contestants: Iterable[int], movement: Movement) -> str:
    labels = [label_of(movement, number) for number in sorted(contestants)]
    if len(labels) <= MOST_NAMED:
        return ", ".join(labels)
    return ngettext("%(count)s pair", "%(count)s pairs", len(labels)) % {"count": len(labels)}


def _moved(meant: Consequences, movement: Movement) -> str:
    return _named(meant.moved, movement) if meant.moved else _("nobody")


def _shares(meant: Consequences) -> str:
    if not meant.shares:
        return _("no table that did not before")
    together: defaultdict[tuple[int, ...], list[int]] = defaultdict(list)
    for round, tables in meant.shares:
        together[tables].append(round)
    if len(together) > 3:
        count = len({round for round, _tables in meant.shares})
        return ngettext("in %(count)s round", "in %(count)s rounds", count) % {"count": count}
    return "; ".join(
        _("tables %(tables)s in round %(rounds)s")
        % {"tables": ", ".join(map(str, tables)), "rounds": ", ".join(map(str, rounds))}
        for tables, rounds in together.items()
    )


def _repeats(meant: Consequences, movement: Movement) -> str:
    said = []
    for who in meant.repeats[:MOST_NAMED]:
        labels = [label_of(movement, number) for number in who]
        if len(labels) == 1:
            said.append(_("%(pair)s has had a board before") % {"pair": labels[0]})
        else:
            said.append(
                _("%(pair)s and %(other)s meet again") % {"pair": labels[0], "other": labels[1]}
            )
    return "; ".join(said)
