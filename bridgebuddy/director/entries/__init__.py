"""Entries: adding contestants and seating them."""
