"""Searches behind `tables/`: run by hand, each with a fixed seed, each printing its result."""
