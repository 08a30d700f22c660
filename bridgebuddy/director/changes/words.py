"""The words of every kind of proposal: title, description, button, and sentence in the log."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.functional import Promise
from django.utils.text import get_text_list
from django.utils.translation import gettext, ngettext_lazy
from django.utils.translation import gettext_lazy as _

from bridgebuddy.director.sentences import OTHERWISE, Sentence, filled_sentence
from bridgebuddy.events.services.play.changes import DRAWN
from movements.engine.changes import Proposal
from movements.engine.contest import Contest
from movements.words.sentences import shown_label


@dataclass(frozen=True, slots=True, kw_only=True)
class KindWords:
    """The sentences for one kind of proposed change: title, description, button, and log entry.

    `told` describes the finished change, from its stored facts.
    """

    title: Sentence
    description: Sentence
    also: Sentence = ""  # a second sentence of the description
    button: Sentence
    told: Sentence
    says_its_round: bool = False  # whether the title names the round in which the change begins


#: the kinds of mistakes, in words
MISTAKEN: Mapping[str, str | Promise] = {
    "one": _("%(one)s and %(other)s sat in each other’s place in round %(round)s."),
    "other_table": _(
        "Tables %(table)s and %(other_table)s had each other’s boards in round %(round)s."
    ),
    "instead": _("Table %(table)s had boards %(had)s instead of %(instead)s in round %(round)s."),
    "had": _("Table %(table)s had boards %(had)s in round %(round)s."),
    "turned": _("Table %(table)s turned boards %(turned)s by mistake in round %(round)s."),
    "ns_up": _("North-South sat further up than planned in round %(round)s (tables: %(ns_up)s)."),
    "ns_down": _(
        "North-South sat further down than planned in round %(round)s (tables: %(ns_down)s)."
    ),
    "ew_up": _("East-West sat further up than planned in round %(round)s (tables: %(ew_up)s)."),
    "ew_down": _(
        "East-West sat further down than planned in round %(round)s (tables: %(ew_down)s)."
    ),
}
WRITTEN_DOWN: Mapping[str, str | Promise] = {
    **MISTAKEN,
    OTHERWISE: _("Table %(table)s sat the other way round in round %(round)s."),
}
CAME_AS_ROVER = _("%(names)s came and play as rover.")
CAME_WITH_TABLE = _("%(names)s came; there is a table %(table)s now.")
STAYS = _("%(contestant)s stays at a table from now on.")
ENDS_EARLIER = {"ends": _("The session ends after round %(rounds)s.")}
SKIPS = {"skip": _("They skip a table after round %(skip)s.")}
MOVED_SKIP = _("Boards move as planned; those who move skip at another time.")
ROUNDS_PLAYED = ngettext_lazy(
    "%(rounds)s round is played.", "%(rounds)s rounds are played.", "rounds"
)

WORDS_BY_KIND: dict[str, KindWords] = {
    "free-seat": KindWords(
        title={
            "running": _("The free seat, now"),
            OTHERWISE: _("The free seat, from round %(from)s"),
        },
        description={
            "teams": _("The team plays against the team without opponents. Nothing else changes."),
            "players": _("The incomplete table becomes full. Nothing else changes."),
            "shares": _("The half table is full. Tables %(sharing)s share their boards."),
            OTHERWISE: _("The half table is full. Nothing else moves."),
        },
        button={
            "teams": _("Seat the team there"),
            "players": _("Seat the player there"),
            OTHERWISE: _("Seat the pair there"),
        },
        told={
            "back": _("Back, in the free seat: %(names)s."),
            OTHERWISE: _("%(names)s came and took the free seat."),
        },
        says_its_round=True,
    ),
    "rover": KindWords(
        title={"ns": _("Rover, North-South"), OTHERWISE: _("Rover, East-West")},
        description={
            "waits": _(
                "Takes another pair’s seat in %(rounds)s of the %(of)s rounds to come, and waits in the others."
            ),
            "exchange": _(
                "Takes another pair’s seat in every round. Two pairs exchange places in some."
            ),
            OTHERWISE: _("Takes another pair’s seat in every round. Nothing else moves."),
        },
        button=_("Seat the pair as rover"),
        told={"back": _("%(names)s are back and play as rover."), OTHERWISE: CAME_AS_ROVER},
    ),
    "two-way-rover": KindWords(
        title=_("Two-way rover"),
        description=_("North-South for half a round, East-West for the other half."),
        button=_("Seat the pair as rover"),
        told=CAME_AS_ROVER,
    ),
    "party-table": KindWords(
        title=_("Party table %(table)s"),
        description=_("Meets whoever would sit out, at a table of its own."),
        button=_("Seat the pair at the party table"),
        told=_("%(names)s came and play at party table %(table)s."),
    ),
    "new-table": KindWords(
        title=_("Add table %(table)s"),
        description={
            "skip": _("A half table, new boards, and a skip after round %(skip)s."),
            OTHERWISE: _("A half table and new boards. No skip."),
        },
        also=ENDS_EARLIER,
        button=_("Add the table"),
        told=CAME_WITH_TABLE,
    ),
    "drawn-again": KindWords(
        title=_("In the draws to come"),
        description=_("Has an opponent again from the next draw on."),
        button=_("Include it in the draw again"),
        told=_("%(names)s are back, in the draws to come."),
    ),
    "drawn-later": KindWords(
        title=_("In the draws to come"),
        description=_("Has an opponent from the next draw on, that of round %(first)s."),
        button=_("Enter it for the draws to come"),
        told=_("%(names)s came, and are in the draws to come."),
    ),
    "appendix-table": KindWords(
        title=_("Appendix table %(table)s"),
        description={
            "shares": _("A half table that shares the boards of table %(shares)s. No new boards."),
            OTHERWISE: _("A half table and no new boards. The session begins as another movement."),
        },
        also=SKIPS,
        button=_("Add the table"),
        told=CAME_WITH_TABLE,
    ),
    "waiting-place": KindWords(
        title=_("A place to wait after table %(after)s"),
        description=_("Those who move wait there for a round. No rover, no new boards."),
        also=SKIPS,
        button=_("Add the place"),
        told=_("%(names)s came; those who move wait after table %(after)s for a round."),
    ),
    "half-table": KindWords(
        title={
            "teams": _("Its matches are not played"),
            "players": _("Its tables are not played"),
            OTHERWISE: _("A half table"),
        },
        description={
            "teams": _("Its opponents have no match in that round. Nothing else changes."),
            "players": _("The other players at the table sit out. Nothing else changes."),
            OTHERWISE: _("Its opponents sit out. Nothing else changes."),
        },
        button={
            "teams": _("Remove the team"),
            "players": _("Remove the player"),
            OTHERWISE: _("Remove the pair"),
        },
        told={
            "teams": _("%(names)s left; their matches to come are not played."),
            "players": _("%(names)s left; the others at their table sit out."),
            OTHERWISE: _("%(names)s left; their table is half empty."),
        },
    ),
    "fewer-tables": KindWords(
        title=_("%(table)s tables"),
        description=_("One table fewer, and nobody sits out."),
        also=ENDS_EARLIER,
        button=_("Remove the pair"),
        told=_("%(names)s left; there are %(table)s tables now."),
    ),
    "places-taken": KindWords(
        title=_("Others take the empty places"),
        description=_("Players who would sit out play instead."),
        button=_("Remove the pair"),
        told=_("%(names)s left; others take their places."),
    ),
    "places-exchanged": KindWords(
        title=_("Exchange with a pair that stays"),
        description=_("Two pairs exchange their plans from now on."),
        button=_("Let the pair stay"),
        told=STAYS,
    ),
    "table-kept": KindWords(
        title=_("Keep table %(table)s"),
        description={
            "turned": _("Opponents and boards come to the pair, which keeps its direction too."),
            OTHERWISE: _("Opponents and boards come to the pair; others move a little more."),
        },
        button=_("Let the pair stay"),
        told=STAYS,
    ),
    "skip": KindWords(
        title=_("Skip after round %(after)s"),
        description=MOVED_SKIP,
        button=_("Change the skip"),
        told=_("The skip is after round %(after)s."),
        says_its_round=True,
    ),
    "no-skip": KindWords(
        title=_("No skip"),
        description=MOVED_SKIP,
        button=_("Change the skip"),
        told=_("There is no skip any more."),
    ),
    "shorter": KindWords(
        title=_("End after round %(rounds)s"),
        description=_("The rounds after that are not played."),
        button=_("Change the number of rounds"),
        told=ROUNDS_PLAYED,
        says_its_round=True,
    ),
    "longer": KindWords(
        title=_("Play %(rounds)s rounds"),
        description=_("The session goes on as it has begun."),
        button=_("Change the number of rounds"),
        told=ROUNDS_PLAYED,
        says_its_round=True,
    ),
    "fewer-boards": KindWords(
        title=ngettext_lazy("%(boards)s board a round", "%(boards)s boards a round", "boards"),
        description=_("From round %(from)s on, the last boards of every set are not played."),
        button=_("Play fewer boards"),
        told=ngettext_lazy(
            "%(boards)s board a round is played from now on.",
            "%(boards)s boards a round are played from now on.",
            "boards",
        ),
    ),
    "arrow-switch": KindWords(
        title={
            "table": _("Arrow-switch table %(table)s in round %(round)s"),
            OTHERWISE: _("Arrow-switch round %(round)s"),
        },
        description=_("North-South and East-West change seats; the boards are the same."),
        button=_("Make the arrow-switch"),
        told=_("Round %(round)s is arrow-switched."),
        says_its_round=True,
    ),
    "as-played": KindWords(
        title=_("Record the mistake; everything else stays as planned"),
        description={
            "players": _("Everybody plays where they were to play."),
            OTHERWISE: _("The rounds to come break no rule."),
        },
        button=_("Record the mistake"),
        told=WRITTEN_DOWN,
        says_its_round=True,
    ),
    "as-planned": KindWords(
        title=_("Record the mistake; keep the plan in spite of repeats"),
        description={
            "players": _("Some players play a board a second time. No repair was found."),
            OTHERWISE: _("A board or opponents are repeated. No repair was found."),
        },
        button=_("Record the mistake"),
        told=WRITTEN_DOWN,
        says_its_round=True,
    ),
    "repaired": KindWords(
        title={
            "exchange": _("Record the mistake; both continue in the exchanged places"),
            "goes": _("Record the mistake; the line continues from its present tables"),
            "empty": _("Record the mistake; the session continues as planned"),
            OTHERWISE: _("Record the mistake and repair the rounds to come"),
        },
        description={
            "players": _(
                "In the plan, some players would play a board twice. This board is left out."
            ),
            "goes": _(
                "Boards move as planned. Tables with a repeated board or meeting stay empty."
            ),
            "exchange": _("Tables with a repeated board or meeting stay empty."),
            "empty": _("Tables with a repeated board or meeting stay empty."),
            OTHERWISE: _(
                "In the plan, a board or opponents would be repeated. The new plan avoids this."
            ),
        },
        button=_("Record the mistake"),
        told=WRITTEN_DOWN,
        says_its_round=True,
    ),
    "rebuilt": KindWords(
        title=_("New plan for all rounds from %(from)s on"),
        description={
            "proven": _("Everybody gets a new plan. As many tables as possible play."),
            OTHERWISE: _(
                "Everybody gets a new plan. Tables that play in the rounds to come: %(played)s of at most %(most)s."
            ),
        },
        button=_("Use this plan"),
        told={
            "back": _("%(names)s are back; all rounds to come were planned again."),
            **MISTAKEN,
            "left": _("%(left)s left, and %(names)s came; all rounds to come were planned again."),
            "leaves": _("%(names)s left; all rounds to come were planned again."),
            "names": _("%(names)s came; all rounds to come were planned again."),
            OTHERWISE: _("All rounds to come were planned again."),
        },
        says_its_round=True,
    ),
}
#: the sentences for changes that were undone or redone
TURNED_BACK = {"undo": _("Undone: %(what)s"), "redo": _("Redone: %(what)s")}


def sentence_values_of_proposal(proposal: Proposal) -> dict[str, Any]:
    """Return the values to fill into the sentences about a proposal.

    These are the facts of its kind, `teams` or single `players`, and the first round (`from`).
    `waits`: a contestant waits in some coming rounds. `sharing`: tables that share boards only because
    of the proposal. `ends`: the session ends after another round than before.
    """
    facts = proposal.facts
    return {
        **facts,
        **contestant_kind_facts(proposal.movement.contest),
        "from": proposal.from_round,
        "waits": int(facts.get("rounds", 0) < facts.get("of", 0)),
        **_newly_sharing_tables(proposal),
        "ends": int(proposal.movement.rounds != proposal.before.rounds),
    }


def _newly_sharing_tables(proposal: Proposal) -> dict[str, Any]:
    """Return the tables that share boards with each other only because of a proposal, for `sentence_values_of_proposal`.

    `shares` selects the sentence that names them. A fact of that name, a table's number, stays as it is.
    """
    groups = dict.fromkeys(tables for _round, tables in proposal.consequences.shares)
    if "shares" in proposal.facts or not groups:
        return {}
    texts = [get_text_list([str(table) for table in tables], gettext("and")) for tables in groups]
    return {"shares": 1, "sharing": ", ".join(texts)}


def contestant_kind_facts(contest: Contest) -> dict[str, int]:
    """Return flags for whether the contestants are teams or single players, which select a sentence's wording."""
    return {"teams": int(contest.has_halves), "players": int(contest.plays_alone)}


