"""Cards for contestants, tables and stands."""
