"""`/metrics`, for Prometheus. TASKBOARD_METRICS says who may read it; where it is off, the address is like an unknown one."""

import hmac
from http import HTTPStatus

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt

from core.limits.turns import Turns
from core.measures import Measure

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
THIS_MACHINE = frozenset(("127.0.0.1", "::1", "::ffff:127.0.0.1"))
OF_PROXIES = ("HTTP_FORWARDED", "HTTP_X_FORWARDED", "HTTP_X_REAL_IP", "HTTP_VIA")  # beginnings of names
SCRAPES = Turns(at_once=1, waiting=1, patience=3.0)
NOT_LOCAL = "Only programs on the service's own machine may read this, without a proxy between.\n"
UNKNOWN = "Send the value of TASKBOARD_METRICS_TOKEN as Authorization: Bearer TOKEN.\n"


@csrf_exempt
@never_cache
def metrics(request: HttpRequest) -> HttpResponse:
    if (recorder := Measure.recorder) is None:  # settings have changed since the start, as in tests
        raise Http404
    if request.method not in ("GET", "HEAD"):
        return refusal(HTTPStatus.METHOD_NOT_ALLOWED, "Use GET.\n", {"Allow": "GET, HEAD"})
    if settings.METRICS == "loopback" and not is_local(request):
        return refusal(HTTPStatus.FORBIDDEN, NOT_LOCAL)
    if settings.METRICS == "token" and not has_token(request):
        return refusal(HTTPStatus.UNAUTHORIZED, UNKNOWN, {"WWW-Authenticate": "Bearer"})
    with SCRAPES.take():
        return HttpResponse(recorder.text(), content_type=CONTENT_TYPE)


def is_local(request: HttpRequest) -> bool:
    """Tell whether a program of this machine asks by itself. A proxy says that it is one by a header."""
    through_a_proxy = any(name.startswith(OF_PROXIES) for name in request.META)
    return request.META.get("REMOTE_ADDR") in THIS_MACHINE and not through_a_proxy


def has_token(request: HttpRequest) -> bool:
    scheme, _space, given = request.META.get("HTTP_AUTHORIZATION", "").partition(" ")
    is_same = hmac.compare_digest(given.strip().encode(), settings.METRICS_TOKEN.encode())
    return scheme.lower() == "bearer" and is_same


def refusal(status: HTTPStatus, words: str, headers: dict[str, str] | None = None) -> HttpResponse:
    return HttpResponse(words, status=status, content_type="text/plain; charset=utf-8", headers=headers)
