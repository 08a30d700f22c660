"""Choosing a movement, importing one, and arrow-switching."""
