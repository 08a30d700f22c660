"""Substitutes in an entry, and their rounds."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from django.utils.translation import gettext as _

from bridgebuddy.events.models import Entry


@dataclass(frozen=True)
class SubstituteRounds:
    """A substitution: the substitute, the replaced player and the range of rounds."""

    link: int  # named on a page, until another has the place
    name: str
    owner: str  # the regular player
    first: int
    last: int | None  # None: to the end

    @property
    def sentence(self) -> str:
        """Return a translated sentence that names the substitute, the replaced player and the rounds."""
        if self.last is None:
            if self.first == 1:
                return (
                    _("%(substitute)s plays for %(owner)s in all rounds.") % self._sentence_values
                )
            return (
                _("%(substitute)s plays for %(owner)s from round %(first)s on.")
                % self._sentence_values
            )
        if self.first == self.last:
            return (
                _("%(substitute)s plays for %(owner)s in round %(first)s.") % self._sentence_values
            )
        return (
            _("%(substitute)s plays for %(owner)s in rounds %(first)s to %(last)s.")
            % self._sentence_values
        )

    @property
    def _sentence_values(self) -> dict[str, object]:
        """Return the names and rounds that the sentence about the substitute contains."""
        return {
            "substitute": self.name,
            "owner": self.owner,
            "first": self.first,
            "last": self.last,
        }


def substitute_rounds(entry: Entry) -> Iterator[SubstituteRounds]:
    """Yield the substitutions of an entry, in the order of rounds."""
    links = [link for link in entry.links if link.plays_for]
    for link in sorted(links, key=lambda link: (link.from_round, link.position)):
        yield SubstituteRounds(
            link.pk, link.person.name, link.owner.name, link.from_round, link.until_round
        )
