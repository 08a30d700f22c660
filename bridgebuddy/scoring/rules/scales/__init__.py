"""Victory points: scales that are worked out, and tables that are data with their source."""
