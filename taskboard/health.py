"""`/livez`: this process runs. `/healthz`: it can do its work. Both are public, so they tell nothing more.

Redis alone being away, a worker, or the storage of files, is no reason for 503: pages, API and sign-in work without them, so a load balancer
must not take away every process at once (docs/decisions/operations.md).
"""

import logging
import shutil
import threading
import time

from django.conf import settings
from django.db import connection
from django.http import HttpRequest, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from redis import Redis, RedisError
from redis.backoff import NoBackoff
from redis.retry import Retry

from core.outage import Throttle, one_line
from jobs.queue import is_overdue
from taskboard.file_storage import WATCH
from taskboard.migration_names import known_migrations
from taskboard.serving.readiness import static_files_are_collected

DEADLINE = 0.8  # seconds for all of the checks, so that the answer takes less than one
ROOM = 50_000_000  # bytes of the disk: with less the next backup, migration or search index may fail
REDIS_PATIENCE = 0.5  # seconds
TROUBLES = Throttle(1.0)

log = logging.getLogger(__name__)


@never_cache
@require_safe
def livez(request: HttpRequest) -> JsonResponse:
    return JsonResponse({"status": "ok"})


@never_cache
@require_safe
def healthz(request: HttpRequest) -> JsonResponse:
    found = Checks.now()
    if not all(found.needed.values()):
        return JsonResponse({"status": "unavailable", **found.needed}, status=503)
    lacking = {name: False for name in ("redis", "worker", "files") if not getattr(found, name)}
    return JsonResponse({"status": "degraded", **lacking} if lacking else {"status": "ok"})


class Checks(threading.Thread):
    """A check of the services that this one needs, in a thread for which nobody waits after its `deadline`."""

    current: "Checks | None" = None
    turn = threading.Lock()

    def __init__(self) -> None:
        super().__init__(name="health", daemon=True)
        self.needed = {"database": False, "static": False, "disk": False}
        self.redis = False
        self.files = True
        self.worker = True  # work that waits is known only once it is seen
        self.deadline = time.monotonic() + DEADLINE  # for everybody: under bin/serve callers come one after the other

    @classmethod
    def now(cls) -> "Checks":
        """Return the results of new checks, or of those that are still running for somebody else."""
        with cls.turn:
            if cls.current is None or not cls.current.is_alive():
                cls.current = cls()
                cls.current.start()
            found = cls.current
        found.join(max(0.0, found.deadline - time.monotonic()))
        return found

    def run(self) -> None:
        self.needed |= {"static": static_files_are_collected(), "disk": disk_has_room()}
        self.needed["database"] = database_is_ready()
        self.worker = not self.needed["database"] or work_is_done()
        self.files = WATCH.ask()
        self.redis = redis_answers()


def database_is_ready() -> bool:
    """Tell whether the database answers and has every migration of this version. Takes one statement."""
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT app, name FROM django_migrations")
            return known_migrations() <= set(cursor.fetchall())
    except Exception as error:  # /healthz answers whatever is wrong
        tell("the database does not answer: %s", error)
        return False
    finally:
        connection.close()


def work_is_done() -> bool:
    """Tell whether workers take the work beside requests (jobs/queue.py). A table that cannot be read tells nothing."""
    try:
        return not is_overdue()
    except Exception as error:
        tell("the work beside requests cannot be looked at: %s", error)
        return True
    finally:
        connection.close()


def disk_has_room() -> bool:
    try:
        return shutil.disk_usage(settings.DATA).free >= ROOM
    except OSError as error:
        tell("the data folder cannot be read: %s", error)
        return False


def redis_answers() -> bool:
    if not settings.REDIS_URL:
        return True
    timeouts = {"socket_timeout": REDIS_PATIENCE, "socket_connect_timeout": REDIS_PATIENCE}
    try:
        with Redis.from_url(settings.REDIS_URL, retry=Retry(NoBackoff(), 0), **timeouts) as redis:
            return bool(redis.ping())
    except (RedisError, OSError) as error:
        tell("Redis does not answer: %s", error)
        return False


def tell(words: str, error: Exception) -> None:
    if TROUBLES.count():
        log.warning(words, one_line(error))
