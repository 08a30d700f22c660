"""Deals: making, reading, writing and solving them. The package knows boards, but not the players."""
