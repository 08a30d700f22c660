"""Errors of a document, with path and reason. Pages turn them into translated sentences."""

from __future__ import annotations

from collections.abc import Sequence


class ScoringError(ValueError):
    """A document cannot be scored: `path` is the position, `what` the reason."""

    def __init__(self, path: str, what: str) -> None:
        self.path = path
        self.what = what
        super().__init__(f"{path}: {what}" if path else what)


class OutOfRange(ScoringError):
    """A level, strain, declarer or number of tricks that does not exist, or a doubled pass-out (Laws 18, 19, 77)."""

    @property
    def sentence(self) -> str:
        """Return the error with the name of the value: "tricks 14 is more than 13"."""
        return f"{self.path.rpartition('.')[2]} {self.what}"


class ImpossibleOutcomes(ScoringError):
    """All outcomes of a document that are impossible at a table."""

    def __init__(self, found: Sequence[ScoringError]) -> None:
        ValueError.__init__(self, "\n".join(map(str, found)))


class NoStage(ScoringError):
    """Rounds are to be drawn, but the document has no rules for the draw."""
