"""The families: one, or close kin, per file. A generator is a function named after its movement."""
