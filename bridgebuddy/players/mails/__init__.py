"""Mails to players: partner requests and reminders."""
