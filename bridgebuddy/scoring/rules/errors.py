"""What is wrong with a document: where, and what. A page turns it into a translated sentence."""

from __future__ import annotations

from collections.abc import Sequence


class ScoringError(ValueError):
    """A document cannot be scored: `path` says where, `what` says why."""

    def __init__(self, path: str, what: str) -> None:
        self.path = path
        self.what = what
        super().__init__(f"{path}: {what}" if path else what)


class OutOfRange(ScoringError):
    """A level, strain, declarer or number of tricks that does not exist, or a doubled pass-out (Laws 18, 19, 77)."""

    @property
    def sentence(self) -> str:
        """What is wrong, with the name of the value: "tricks 14 is more than 13"."""
        return f"{self.path.rpartition('.')[2]} {self.what}"


class ImpossibleOutcomes(ScoringError):
    """Outcomes that no table can have had, all of them at once."""

    def __init__(self, found: Sequence[ScoringError]) -> None:
        ValueError.__init__(self, "\n".join(map(str, found)))


class NoStage(ScoringError):
    """Rounds are to be drawn, but the document says nothing of how."""
