class CannotStart(Exception):
    """The service cannot start; the message is one sentence for whoever started it."""
