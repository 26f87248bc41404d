"""`bin/serve`: prepare a data folder, in whatever state it is, and run the service in one process."""