def proposal_title(proposal: Proposal) -> str:
    """Return the title of a proposed change."""
    return filled_sentence(
        WORDS_BY_KIND[proposal.kind].title, sentence_values_of_proposal(proposal)
    )


def proposal_description(proposal: Proposal) -> str:
    """Return the description of a proposed change in a sentence or two."""
    words, facts = WORDS_BY_KIND[proposal.kind], sentence_values_of_proposal(proposal)
    return (
        f"{filled_sentence(words.description, facts)} {filled_sentence(words.also, facts)}".strip()
    )


def proposal_button(proposal: Proposal) -> str:
    """Return the label of the button that makes a proposed change."""
    return filled_sentence(
        WORDS_BY_KIND[proposal.kind].button, sentence_values_of_proposal(proposal)
    )


def change_sentence(kind: str, facts: Mapping[str, Any], contest: Contest = Contest.PAIRS) -> str:
    """Return the sentence of the log about a live change, from its stored facts."""
    if kind in TURNED_BACK:
        return filled_sentence(
            TURNED_BACK[kind], {"what": change_sentence(facts["kind"], facts, contest)}
        )
    if kind == DRAWN:
        return str(_("Round %(round)s was drawn.")) % facts
    if kind not in WORDS_BY_KIND:
        return str(_("The movement was changed."))
    labels = (name for name in ("contestant", "one", "other") if isinstance(facts.get(name), str))
    labels_shown = {name: shown_label(facts[name]) for name in labels}
    return filled_sentence(
        WORDS_BY_KIND[kind].told, {**facts, **contestant_kind_facts(contest), **labels_shown}
    )
