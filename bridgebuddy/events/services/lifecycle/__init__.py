"""The life of a session: opened, copied, prepared, deleted and made anonymous."""
