"""Movements as facts for sentences and pictures."""
