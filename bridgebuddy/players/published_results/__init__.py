"""Published results: lists, past sessions, championships, the fairness of deals, and privacy."""
