"""Changes made by phones."""
