"""What outlives a request: in this process, or in Redis for all."""
