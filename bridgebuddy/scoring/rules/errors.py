"""Errors of a document, with path and reason. Pages turn them into translated sentences."""

from __future__ import annotations

from collections.abc import Sequence


class ScoringError(ValueError):
    """Error: a session document cannot be scored; `path` is the place of the error, `what` the reason."""

    def __init__(self, path: str, problem: str) -> None:
        self.path = path
        self.what = problem
        super().__init__(f"{path}: {problem}" if path else problem)


class OutOfRange(ScoringError):
    """Error: a level, strain, declarer or number of tricks that does not exist in bridge (Laws 18, 19, 77)."""

    @property
    def sentence(self) -> str:
        """Return the error as a sentence: "tricks 14 is more than 13"."""
        return f"{self.path.rpartition('.')[2]} {self.what}"


class ImpossibleOutcomes(ScoringError):
    """Error: a session document has outcomes that the laws of bridge do not allow."""

    def __init__(self, errors: Sequence[ScoringError]) -> None:
        ValueError.__init__(self, "\n".join(map(str, errors)))


class NoStage(ScoringError):
    """Error: a session document has no rules by which its next round could be drawn."""
