"""A club's season: championships over many sessions, and the handicaps that follow from them."""
