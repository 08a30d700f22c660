"""The families of movements: one, or close relatives, per file. A generator is a function named after its movement."""
