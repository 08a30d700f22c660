"""How evenly a movement compares those who play it, and how to make it more even."""
