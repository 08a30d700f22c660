"""Faults written by hand, as a colleague would make them, and whether the tests notice them: `make faults`."""
