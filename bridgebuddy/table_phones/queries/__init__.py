"""What phones and the desk ask of tables."""
