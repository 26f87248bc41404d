"""`/healthz` tells whether the database and the cache answer. It is public, so it tells nothing more."""

import logging

from django.core.cache import cache
from django.db import connection
from django.http import HttpRequest, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

log = logging.getLogger(__name__)


@never_cache
@require_safe
def healthz(request: HttpRequest) -> JsonResponse:
    database, cached = database_answers(), cache_answers()
    if database and cached:
        return JsonResponse({"status": "ok"})
    return JsonResponse({"status": "unavailable", "database": database, "cache": cached}, status=503)


def database_answers() -> bool:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
            return cursor.fetchone() == (1,)
    except Exception as error:
        log.warning("the database does not answer: %s", error)
        return False


def cache_answers() -> bool:
    try:
        cache.set("healthz", "ok", timeout=10)
        return cache.get("healthz") == "ok"
    except Exception as error:
        log.warning("the cache does not answer: %s", error)
        return False
