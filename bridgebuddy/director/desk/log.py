"""The log of a section, in sentences."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy

from bridgebuddy.audit.models import AuditRecord
from bridgebuddy.director.sentences import OTHERWISE, Sentence, filled_sentence
from bridgebuddy.events.models import SeatingMethod, Section
from bridgebuddy.events.queries.plan.games import board_text
from bridgebuddy.scoring.words import METHODS, penalty_text
from bridgebuddy.web.template_tags import short_date
from movements.engine.contest import Contest
from movements.switches.choices import LEVELS
from movements.words.sentences import contestant_count_text, family_title

from ..changes.words import change_sentence

LOG_LENGTH = 8
#: the most events listed for a director with an outdated page
MOST_TOLD = 3

#: the sentence of each recorded action; live changes are in `changes.words`
SENTENCES: dict[str, Sentence] = {
    "section.open": _("The session was opened."),
    "section.change": _("The session was changed."),
    "section.renew_code": _("Phones need a new code from now on."),
    "section.copy": _("The session was made from that of %(of)s."),
    "section.rehearse": _("The rehearsal begins."),
    "section.delete": _("The session was deleted."),
    "section.bring_back": _("The session was brought back."),
    "section.enter": _("%(entries)s entered."),
    "section.beforehand": {
        "on": _("Players can now register in advance."),
        OTHERWISE: _("Players can no longer register in advance."),
    },
    "section.said_for": _("Registered by the director: %(names)s."),
    "section.not_this_time": _("Registration cancelled: %(names)s."),
    "section.late": {
        "minutes": _("Here in %(minutes)s minutes: %(names)s."),
        OTHERWISE: _("Not late any more: %(names)s."),
    },
    "section.is_here": _("Here now: %(names)s."),
    "section.not_here": _("Arrival cancelled: %(names)s."),
    "section.rename": {
        "stays": _("%(before)s is now %(after)s, and must stay seated."),
        "may_move": _("%(before)s is now %(after)s, and need not stay seated any more."),
        OTHERWISE: _("%(before)s is now %(after)s."),
    },
    "section.stay": {
        "stays": _("%(names)s must stay seated."),
        OTHERWISE: _("%(names)s need not stay seated any more."),
    },
    "section.substitute": {
        "one_round": _("%(substitute)s plays for %(out)s in round %(from_round)s."),
        "until_round": _(
            "%(substitute)s plays for %(out)s in rounds %(from_round)s to %(until_round)s."
        ),
        OTHERWISE: _("%(substitute)s plays for %(out)s from round %(from_round)s on."),
    },
    "section.substitute_corrected": {
        "one_round": _("Corrected: %(substitute)s plays for %(out)s in round %(from_round)s."),
        "until_round": _(
            "Corrected: %(substitute)s plays for %(out)s in rounds %(from_round)s to %(until_round)s."
        ),
        OTHERWISE: _("Corrected: %(substitute)s plays for %(out)s from round %(from_round)s on."),
    },
    "section.substitute_back": {
        "one_round": _("%(out)s plays round %(from_round)s again, not %(substitute)s."),
        "until_round": _(
            "%(out)s plays rounds %(from_round)s to %(until_round)s again, not %(substitute)s."
        ),
        OTHERWISE: _("%(out)s plays again from round %(from_round)s on, not %(substitute)s."),
    },
    "section.withdraw": _("%(names)s withdrew."),
    "section.strengths": ngettext_lazy(
        "The strength of %(count)s player was noted.",
        "The strengths of %(count)s players were noted.",
        "count",
    ),
    "section.movement": _("%(movement)s, %(rounds)s rounds."),
    "section.switch": {"way": _("Arrow-switch: %(way)s."), OTHERWISE: _("No arrow-switch.")},
    "section.seat": {
        "seed": _("Seats drawn at random, seed %(seed)s."),
        "by_strength": _("Seats by strength."),
        "in_turn": _("Seats evenly over the weeks."),
        OTHERWISE: _("Seats in order of entry."),
    },
    "section.cross": {
        "crossed": _("Team %(team)s sits the other way in round %(round)s."),
        OTHERWISE: _("Team %(team)s sits as usual in round %(round)s."),
    },
    "section.line_up_back": _("Team %(team)s: the last line-up was taken back."),
    "section.line_up": {
        "first_half": _("Team %(team)s, round %(from_round)s until half-time: %(names)s."),
        "second_half": _("Team %(team)s, round %(from_round)s from half-time on: %(names)s."),
        "first_halves": _(
            "Team %(team)s, rounds %(from_round)s to %(last_round)s until half-time: %(names)s."
        ),
        "second_halves": _(
            "Team %(team)s, rounds %(from_round)s to %(last_round)s from half-time on: %(names)s."
        ),
        "one_round": _("Team %(team)s, round %(from_round)s: %(names)s."),
        "until_round": _("Team %(team)s, rounds %(from_round)s to %(until_round)s: %(names)s."),
        OTHERWISE: _("Team %(team)s from round %(from_round)s on: %(names)s."),
    },
    "section.name_team": _("%(names)s: the team is called %(team)s."),
    "section.swap": _("Two pairs exchanged their seats."),
    "section.free_seat": _("%(seat)s is taken now, and %(left)s is free."),
    "section.next_round": _("Round %(round)s."),
    "section.draw": _("Round %(round)s was drawn."),
    "section.back": _("Back to round %(round)s."),
    "section.finish": _("The session ended after round %(round)s."),
    "section.pause": _("The clock was paused."),
    "section.resume": _("The clock runs on."),
    "section.minute": _("One minute more."),
    "section.clocks": {
        "common": _("One clock for all sections."),
        OTHERWISE: _("A clock for each section."),
    },
    "section.boards": _("The boards begin with %(first)s now."),
    "section.match_boards": {
        "is_duplicated": _("Boards from %(first)s on, all tables with the same deals."),
        OTHERWISE: _("Boards from %(first)s on, shuffled at the table."),
    },
    "section.divide": ngettext_lazy(
        "Everybody plays in one section.",
        "The list was divided into %(sections)s sections.",
        "sections",
    ),
    "section.break": {
        "after": _("A break of %(minutes)s minutes after round %(after)s."),
        OTHERWISE: _("No break."),
    },
    "results.ruling": _("A ruling on board %(board)s, table %(table)s, round %(round)s."),
    "results.undo": _(
        "The ruling on board %(board)s, table %(table)s, round %(round)s was taken back."
    ),
    "results.penalty": _("%(names)s: %(much)s."),
    "results.penalty_back": _("%(names)s: %(much)s taken back."),
    "results.match": _(
        "%(team)s against %(other)s, round %(round)s: the director has ruled on the match."
    ),
    "section.extra_boards": ngettext_lazy(
        "%(team)s against %(other)s is level in round %(round)s: %(boards)s extra board.",
        "%(team)s against %(other)s is level in round %(round)s: %(boards)s extra boards.",
        "boards",
    ),
    "section.extra_boards_back": _(
        "%(team)s against %(other)s, round %(round)s: the extra boards were taken back."
    ),
    "results.match_back": _(
        "%(team)s against %(other)s, round %(round)s: the ruling was taken back."
    ),
    "results.fouled": _("Board %(board)s had other cards at some tables: two groups."),
    "results.fouled_back": _("Board %(board)s is scored in one group again."),
    "results.profile": {
        "scored_by": _("Scored by %(scored_by)s."),
        OTHERWISE: _("The scoring was changed."),
    },
    "results.classes": _("Strata, handicap or categories were changed."),
    "results.deals": _("Deals of %(boards)s boards were saved."),
    "results.dealing": _("%(boards)s boards are dealt here."),
    "results.dealing_word": _("Added word for the deals: “%(word)s”."),
    "results.typed_cards": _("A table typed the cards of board %(board)s."),
    "results.deals_back": _("The cards were deleted."),
    "results.terminals": ngettext_lazy(
        "%(results)s result was taken from the terminals.",
        "%(results)s results were taken from the terminals.",
        "results",
    ),
    "results.terminals_back": ngettext_lazy(
        "%(results)s result of the terminals was taken back.",
        "%(results)s results of the terminals were taken back.",
        "results",
    ),
    "results.final": _("The results are final."),
    "results.corrections": _("The correction period of the final list was changed."),
    "results.open_again": _("The results are open again."),
    "results.publish": _("The results were published."),
    "results.unpublish": _("The results are no longer published."),
    "results.hand_in": _("Saved the facts for the federation."),
    "tables.plays": _("The director plays."),
    "tables.plays_not": _("The director does not play."),
    "tables.early": _("The director has looked at board %(board)s before playing it."),
    "tables.phones": _("The settings for results from phones were changed."),
    "tables.phone": _("A phone at table %(table)s is another pair’s now."),
    "tables.phone_not": _(
        "A phone at table %(table)s asked to switch to another pair; this was refused."
    ),
    "tables.secrets": _("All tables have other codes for phones."),
}
#: the sentence of an action that an older version recorded
UNKNOWN = SENTENCES["section.change"]


@dataclass(frozen=True)
class LogEntry:
    """An event of the session's log as sentences."""

    at: datetime
    sentence: str
    by: str
    reason: str
    part: str  # the share that a late or leaving contestant played


