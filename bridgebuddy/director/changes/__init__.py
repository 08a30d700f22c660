"""Live changes: asked, shown, decided."""
