"""Choosing the movement, importing one, switching arrows."""
