"""Slips: results, deals and draws."""
