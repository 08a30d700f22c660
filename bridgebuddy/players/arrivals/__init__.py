"""Arrivals at the door: presence and table money."""
