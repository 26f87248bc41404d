class CannotStart(Exception):
    """The service cannot start. The message is one sentence for the person who started it."""