def latest_events(section: Section) -> list[LogEntry]:
    """Return the latest events of a section's log, newest first."""
    return [_log_entry(record, section) for record in _section_records(section)[:LOG_LENGTH]]


def decisions_since(section: Section, since: int) -> str:
    """Return sentences on the live changes after number `since` of the movement's changes, latest first."""
    decided = _section_records(section).filter(facts__plan__gt=since)[:MOST_TOLD]
    lines = [_log_entry(record, section) for record in decided]
    return " ".join(f"{line.sentence} ({line.by})" if line.by else line.sentence for line in lines)


def _section_records(section: Section) -> QuerySet[AuditRecord]:
    """Return the audit records about a section, newest first."""
    return AuditRecord.objects.filter(subject="section", subject_id=section.pk).select_related("by")


def _log_entry(record: AuditRecord, section: Section) -> LogEntry:
    """Convert an audit record to an entry of the session's log: a sentence with its author and time."""
    return LogEntry(
        record.at,
        _record_text(record, section.contest),
        str(record.by) if record.by else "",
        record.reason,
        part_played_sentence(record.facts),
    )


def part_played_sentence(facts: Mapping[str, Any]) -> str:
    """Return a sentence on the share of boards that a late or leaving contestant has played.

    Empty if the facts do not name such a share.
    """
    if facts.get("boards_planned"):
        if 2 * facts["boards_played"] < facts["boards_planned"]:
            return (
                _("%(boards_played)s of %(boards_planned)s boards played: less than half.") % facts
            )
        return _("%(boards_played)s of %(boards_planned)s boards played: half or more.") % facts
    if facts.get("not_played"):
        boards = board_text(facts["not_played"])
        return _("There was no time left for boards: %(boards)s.") % {"boards": boards}
    return ""


