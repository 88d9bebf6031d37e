"""What stands around the contract on the web: checks, limits, keys, logs, figures, pages."""
