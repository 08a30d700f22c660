"""Changes that a player's own page asks for and that wait a day: what they are called in a job's key, and how long."""

from __future__ import annotations

from datetime import timedelta

#: the job that tells the address of before and the directors
TELL = "tell-of-change"
ANOTHER_ADDRESS, NO_MAILS, FORGET = "address", "stop", "forget"
WAIT = timedelta(days=1)
