"""The table's phone: who may enter there, what the two sides said, and calling the director."""
