"""Matches and draws."""
