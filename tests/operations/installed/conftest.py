"""Scripts that run inside the Debian root are programs, not modules that tests import."""

collect_ignore = ["systemctl.py", "visitor.py"]
