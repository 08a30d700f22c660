"""The public pages of a club: results, archive, feed; and uploads to BridgeWebs."""
