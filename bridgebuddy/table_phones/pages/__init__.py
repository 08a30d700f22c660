"""Pages of a table: its round, the keypad, the comparison after a board, and dealt hands."""
