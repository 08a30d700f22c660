"""Victory points: each scale is a TOML file of this folder, with its source; some name a formula."""
