"""A process that counts in a folder, as a part of the service does, whenever its standard input says so."""

import os
import sys
from pathlib import Path

import django

django.setup()

from core.measures import REQUEST_SECONDS, REQUESTS, SOCKETS, Measure, join  # noqa: E402
from operating.metrics.recording import Recorder  # noqa: E402


def count() -> None:
    REQUESTS.add("GET", "/", "200")
    REQUEST_SECONDS.observe(0.2, "/")


def main() -> None:
    Measure.recorder = Recorder(Path(sys.argv[1]))
    for line in sys.stdin:
        match line.split():
            case ["join"]:
                join()
            case ["count"]:
                count()
            case ["sockets", number]:
                SOCKETS.add(int(number))
            case ["fork"]:
                if os.fork() == 0:
                    count()
                    os._exit(0)
                os.wait()
        sys.stdout.write("done\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
