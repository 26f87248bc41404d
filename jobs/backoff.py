"""The wait after a failure: longer after each one, and not the same for all who failed at once."""

import random
from datetime import timedelta


def back_off(failures: int, *, first: timedelta, factor: float, most: timedelta) -> timedelta:
    """Return the pause after so many failures in a row: `first`, then times `factor` each, up to `most`, give or take a fifth."""
    pause = first
    for _failure in range(failures - 1):
        pause = min(pause * factor, most)
        if pause == most:
            break
    return pause * random.uniform(0.8, 1.2)  # noqa: S311
