"""Python's garbage collector, set for programs that load much, and for servers that hold many sockets."""

import gc

YOUNG = 10_000  # new objects after which the young ones are looked through; Python's 700 are for small programs
OFTEN, RARE = 20, 100  # so many times the youngest before the middle ones, and these before the oldest


def collect_rarely() -> None:
    """Look through objects seldom. With Python's thresholds a fifth of the time in which all modules are loaded goes there."""
    gc.set_threshold(YOUNG, OFTEN, RARE)


def freeze_loaded() -> None:
    """Freeze the objects loaded by now, and collect rarely. A full collection stops a process with 200 open pages for 200 ms, in
    which no page hears anything. Only cycles wait for it: all else is freed when its last reference goes. Figures are in
    docs/decisions/live.md.
    """
    gc.collect()
    gc.freeze()
    collect_rarely()
