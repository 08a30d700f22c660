"""The club's roster: searched, corrected, and with duplicates merged."""
