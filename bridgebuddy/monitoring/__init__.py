"""The answers to `/healthz`, `/readyz` and `/metrics`."""
