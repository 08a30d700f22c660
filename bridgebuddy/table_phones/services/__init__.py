"""What phones change."""
