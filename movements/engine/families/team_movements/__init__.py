"""Movements of teams, and draws of Swiss and knock-out contests."""
