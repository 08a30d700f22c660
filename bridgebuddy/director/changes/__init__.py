"""Live changes: the director asks, sees the ways, and decides."""
