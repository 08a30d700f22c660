"""A short evening on a table's phone, in browser engines of other makers and other years."""
