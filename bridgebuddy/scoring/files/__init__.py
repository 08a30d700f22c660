"""Results as files for other programs, and files of scoring terminals."""
