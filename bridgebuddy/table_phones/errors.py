"""Why something a phone says is refused. Pages turn these into translated sentences."""

from __future__ import annotations

from bridgebuddy.events.errors import ChangeRefused


class NotNow(ChangeRefused):
    """The board is not to be entered from a phone now: the round has not begun, or phones may not."""
