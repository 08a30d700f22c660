"""Random contests that are drawn as they go, played on the product's own services before a referee."""
