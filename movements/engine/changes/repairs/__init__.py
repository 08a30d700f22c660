"""Mistakes, and rounds rebuilt after them."""
