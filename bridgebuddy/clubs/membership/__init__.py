"""Membership of a club: invitations, roles, and leaving."""
