"""People of a club: search, partners, and past sit-outs."""
