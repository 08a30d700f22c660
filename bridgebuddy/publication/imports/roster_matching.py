"""The people of the roster for the names of an import; missing people are created."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Any

from bridgebuddy.clubs.models import MOST_STRENGTH, Club, Person, User, searchable
from bridgebuddy.clubs.people.public_names import PublicName, stricter_wish
from bridgebuddy.events.models import Import
from bridgebuddy.events.names import problem_of_name
from bridgebuddy.events.numbers_list import WRITTEN
from bridgebuddy.events.services.lifecycle.forgetting import create_anonymous_person
from bridgebuddy.events.services.roster import set_public_name
from bridgebuddy.scoring.rules.past import model as past
from bridgebuddy.scoring.rules.past.archive import USUAL

from .name_matching import NameMatch, NameMatching, number_or_nothing


class RosterMatcher:
    """Finds the person of the roster for each imported name, and creates people who are missing."""

    def __init__(
        self,
        brought: Import,
        matching: NameMatching,
        said: Mapping[tuple[str, str], Person | None],
        by: User | None,
    ) -> None:
        self.club, self.matching, self.said = brought.club, matching, said
        self.by = by
        self.brought: list[int] = []
        #: the names that are stored as they are written
        self.whole: Collection[tuple[str, str]] = ()
        self._asked: set[int] = set()
        self._new: dict[str, Person] = {}

    def person(self, key: tuple[str, str]) -> Person | None:
        """Return the person for an imported name and number, created if needed."""
        whom = self.matching.matches_by_key.get(key)
        if whom is None:
            return None
        if key in self.whole and whom.has_lost_words and not problem_of_name(whom.written):
            same = self.club.known_people.filter(search=searchable(whom.written)).first()
            return same or self._create_person_for_name(replace(whom, name=whom.written))
        person = self.said.get(key, whom.person)
        if person is not None and person not in self.matching.roster:  # merged or deleted meanwhile
            person = whom.person
        if person is None:
            return self._create_person_for_name(whom)
        self._restrict_public_name(person, whom)
        return person

    def _restrict_public_name(self, person: Person, match: NameMatch) -> None:
        """Set how a person's name is published as the imported file says, if that shows less of the name."""
        wish = dict(self.matching.first_occurrences[match.key].noted).get("public_name", "")
        if person.pk in self._asked or wish not in PublicName.values:
            return
        self._asked.add(person.pk)
        now = person.public_name or self.club.public_names
        if stricter_wish(wish, now) != now:
            set_public_name(person, wish, by=self.by)

    def _create_person_for_name(self, match: NameMatch) -> Person:
        """Create the person for an imported name; if the name exists, a number is added to it."""
        number = number_or_nothing(match.number)
        person = self._new.get(f"{searchable(match.name)} {number}")
        if person is None:
            if match.is_forgotten:
                person = create_anonymous_person(self.club)
            else:
                name = self._free_name(match.name)
                noted = _roster_data(self.matching.first_occurrences[match.key], self.club)
                person = Person.objects.create(
                    club=self.club, name=name, national_number=number, **noted
                )
            self._new[f"{searchable(match.name)} {number}"] = person
            self.brought.append(person.pk)
        return person

    def _free_name(self, wanted: str) -> str:
        """Return a name that the roster does not have yet: the wanted one, or with a number added."""
        name, count = wanted, 1
        while self.club.people.filter(search=searchable(name)).exists():
            count += 1
            name = f"{wanted[: Person.NAME_LENGTH - 4]} {count}"
        return name


def _roster_data(player: past.ImportedPlayer, club: Club) -> dict[str, Any]:
    """Return a player's roster fields from the export of another BridgeBuddy installation.

    The public name is never wider than there: by the person's wish, or by that club's stricter
    default.
    """
    noted = dict(player.noted)
    values: dict[str, Any] = {
        "member_number": number_or_nothing(player.member),
        **{kind: write(noted.get(kind, "")) for kind, write in WRITTEN.items()},
    }
    wish, usual, own = noted.get("public_name", ""), noted.get(USUAL, ""), club.public_names
    if wish in PublicName.values:
        values["public_name"] = wish
    elif usual in PublicName.values and stricter_wish(usual, own) != own:
        values["public_name"] = usual
    strength = noted.get("strength", "")
    if strength.isascii() and strength.isdigit() and int(strength[:9]) <= MOST_STRENGTH:
        values["strength"] = int(strength[:9])
    return values
