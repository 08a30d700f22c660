"""A director's sessions."""
