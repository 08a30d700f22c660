"""Victory points: each scale is a TOML file of this folder, with its source; some refer to a formula."""
