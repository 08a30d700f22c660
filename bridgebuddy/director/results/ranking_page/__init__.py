"""The ranking page: the list, its scoring method, lists beside it, and its publication."""
