"""Names in stored texts: audit records, the history of movements, reasons and team names.

They hold people's names as words, so a corrected, merged or deleted name must be changed there too.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any

from django.db.models import Model, Q, QuerySet

from bridgebuddy.audit.models import AuditRecord
from bridgebuddy.clubs.models import Club, searchable
from bridgebuddy.clubs.people.names import parts_that_identify, whole_word_pattern

from ..models import Entry, EntryPerson, PastLine, Section, SectionMovement, Session

AND = " & "
#: recorded actions that rename people
RENAMING = ("club.person", "club.merge", "section.rename", "section.substitute_corrected")
#: querysets of directors' own words behind a change, by section; scoring adds its own
REASONS: list[Callable[[QuerySet[Section]], QuerySet[Any]]] = [
    lambda sections: SectionMovement.objects.filter(section__in=sections),
    lambda sections: AuditRecord.objects.filter(
        subject="section", subject_id__in=sections.values("pk")
    ),
]

#: reasons about people instead of sections, by club; seasons adds its own
CLUB_REASONS: list[Callable[[Club], QuerySet[Any]]] = []
#: further deletions with a name; called with the club, every spelling of the name, and the sections of its owner
FORGETTING: list[Callable[[Club, Iterable[str], QuerySet[Section]], None]] = []


def replace_names_on_record(club: Club, new_names: Mapping[str, str]) -> None:
    """Replace names in all audit records and texts of a club; `new_names` maps old names to new ones."""
    renaming = _NameReplacement(new_names)
    for rows in (_records_of(club), SectionMovement.objects.filter(section__in=_sections_of(club))):
        for row in rows.iterator():
            _save_if_changed(
                row,
                facts=renaming.replaced_value(row.facts),
                reason=renaming.replaced_text(row.reason),
            )


def replace_name_words(
    club: Club, people: Mapping[int, tuple[str, ...]], instead: Mapping[int, str]
) -> None:
    """Replace words of people's names by `instead` in directors' texts about sections, and in team names.

    `people` has each person's names by key. `instead` gives the replacement.
    """
    for key, names in people.items():
        parts = {part for name in names for part in parts_that_identify(name)}
        renamed = partial(whole_word_pattern(parts).sub, lambda _found, now=instead[key]: now)
        played = EntryPerson.objects.filter(Q(person=key) | Q(plays_for=key))
        sections = Section.objects.filter(pk__in=played.values("section"))
        for rows in REASONS:
            for row in rows(sections).exclude(reason="").iterator():
                _save_if_changed(row, reason=renamed(row.reason))
        teams = Entry.objects.filter(pk__in=played.values("entry")).exclude(name="")
        for team in teams:
            _save_if_changed(team, name=renamed(team.name))
        past = PastLine.objects.filter(past_players__person=key).exclude(team="")
        for line in past:
            _save_if_changed(line, team=renamed(line.team))
        for record in _records_of(club).filter(
            subject="section", subject_id__in=sections.values("pk")
        ):
            if isinstance(team_name := record.facts.get("team"), str):
                _save_if_changed(record, facts={**record.facts, "team": renamed(team_name)})
        for rows_of in CLUB_REASONS:
            for row in rows_of(club).exclude(reason="").iterator():
                _save_if_changed(row, reason=renamed(row.reason))
        for forget in FORGETTING:
            forget(club, names, sections)


def recorded_spellings(club: Club, names: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """Return for each name all names under which the person is on record: misspelt and merged ones."""
    before: defaultdict[str, set[str]] = defaultdict(set)
    others = {search: name for name, search in club.people.values_list("name", "search")}
    for record in _records_of(club).filter(action__in=RENAMING):
        for old, new in _renamed_pairs(record.facts):
            if searchable(old) not in others:  # another person by now
                before[new].add(old)
    return {name: _all_former_names(name, before) for name in names}


def _all_former_names(name: str, former_names: Mapping[str, set[str]]) -> tuple[str, ...]:
    """Return a name and all earlier names that lead to it."""
    names, waiting = [name], [name]
    while waiting:
        for old in sorted(former_names.get(waiting.pop(), ())):
            if old not in names:
                names.append(old)
                waiting.append(old)
    return tuple(names)


def _renamed_pairs(facts: Mapping[str, Any]) -> Iterable[tuple[str, str]]:
    """Yield the old and the new name of each person whom an audit record renames."""
    old = facts.get("before") or facts.get("gone")
    new = facts.get("after") or facts.get("name") or facts.get("substitute")
    if isinstance(old, str) and isinstance(new, str):
        pairs = list(zip(old.split(AND), new.split(AND), strict=False))
        yield from (pair for pair in pairs if pair[0] != pair[1])


def _sections_of(club: Club) -> QuerySet[Section]:
    """Return the sections of all sessions of a club."""
    return Section.objects.filter(session__event__club=club)


def _records_of(club: Club) -> QuerySet[AuditRecord]:
    """Return the audit records of a club, of its sessions and of its sections."""
    sessions = Session.objects.filter(event__club=club)
    return AuditRecord.objects.filter(
        Q(subject="club", subject_id=club.pk)
        | Q(subject="section", subject_id__in=_sections_of(club).values("pk"))
        | Q(subject="session", subject_id__in=sessions.values("pk"))
    )


def _save_if_changed(row: Model, **columns: object) -> None:
    """Store these columns of a row if they differ; a text that is too long for its column is cut."""
    if changed := {name: value for name, value in columns.items() if getattr(row, name) != value}:
        for name, value in changed.items():
            if isinstance(value, str):
                changed[name] = value[: getattr(row._meta.get_field(name), "max_length", None)]
        type(row)._base_manager.filter(pk=row.pk).update(**changed)


class _NameReplacement:
    """Replaces names by others in texts, where they occur as whole words."""

    def __init__(self, new_names: Mapping[str, str]) -> None:
        self._now = {name.casefold(): other for name, other in new_names.items()}
        longest_first = sorted(new_names, key=len, reverse=True)
        alternatives = "|".join(re.escape(name) for name in longest_first)
        self._names = re.compile(rf"(?<!\w)(?:{alternatives})(?!\w)", re.IGNORECASE)

    def replaced_text(self, text: str) -> str:
        """Return a text with the old names replaced by the new ones."""
        return self._names.sub(lambda found: self._now.get(found[0].casefold(), found[0]), text)

    def replaced_value(self, value: Any) -> Any:
        """Return a JSON value with names replaced in all its texts."""
        if isinstance(value, str):
            return self.replaced_text(value)
        if isinstance(value, list):
            return [self.replaced_value(part) for part in value]
        if isinstance(value, dict):
            return {key: self.replaced_value(part) for key, part in value.items()}
        return value
