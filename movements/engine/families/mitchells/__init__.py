"""Mitchells and other movements of two lines."""
