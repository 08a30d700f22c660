"""Queries for phones and for the desk's information on tables."""
