"""The engine: numbers in, movements out. Plain Python, importable anywhere."""
