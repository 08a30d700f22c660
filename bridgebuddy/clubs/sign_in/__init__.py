"""Accounts: signing in, second factor, rate limits, and the security log."""