def _record_text(record: AuditRecord, contest: Contest) -> str:
    """Return an audit record as a sentence."""
    facts = record.facts
    if record.action == "section.live_change":
        return change_sentence(facts["change"], facts, contest)
    return filled_sentence(
        SENTENCES.get(record.action, UNKNOWN), {**facts, **_facts_in_words(facts, contest)}
    )


def _facts_in_words(facts: Mapping[str, Any], contest: Contest) -> dict[str, Any]:
    """Return the facts of an audit record as texts to fill into its sentence."""
    method = facts.get("method")
    values: dict[str, Any] = {
        "by_strength": method == SeatingMethod.EVEN,
        "in_turn": method == SeatingMethod.TURNS,
    }
    values["one_round"] = facts.get("from_round") and facts["from_round"] == facts.get(
        "until_round"
    )
    if "pairs" in facts:
        values["entries"] = contestant_count_text(contest, len(facts["pairs"]))
    if "people" in facts:
        values["count"] = facts["people"]
    if "family" in facts:
        values["movement"] = family_title(facts["family"])
    if "of" in facts:
        values["of"] = short_date(date.fromisoformat(facts["of"]))
    if "unit" in facts:
        values["much"] = penalty_text(facts["unit"], facts["amount"])
    if facts.get("method") in METHODS:
        values["scored_by"] = METHODS[facts["method"]]
    if facts.get("level", "none") != "none":
        values["way"] = LEVELS[facts["level"]]
    return values
