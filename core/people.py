def display_name(name: str, email: str) -> str:
    """Return the name that others see: the account's own, or the part of its address before the @. Never empty."""
    return name or email.partition("@")[0]
