"""The server as a program: processes, connections, backups and limits."""
