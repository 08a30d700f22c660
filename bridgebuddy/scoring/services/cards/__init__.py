"""The cards of the boards: dealt, stored, and solved double dummy."""
