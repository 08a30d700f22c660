"""Preparation of sessions: registration, equipment, and the club's movement chart."""
