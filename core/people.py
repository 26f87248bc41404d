def display_name(name: str, email: str) -> str:
    """Return what other people see of an account: its name, or the part of its address before the @. Never empty."""
    return name or email.partition("@")[0]
