"""The rules of scoring, in plain Python: no Django, no gettext, no clock, exact fractions.

Plays with their outcomes and a profile go in, results come out (`score.score`).
"""
