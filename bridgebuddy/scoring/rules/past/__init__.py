"""Lists of sessions scored by another program, read from its files: nothing is scored here."""
