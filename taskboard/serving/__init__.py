"""What `bin/serve` does: from a data folder in whatever state to a running service, in one process."""
