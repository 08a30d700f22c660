"""A club's season: championships over many sessions, and the resulting handicaps."""
