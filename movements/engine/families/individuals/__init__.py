"""Movements for single players."""
