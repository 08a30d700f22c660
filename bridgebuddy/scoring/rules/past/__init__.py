"""Lists of sessions that another program scored, read from its files: nothing is scored here."""
