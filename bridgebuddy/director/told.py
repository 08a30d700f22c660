"""What happened in a section, in sentences."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from bridgebuddy.audit.models import Record
from bridgebuddy.events.models import SeatingMethod, Section
from bridgebuddy.events.queries.evening import board_text
from movements.switches.choices import LEVELS
from movements.words.sentences import counted, family_title, shown_label

LOG_LENGTH = 8
#: so many of the things that happened meanwhile are told to who was slower
MOST_TOLD = 3


@dataclass(frozen=True)
class Told:
    """Something that happened, in sentences."""

    at: datetime
    sentence: str
    by: str
    reason: str
    part: str  # how much somebody has played that came late or left


def log_of(section: Section) -> list[Told]:
    """Return what happened last in a section, newest first."""
    records = Record.objects.filter(subject="section", subject_id=section.pk)
    return [_told_record(record, section) for record in records.select_related("by")[:LOG_LENGTH]]


def _told_record(record: Record, section: Section) -> Told:
    return Told(
        record.at,
        _told(record, section.contest),
        str(record.by) if record.by else "",
        record.reason,
        told_part(record.facts),
    )


def last_told(section: Section, since: int) -> str:
    """Tell what was decided since a plan of a section, the last thing first, and by whom."""
    records = Record.objects.filter(subject="section", subject_id=section.pk)
    decided = records.filter(facts__plan__gt=since).select_related("by")[:MOST_TOLD]
    return " ".join(
        f"{told.sentence} ({told.by})" if told.by else told.sentence
        for told in (_told_record(record, section) for record in decided)
    )


def told_change(kind: str, facts: Mapping[str, Any]) -> str:
    """Tell a live change in a sentence, from what was written down about it."""
    match kind:
        case "free-seat" if facts.get("back"):
            return _("%(names)s are back and have taken the free seat.") % facts
        case "rover" if facts.get("back"):
            return _("%(names)s are back and play as rover.") % facts
        case "drawn-again":
            return _("%(names)s are back, in the draws to come.") % facts
        case "rebuilt" if facts.get("back"):
            return _("%(names)s are back; all rounds to come were made anew.") % facts
        case "free-seat":
            return _("%(names)s came and took the free seat.") % facts
        case "rover" | "two-way-rover":
            return _("%(names)s came and play as rover.") % facts
        case "party-table":
            return _("%(names)s came and play at party table %(table)s.") % facts
        case "new-table" | "appendix-table":
            return _("%(names)s came; there is a table %(table)s now.") % facts
        case "waiting-place":
            return (
                _("%(names)s came; those who move wait after table %(after)s for a round.") % facts
            )
        case "half-table":
            return _("%(names)s left; their table is half empty.") % facts
        case "fewer-tables":
            return _("%(names)s left; there are %(table)s tables now.") % facts
        case "places-exchanged" | "table-kept":
            return _("%(contestant)s stays at a table from now on.") % {
                **facts,
                "contestant": shown_label(facts["contestant"]),
            }
        case "places-taken":
            return _("%(names)s left; others take their places.") % facts
        case "skip":
            return _("The skip is after round %(after)s.") % facts
        case "no-skip":
            return _("There is no skip any more.")
        case "shorter" | "longer":
            return (
                ngettext(
                    "%(rounds)s round is played.", "%(rounds)s rounds are played.", facts["rounds"]
                )
                % facts
            )
        case "fewer-boards":
            return (
                ngettext(
                    "%(boards)s board a round is played from now on.",
                    "%(boards)s boards a round are played from now on.",
                    facts["boards"],
                )
                % facts
            )
        case "arrow-switch":
            return _("Round %(round)s is turned.") % facts
        case "as-played" | "repaired" | "rebuilt" if "one" in facts:
            who = {name: shown_label(facts[name]) for name in ("one", "other")}
            return _("%(one)s and %(other)s sat in each other’s place in round %(round)s.") % {
                **facts,
                **who,
            }
        case "as-played" | "repaired" | "rebuilt" if "other_table" in facts:
            return (
                _(
                    "Tables %(table)s and %(other_table)s had each other’s boards in round %(round)s."
                )
                % facts
            )
        case "as-played" | "repaired":
            return _("Table %(table)s sat the other way round in round %(round)s.") % facts
        case "rebuilt" if facts.get("left"):
            return (
                _("%(left)s left, and %(names)s came; all rounds to come were made anew.") % facts
            )
        case "rebuilt" if facts.get("leaves"):
            return _("%(names)s left; all rounds to come were made anew.") % facts
        case "rebuilt" if facts.get("names"):
            return _("%(names)s came; all rounds to come were made anew.") % facts
        case "rebuilt":
            return _("All rounds to come were made anew.")
        case "undo":
            return _("Taken back: %(what)s") % {"what": told_change(facts["kind"], facts)}
        case "redo":
            return _("Done again: %(what)s") % {"what": told_change(facts["kind"], facts)}
    return _("The movement was changed.")


def told_part(facts: Mapping[str, Any]) -> str:
    """Tell how much somebody played that came late or left; empty where all or nothing is said."""
    if "boards_planned" in facts:
        if 2 * facts["boards_played"] < facts["boards_planned"]:
            return (
                _("%(boards_played)s of %(boards_planned)s boards played: less than half.") % facts
            )
        return _("%(boards_played)s of %(boards_planned)s boards played: half or more.") % facts
    if facts.get("not_played"):
        boards = board_text(facts["not_played"])
        return _("Not played, through nobody’s fault: %(boards)s.") % {"boards": boards}
    return ""


def _told(record: Record, contest: str) -> str:
    """Tell a record in a sentence."""
    facts = record.facts
    if record.action == "section.live_change":
        return told_change(facts["change"], facts)
    match record.action:
        case "section.next_round":
            return _("Round %(round)s.") % facts
        case "section.back":
            return _("Back to round %(round)s.") % facts
        case "section.finish":
            return _("The session ended after round %(round)s.") % facts
        case "section.pause":
            return _("The clock was paused.")
        case "section.resume":
            return _("The clock runs on.")
        case "section.minute":
            return _("One minute more.")
        case "section.break" if facts["after"]:
            return _("A break of %(minutes)s minutes after round %(after)s.") % facts
        case "section.break":
            return _("No break.")
        case "section.enter":
            count = len(facts["pairs"])
            return _("%(entries)s entered.") % {"entries": counted(contest, count)}
        case "section.rename":
            return _("%(before)s is now %(after)s.") % facts
        case "section.substitute" if facts["until_round"]:
            return (
                _("%(substitute)s plays for %(out)s in rounds %(from_round)s to %(until_round)s.")
                % facts
            )
        case "section.substitute":
            return _("%(substitute)s plays for %(out)s from round %(from_round)s on.") % facts
        case "section.withdraw":
            return _("%(names)s withdrew.") % facts
        case "section.movement":
            return _("%(movement)s, %(rounds)s rounds.") % {
                "movement": family_title(facts["family"]),
                "rounds": facts["rounds"],
            }
        case "section.switch":
            if facts["level"] == "none":
                return _("No arrow-switch.")
            return _("Arrow-switch: %(way)s.") % {"way": LEVELS[facts["level"]]}
        case "section.seat":
            if facts.get("seed"):
                return _("Seats drawn at random, seed %(seed)s.") % facts
            if facts.get("method") == SeatingMethod.EVEN:
                return _("Seats by strength.")
            return _("Seats in order of entry.")
        case "section.strengths":
            return ngettext(
                "The strength of %(count)s player was noted.",
                "The strengths of %(count)s players were noted.",
                facts["people"],
            ) % {"count": facts["people"]}
        case "section.swap":
            return _("Two pairs exchanged their seats.")
        case "section.open":
            return _("The session was opened.")
    return _("The session was changed.")
