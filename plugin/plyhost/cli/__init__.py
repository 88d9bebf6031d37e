"""The command `plyhost`."""
