"""Eight clients send wrong passwords as fast as they are answered, while Olga asks for her boards.

.venv/bin/python -m benchmarks.faults.flood_sign_in [seconds]
"""

import contextlib
import http.client
import sys
import threading
import time
from collections import Counter

from benchmarks.faults.flood_world import Watch, World, flooded_world

CSRF = "x" * 32


def guess(world: World, number: int, ended: threading.Event, answers: Counter[int]) -> None:
    """Try one account after the other, as the limits count by account."""
    tries = 0
    while not ended.is_set():
        tries += 1
        body = f"login=nobody{number}-{tries}@example.com&password=wrong&csrfmiddlewaretoken={CSRF}"
        headers = {
            "Cookie": f"csrftoken={CSRF}",
            "Content-Type": "application/x-www-form-urlencoded",
            "Origin": f"http://127.0.0.1:{world.port}",
        }
        address = (f"127.0.{number + 1}.{tries % 250 + 1}", 0)
        line = http.client.HTTPConnection("127.0.0.1", world.port, 60, source_address=address)
        with contextlib.closing(line), contextlib.suppress(OSError):
            line.request("POST", "/sign-in", body, headers)
            answers[line.getresponse().status] += 1


def main(seconds: float) -> None:
    with flooded_world() as world:
        with Watch(world, "/") as watch:
            time.sleep(seconds / 2)
        print(f"rest:  {watch}")
        ended, answers = threading.Event(), Counter[int]()
        threads = [threading.Thread(target=guess, args=(world, number, ended, answers)) for number in range(8)]
        with Watch(world, "/") as watch:
            for thread in threads:
                thread.start()
            time.sleep(seconds)
            ended.set()
            for thread in threads:
                thread.join()
        print(f"flood: {dict(answers)} in {seconds:.0f} s; {watch}")


if __name__ == "__main__":
    main(float(sys.argv[1]) if len(sys.argv) > 1 else 15)
