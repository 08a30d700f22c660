"""Movements as files: read and written."""
