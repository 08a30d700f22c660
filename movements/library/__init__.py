"""The movement library and its pages."""
