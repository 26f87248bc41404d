"""What can go wrong in the domain. No HTTP here: each door maps these classes once."""


class DomainError(Exception):
    """Carries one sentence for people, already in their language."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = str(message)


class Invalid(DomainError):
    """The input is at fault; `field` is its name as the caller wrote it."""

    def __init__(self, message: str, field: str = "") -> None:
        super().__init__(message)
        self.field = field
        self._template, self._values = "", {}  # type: tuple[str, dict[str, object]]

    @classmethod
    def of(cls, field: str, template: str, **values: object) -> "Invalid":
        """Return the error whose sentence names the field: `%(field)s` stands for it in `template`."""
        error = cls(template % {"field": field, **values}, field)
        error._template, error._values = template, values
        return error

    def naming(self, label: str) -> str:
        """Return the sentence with `label`, as people see the field, instead of its name."""
        return self._template % {"field": label, **self._values} if self._template else self.message


class NotFound(DomainError):
    """There is no such thing, or none that this actor may know of: one and the same answer."""


class NotAllowed(DomainError):
    """The actor may see it but not do this to it."""


class LimitReached(DomainError):
    """A cap of the plan is in the way."""


class Conflict(DomainError):
    """The thing is not in the state that the caller took for granted; `current` is how it stands."""

    def __init__(self, message: str, current: object = None) -> None:
        super().__init__(message)
        self.current = current
