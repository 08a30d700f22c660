"""The rules of what comes: plain Python, no Django and no clock."""
