"""The accounts that `bin/manage demo` makes. They belong to nobody, so the link to the first account goes on working."""

ADDRESS = "demo@example.com"
PEOPLE = {"maya": "Maya Torres", "ken": "Ken Ito", "ruth": "Ruth Adler"}


def address_of(person: str) -> str:
    return f"demo-{person}@example.com"


ADDRESSES = [ADDRESS, *map(address_of, PEOPLE)]
