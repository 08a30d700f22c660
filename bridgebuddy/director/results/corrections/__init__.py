"""Corrections of results, and rulings on boards."""
