"""Changes asked for on an own page with a delay of a day: their names in job keys, and the delay."""

from __future__ import annotations

from datetime import timedelta

#: the job that tells the old address and the directors
TELL = "tell-of-change"
ANOTHER_ADDRESS, NO_MAILS, FORGET = "address", "stop", "forget"
WAIT = timedelta(days=1)
