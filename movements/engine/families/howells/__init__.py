"""Howells and other movements in which all meet all."""
