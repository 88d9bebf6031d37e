"""The playground, in a real browser and as files."""
