"""Document parts of contests drawn from results: matches of pairs, and how they count."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from bridgebuddy.events.models import Section

from ..rules.draws.knocking_out import first_title
from ..rules.model import Match, Stage
from ..rules.profile import usual_method
from .drawn_rounds import title_teams
from .kinds import KNOCKOUT, SWISS, is_league
from .lines import PlayLine
from .play_snapshot import PlayedSession

#: the default scale of a Swiss or a league, by its method; other methods add their own values
USUAL_SCALES = {
    "team-imps": "wbf-continuous",
    "matchpoints": "swiss-pairs",
    "cross-imps": "wbf-continuous",
    "butler": "wbf-continuous",
}


def matches_of_pairs(played_session: PlayedSession, section: Section) -> Iterator[Match]:
    """Yield the matches of a Swiss of pairs: one for each table and round, and the byes."""
    at: defaultdict[tuple[int, str, str], list[PlayLine]] = defaultdict(list)
    for line in played_session.lines_of_section(section):
        at[line.round, line.ns[0].slug, line.ew[0].slug].append(line)
    for (round, home, away), lines in at.items():
        boards = tuple(sorted({line.board for line in lines}))
        yield Match(0, section.name, round, home, away, boards)
    yield from byes_of_section(played_session, section)


def byes_of_section(played_session: PlayedSession, section: Section) -> Iterator[Match]:
    """Yield a section's byes: present contestants without an opponent in a drawn round."""
    evening = played_session.plans[section.pk].drawn
    for round in range(1, section.rounds + 1):
        for out in evening.sit_outs(round):
            yield Match(0, section.name, round, out.slug, None)


def apply_default_scale(
    sections: Sequence[Section], profile: Mapping[str, object]
) -> Mapping[str, object]:
    """Return the scoring settings with the default victory point scale if a Swiss or a league has none."""
    if "vp" in profile or not sections or not all(map(is_league, sections)):
        return profile
    scale = USUAL_SCALES.get(str(profile.get("method") or usual_method(sections[0].contest)))
    return {**profile, "vp": scale} if scale else profile


def add_carry_over(section: Section, matches: Iterable[Match]) -> Iterable[Match]:
    """Return the matches of a knockout with the carry-over that the draw stored."""
    if section.stored.family != KNOCKOUT:
        return matches
    labels = {
        entry.pk: section.stored.without_seatings.label(entry.contestant)
        for entry in section.entries.exclude(contestant=None)
        if entry.contestant is not None
    }
    brought = {
        (draw.round, labels.get(home), labels.get(away)): carry[0]
        for draw in section.draws.order_by("pk")
        for _table, home, away, *carry in draw.matches
        if carry and carry[0]
    }
    carried = []
    for match in matches:
        there = (match.round, match.home, match.away)
        back = (match.round, match.away, match.home)
        carry = brought.get(there, 0) or -brought.get(back, 0)
        carried.append(replace(match, carry=Fraction(str(carry))) if carry else match)
    return carried


def drawing_stage(played_session: PlayedSession) -> Stage | None:
    """Return the rules by which the session's next round is drawn, for its document; None without draws.

    Several sections are drawn separately; then only the facts that affect a match's value are included.
    """
    families = {section.stored.family for section in played_session.sections}
    if families not in ({SWISS}, {KNOCKOUT}):
        return None
    if played_session.has_several:
        return Stage("knock-out") if families == {KNOCKOUT} else None
    [section], [family] = played_session.sections, families
    options = section.movement_options
    if family == KNOCKOUT:
        return Stage(
            "knock-out",
            section.rounds,
            chart=not options.get("seeded"),
            compact=bool(options.get("compact")),
            through=tuple(_title_by_round(played_session, section)),
        )
    return Stage(
        "swiss",
        section.rounds,
        first=options.get("first", "slide"),
        seed=options.get("seed", 1),
        odd=options.get("odd", "triangle") if section.contest.has_halves else "bye",
        behind=int(bool(options.get("behind"))),
        danish=bool(options.get("danish")),
        stationary=tuple(
            person.slug
            for person in played_session.people_of(section).values()
            if person.must_stay_seated
        ),
    )


def _title_by_round(played_session: PlayedSession, section: Section) -> Iterator[tuple[str, ...]]:
    """Yield for each drawn knockout round the labels of the teams that play for the title."""
    labels = {team.entry: team.slug for team in played_session.people_of(section).values()}
    everybody = first_title(
        section.stored.movement, seeded=bool(section.movement_options.get("seeded"))
    )
    yield tuple(played_session.people_of(section)[number].slug for number in everybody)
    for _round, entries in sorted(title_teams(section).items()):
        yield tuple(labels[entry] for entry in entries if entry in labels)
