"""The rules of preparation: plain Python without Django and without a clock."""
