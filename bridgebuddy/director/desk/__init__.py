"""The desk: the round being played."""
