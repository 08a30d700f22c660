"""The effects of a proposal: sit-outs, moves, shared boards, repeated meetings, fairness."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from fractions import Fraction

from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, ngettext_lazy, npgettext

from bridgebuddy.events.queries.plan.games import board_text
from movements.engine.board_copies.borrowed_sets import borrowed_set
from movements.engine.boards import boards_of_sets
from movements.engine.changes import ChangeConsequences, Proposal
from movements.engine.contest import Contest
from movements.engine.drawing.draws import DRAWN_ON_RESULTS
from movements.engine.fairness.balance import WORDS as SCORES
from movements.engine.model import Movement
from movements.words.advice import WORDS
from movements.words.sentences import contestant_count_text, label_of

from .effects_of_draws import effects_of_draw

MOST_NAMED = 8
AFTER_A_MISTAKE = ("as-played", "as-planned", "repaired")


def score_word(score: int) -> str:
    """Return a fairness score as a word, such as "good"."""
    return str(WORDS[next((word for least, word in SCORES if score >= least), "uneven")])


def effects_of_proposal(
    proposal: Proposal,
    new_boards: Iterable[int],
    numbers: Mapping[str, range] | None = None,
    odd: str = "",
) -> list[tuple[str, str]]:
    """Return the effects of a proposed live change as texts, each with a label.

    `odd` is the treatment of an odd number of contestants in drawn rounds.
    """
    meant, movement = proposal.consequences, proposal.movement
    rows = list(
        effects_of_draw(proposal, odd)
        if movement.family in DRAWN_ON_RESULTS
        else _table_effects(meant, movement)
    )
    boards = tuple(sorted(new_boards))
    if boards:
        rows.append((_("New boards"), board_text(boards)))
    if meant.copies > meant.copies_before:
        rows.append((_("Copies of the boards"), str(meant.copies)))
    if meant.contestants_never_playing:
        rows.append((_("No boards at all"), _without_play_text(meant, movement)))
    if meant.repeats:
        rows.append((_("Again"), _repeated_meetings_text(meant, movement)))
    if proposal.kind in AFTER_A_MISTAKE and numbers:
        before = _count_set_plays(_divide_sets_as_after(proposal))
        after = _count_set_plays(movement)
        twice = {key for key, times in after.items() if times > 1 >= before[key]}
        never = {key for key in before if key not in after}
        if twice:
            rows.append(
                (_("Boards played twice"), _contestants_with_boards(twice, movement, numbers))
            )
        if never:
            rows.append(
                (_("Boards never played"), _contestants_with_boards(never, movement, numbers))
            )
        rows += _owners_of_foreign_boards(proposal, numbers)
    return rows


def _owners_of_foreign_boards(
    proposal: Proposal, numbers: Mapping[str, range]
) -> Iterator[tuple[str, str]]:
    """Yield texts on boards that belong to another section, and where to return them."""
    for name in proposal.movement.sets:
        of_others = borrowed_set(name)
        if of_others and name not in proposal.before.sets:
            belongs = _("Boards of section %(section)s") % {"section": of_others.owner}
            told = _(
                "%(boards)s: results are compared with those of that section. Take the "
                "boards back afterwards."
            )
            yield belongs, told % {"boards": board_text(numbers[name])}


def _divide_sets_as_after(proposal: Proposal) -> Movement:
    """Return the movement before a change, with its board sets split as the change splits them, to compare both."""
    parts: defaultdict[str, list[str]] = defaultdict(list)
    for part, (whole, _low, _high) in proposal.parts.items():
        parts[whole].append(part)
    if not parts:
        return proposal.before
    return replace(
        proposal.before,
        seatings=tuple(
            replace(
                seating,
                sets=tuple(part for name in seating.sets for part in parts.get(name, [name])),
            )
            for seating in proposal.before.seatings
        ),
    )


def _table_effects(
    consequences: ChangeConsequences, movement: Movement
) -> Iterator[tuple[str, str]]:
    """Yield the effects of a proposal on contestants: sit-outs, new seats and shared boards."""
    out = npgettext(
        "effect of a change", "Sits out", "Sit out", len(_rounds_out(consequences)) or 1
    )
    yield out, _sit_outs_text(consequences, movement)
    if movement.is_draw:  # teams have home tables
        return
    yield _("New places"), _moved_contestants_text(consequences, movement)
    yield _("Shares boards"), _newly_shared_tables_text(consequences)


def _count_set_plays(movement: Movement) -> Counter[tuple[int, str]]:
    """Count how often each contestant plays each board set."""
    return Counter(
        (contestant, name)
        for seating in movement.seatings
        if seating.is_played
        for contestant in set(seating.contestants)
        for name in seating.sets
    )


def _contestants_with_boards(
    contestant_boards: Iterable[tuple[int, str]], movement: Movement, numbers: Mapping[str, range]
) -> str:
    """Return contestants with their boards as text: "NS 4: 13–15; EW 7: 1–3"."""
    together: defaultdict[tuple[str, ...], list[int]] = defaultdict(list)
    sets: defaultdict[int, list[str]] = defaultdict(list)
    for contestant, name in sorted(contestant_boards):
        sets[contestant].append(name)
    for contestant, names in sets.items():
        together[tuple(names)].append(contestant)
    return "; ".join(
        f"{_contestants_text(group, movement)}: {board_text(boards_of_sets(names, numbers))}"
        for names, group in together.items()
    )


def _sit_outs_text(consequences: ChangeConsequences, movement: Movement) -> str:
    """Return as text who sits out how often in addition because of a proposal."""
    rounds = _rounds_out(consequences)
    if not rounds:
        return _("nobody")
    if max(rounds.values()) <= Fraction(1, 2):
        return _("at most half a round each")
    together: defaultdict[Fraction, list[int]] = defaultdict(list)
    for contestant, share in rounds.items():
        together[share].append(contestant)
    return "; ".join(
        f"{_contestants_text(group, movement)} ({_rounds_text(share, len(group))})"
        for share, group in sorted(together.items(), reverse=True)
    )


def _rounds_out(consequences: ChangeConsequences) -> dict[int, Fraction]:
    """Return for how many rounds each contestant sits out; contestants that always play are left out."""
    rounds: defaultdict[int, Fraction] = defaultdict(Fraction)
    for contestant, _round, share in consequences.sit_outs:
        rounds[contestant] += share
    return rounds


def _rounds_text(share: Fraction, count: int) -> str:
    """Return a number of rounds as text, such as "2 rounds", or "2 rounds each" for several contestants."""
    number = 1 if share == 1 else 2  # half a round reads "0.5 rounds"
    facts = {"count": number_format(f"{float(share):.3g}")}
    if count == 1:
        return ngettext("%(count)s round", "%(count)s rounds", number) % facts
    return ngettext("%(count)s round each", "%(count)s rounds each", number) % facts


NUMBERED = {
    Contest.PAIRS: ngettext_lazy("pair %(numbers)s", "pairs %(numbers)s", "count"),
    Contest.INDIVIDUAL: ngettext_lazy("player %(numbers)s", "players %(numbers)s", "count"),
    Contest.TEAMS: ngettext_lazy("team %(numbers)s", "teams %(numbers)s", "count"),
}


def _contestants_text(contestants: Iterable[int], movement: Movement) -> str:
    """Return contestants as text: "pair 12", "teams 3, 4"; if there are many, only how many: "9 pairs"."""
    numbers = sorted(contestants)
    if len(numbers) > MOST_NAMED:
        return contestant_count_text(movement.contest, len(numbers))
    labels = [label_of(movement, number) for number in numbers]
    listed = ", ".join(labels)
    if any(" " in label for label in labels):
        return listed
    return NUMBERED[movement.contest] % {"numbers": listed, "count": len(numbers)}


def _without_play_text(consequences: ChangeConsequences, movement: Movement) -> str:
    """Return as text the contestants that would not play in any coming round after the change."""
    return ngettext(
        "%(contestants)s plays no board this session",
        "%(contestants)s play no board this session",
        len(consequences.contestants_never_playing),
    ) % {"contestants": _contestants_text(consequences.contestants_never_playing, movement)}


def _moved_contestants_text(consequences: ChangeConsequences, movement: Movement) -> str:
    """Return as text the contestants that must change their seats."""
    return _contestants_text(consequences.moved, movement) if consequences.moved else _("nobody")


def _newly_shared_tables_text(consequences: ChangeConsequences) -> str:
    """Return as text the tables that must share boards with each other only because of the change."""
    if not consequences.shares:
        return _("no additional tables")
    together: defaultdict[tuple[int, ...], list[int]] = defaultdict(list)
    for round, tables in consequences.shares:
        together[tables].append(round)
    if len(together) > 3:
        count = len({round for round, _tables in consequences.shares})
        return ngettext("in %(count)s round", "in %(count)s rounds", count) % {"count": count}
    return "; ".join(
        ngettext(
            "tables %(tables)s in round %(rounds)s",
            "tables %(tables)s in rounds %(rounds)s",
            len(rounds),
        )
        % {"tables": ", ".join(map(str, tables)), "rounds": board_text(rounds)}
        for tables, rounds in together.items()
    )


def _repeated_meetings_text(consequences: ChangeConsequences, movement: Movement) -> str:
    """Return as text the opponents that meet a second time because of the change."""
    ranges = []
    repeats = consequences.repeats
    if movement.contest.plays_alone:
        couples = [group for group in repeats if len(group) > 1]
        repeats = tuple(group for group in repeats if len(group) == 1)
        if couples:
            text = ", ".join(
                "+".join(label_of(movement, contestant) for contestant in two) for two in couples
            )
            ranges.append(_("more often than planned: %(couples)s") % {"couples": text})
    for group in repeats[:MOST_NAMED]:
        labels = [_contestants_text([number], movement) for number in group]
        if len(labels) == 1:
            ranges.append(_("%(pair)s has had a board before") % {"pair": labels[0]})
        else:
            ranges.append(
                _("%(pair)s and %(other)s meet again") % {"pair": labels[0], "other": labels[1]}
            )
    return "; ".join(ranges)
