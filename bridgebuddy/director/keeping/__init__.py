"""What is kept about whom: shown, handed out, and forgotten."""
