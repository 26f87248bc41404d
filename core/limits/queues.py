"""Queues per account: one task of a queue runs at a time, so that an account with many tasks does not hold up others."""

from uuid import UUID

OF = ":"
LATER = -10  # the priority of what can wait: a flood of pictures from many accounts comes after every mail
LONGEST_OWNER = 20  # letters; the name of a queue has at most 32


def own_queue(owner: str | UUID, kind: str = "default") -> str:
    """Return the name of the owner's queue beside `kind`, for `task.using(queue_name=...)`."""
    name = owner.hex if isinstance(owner, UUID) else owner
    return f"{kind}{OF}{name[-LONGEST_OWNER:]}"
