"""The cards: deals made, read, written and solved. It knows boards, and nothing of who plays them."""
