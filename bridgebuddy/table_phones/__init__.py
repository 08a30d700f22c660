"""Phones at the tables: access, result entry by both sides, and calls to the director."""
