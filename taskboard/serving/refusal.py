class CannotStart(Exception):
    """The service cannot start. The message is one sentence for the person who started it."""


class NotYet(CannotStart):
    """It can when another process has done its part, such as the database."""
