"""Proposals in words: what each is called, what it does, and the verb on its button."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from fractions import Fraction

from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, npgettext

from movements.engine.boards import ranges
from movements.engine.changes import Consequences, Proposal
from movements.engine.fairness.balance import WORDS as SCORES
from movements.engine.model import Movement

from .advice import WORDS
from .sentences import counted, label_of

MOST_NAMED = 8


def title(proposal: Proposal) -> str:
    """Return the name of a proposal, as the first line of its choice."""
    facts = {**proposal.facts, "from": proposal.from_round}
    match proposal.kind:
        case "free-seat" if facts.get("running"):
            return _("The free seat, now")
        case "free-seat":
            return _("The free seat, from round %(from)s") % facts
        case "rover" if facts.get("ns"):
            return _("Rover, North-South") % facts
        case "rover":
            return _("Rover, East-West") % facts
        case "two-way-rover":
            return _("Two-way rover")
        case "party-table":
            return _("Party table %(table)s") % facts
        case "new-table":
            return _("Add table %(table)s") % facts
        case "drawn-again":
            return _("In the draws to come")
        case "appendix-table":
            return _("Appendix table %(table)s") % facts
        case "waiting-place":
            return _("A place to wait after table %(after)s") % facts
        case "half-table":
            return _("A half table")
        case "fewer-tables":
            return _("%(table)s tables") % facts
        case "places-exchanged":
            return _("Exchange with a pair that stays")
        case "table-kept":
            return _("Keep table %(table)s") % facts
        case "places-taken":
            return _("Others take the empty places")
        case "skip":
            return _("Skip after round %(after)s") % facts
        case "no-skip":
            return _("No skip")
        case "shorter":
            return _("End after round %(rounds)s") % facts
        case "longer":
            return _("Play %(rounds)s rounds") % facts
        case "fewer-boards":
            return (
                ngettext("%(boards)s board a round", "%(boards)s boards a round", facts["boards"])
                % facts
            )
        case "arrow-switch" if facts.get("table"):
            return _("Turn table %(table)s in round %(round)s") % facts
        case "arrow-switch":
            return _("Turn round %(round)s") % facts
        case "as-played":
            return _("Write it down; the rest stays as planned")
        case "repaired":
            return _("Write it down, and repair the rest")
        case "rebuilt":
            return _("All rounds from %(from)s on made anew") % facts
    return _("Another movement from round %(from)s on") % facts


def description(proposal: Proposal) -> str:
    """Return what a proposal does, in a sentence or two."""
    facts = {**proposal.facts, "from": proposal.from_round, "rounds_left": _rounds_left(proposal)}
    match proposal.kind:
        case "free-seat":
            return _("The half table is full. Nothing else moves.")
        case "rover" if facts["rounds"] < facts["of"]:
            return (
                _(
                    "Takes another pair’s seat in %(rounds)s of the %(of)s rounds to come, and waits in the others."
                )
                % facts
            )
        case "rover" if facts["exchange"]:
            return _("Takes another pair’s seat in every round. Two pairs exchange places in some.")
        case "rover":
            return _("Takes another pair’s seat in every round. Nothing else moves.")
        case "two-way-rover":
            return _("North-South for half a round, East-West for the other half.")
        case "party-table":
            return _("Meets whoever would sit out, at a table of its own.")
        case "new-table" if facts.get("skip"):
            said = _("A half table, new boards, and a skip after round %(skip)s.") % facts
            return _with_fewer_rounds(said, proposal)
        case "new-table":
            return _with_fewer_rounds(_("A half table and new boards. No skip."), proposal)
        case "drawn-again":
            return _("Has an opponent again from the next draw on.")
        case "appendix-table" if facts.get("shares"):
            said = _("A half table that shares the boards of table %(shares)s. No new boards.")
            return _with_skip(said % facts, facts)
        case "appendix-table":
            return _("A half table and no new boards. The evening begins as another movement.")
        case "waiting-place":
            said = _("Those who move wait there for a round. No rover, no new boards.")
            return _with_skip(said, facts)
        case "half-table":
            return _("Whoever would meet the pair sits out. Nothing else moves.")
        case "fewer-tables":
            return _with_fewer_rounds(_("A table less, and nobody sits out."), proposal)
        case "places-exchanged":
            return _("Two pairs play each other’s evening from now on.")
        case "table-kept" if facts.get("turned"):
            return _("Opponents and boards come to the pair, which keeps its direction too.")
        case "table-kept":
            return _("Opponents and boards come to the pair; others move a little more.")
        case "places-taken":
            return _("Whoever would sit out plays instead.")
        case "skip" | "no-skip":
            return _("Boards move as planned; those who move skip at another time.")
        case "shorter":
            return _("The rounds after that are not played.")
        case "longer":
            return _("The evening goes on as it has begun.")
        case "fewer-boards":
            return (
                _("The last boards of every set stay in the board from round %(from)s on.") % facts
            )
        case "arrow-switch":
            return _("North-South and East-West change seats; the boards are the same.")
        case "as-played":
            return _("No rule is broken by what is still to come.")
        case "repaired":
            return _("As planned, somebody would play a board or a pair again. This is mended.")
        case "rebuilt":
            return _("Everybody gets a new plan. As many tables as possible play.")
    return ""


def _with_fewer_rounds(said: str, proposal: Proposal) -> str:
    """The sentence, and how many rounds there are where the evening becomes shorter."""
    rounds = proposal.movement.rounds
    if rounds == proposal.before.rounds:
        return said
    return f"{said} " + _("The evening ends after round %(rounds)s.") % {"rounds": rounds}


def _with_skip(said: str, facts: Mapping[str, int]) -> str:
    if not facts["skip"]:
        return said
    return said + " " + _("They skip a table after round %(skip)s.") % facts


def button(proposal: Proposal) -> str:
    """Return the verb on the button."""
    match proposal.kind:
        case "free-seat":
            return _("Seat the pair there")
        case "drawn-again":
            return _("Let it play again")
        case "rover" | "two-way-rover":
            return _("Seat the pair as rover")
        case "party-table":
            return _("Seat the pair at the party table")
        case "new-table" | "appendix-table":
            return _("Add the table")
        case "waiting-place":
            return _("Add the place")
        case "places-exchanged" | "table-kept":
            return _("Let the pair stay")
        case "half-table" | "places-taken" | "fewer-tables":
            return _("Let the pair go")
        case "skip" | "no-skip":
            return _("Change the skip")
        case "shorter" | "longer":
            return _("Change the number of rounds")
        case "fewer-boards":
            return _("Play fewer boards")
        case "arrow-switch":
            return _("Turn the arrows")
        case "as-played" | "repaired":
            return _("Write it down")
    return _("Use this plan")


def _rounds_left(proposal: Proposal) -> int:
    return proposal.movement.rounds - proposal.from_round + 1


def score_word(score: int) -> str:
    """Return the word for a fairness score."""
    return str(WORDS[next((word for least, word in SCORES if score >= least), "uneven")])


def effects(proposal: Proposal, new_boards: Iterable[int]) -> list[tuple[str, str]]:
    """Return what taking a proposal means, as pairs of a word and what it is."""
    told, movement = proposal.consequences, proposal.movement
    out = npgettext("effect of a change", "Sits out", "Sit out", len(_rounds_out(told)) or 1)
    found = [
        (out, _sit_outs(told, movement)),
        (_("New places"), _moved(told, movement)),
        (_("Shares boards"), _shares(told)),
    ]
    boards = tuple(sorted(new_boards))
    if boards:
        text = ", ".join(f"{a}–{b}" if a != b else str(a) for a, b in ranges(boards))
        found.append((_("New boards"), text))
    if told.copies > told.copies_before:
        found.append((_("Copies of the boards"), str(told.copies)))
    if told.repeats:
        found.append((_("Again"), _repeats(told, movement)))
    return found


def _sit_outs(told: Consequences, movement: Movement) -> str:
    rounds = _rounds_out(told)
    if not rounds:
        return _("nobody")
    if max(rounds.values()) <= Fraction(1, 2):
        return _("nobody for more than half a round")
    together: defaultdict[Fraction, list[int]] = defaultdict(list)
    for contestant, share in rounds.items():
        together[share].append(contestant)
    return "; ".join(
        f"{_named(who, movement)} ({_so_long(share, len(who))})"
        for share, who in sorted(together.items(), reverse=True)
    )


def _rounds_out(told: Consequences) -> dict[int, Fraction]:
    """How many rounds everybody sits out who does."""
    rounds: defaultdict[int, Fraction] = defaultdict(Fraction)
    for contestant, _round, share in told.sit_outs:
        rounds[contestant] += share
    return rounds


def _so_long(share: Fraction, count: int) -> str:
    """Say how many rounds, and of several contestants that it is so many for each."""
    number = 1 if share == 1 else 2  # half a round is "0.5 rounds"
    facts = {"count": number_format(f"{float(share):.3g}")}
    if count == 1:
        return ngettext("%(count)s round", "%(count)s rounds", number) % facts
    return ngettext("%(count)s round each", "%(count)s rounds each", number) % facts


def _named(contestants: Iterable[int], movement: Movement) -> str:
    """Name contestants: "pair 12", "teams 3, 4", "NS 3, EW 5"; of many say how many they are."""
    numbers = sorted(contestants)
    if len(numbers) > MOST_NAMED:
        return counted(movement.contest, len(numbers))
    if any(movement.field_of(number).prefix for number in numbers):
        return ", ".join(label_of(movement, number) for number in numbers)
    facts = {"numbers": ", ".join(label_of(movement, number) for number in numbers)}
    match movement.contest:
        case "teams":
            return ngettext("team %(numbers)s", "teams %(numbers)s", len(numbers)) % facts
        case "individual":
            return ngettext("player %(numbers)s", "players %(numbers)s", len(numbers)) % facts
    return ngettext("pair %(numbers)s", "pairs %(numbers)s", len(numbers)) % facts


def _moved(told: Consequences, movement: Movement) -> str:
    return _named(told.moved, movement) if told.moved else _("nobody")


def _shares(told: Consequences) -> str:
    if not told.shares:
        return _("no table that did not before")
    together: defaultdict[tuple[int, ...], list[int]] = defaultdict(list)
    for round, tables in told.shares:
        together[tables].append(round)
    if len(together) > 3:
        count = len({round for round, _tables in told.shares})
        return ngettext("in %(count)s round", "in %(count)s rounds", count) % {"count": count}
    return "; ".join(
        _("tables %(tables)s in round %(rounds)s")
        % {"tables": ", ".join(map(str, tables)), "rounds": ", ".join(map(str, rounds))}
        for tables, rounds in together.items()
    )


def _repeats(told: Consequences, movement: Movement) -> str:
    said = []
    for who in told.repeats[:MOST_NAMED]:
        labels = [_named([number], movement) for number in who]
        if len(labels) == 1:
            said.append(_("%(pair)s has had a board before") % {"pair": labels[0]})
        else:
            said.append(
                _("%(pair)s and %(other)s meet again") % {"pair": labels[0], "other": labels[1]}
            )
    return "; ".join(said)
