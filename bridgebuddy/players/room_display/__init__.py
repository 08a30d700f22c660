"""The room display: clock, next places, ranking and championships."""
