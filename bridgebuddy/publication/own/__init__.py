"""A player's own page: access, contents and stored data."""
