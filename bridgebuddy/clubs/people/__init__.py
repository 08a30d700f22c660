"""Names, numbers and categories of people."""
