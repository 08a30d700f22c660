"""A late contestant gets a seat."""
