"""Doubtful results, boards played twice, and effects of rulings."""
