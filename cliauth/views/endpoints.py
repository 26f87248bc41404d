"""The two API endpoints of the device flow. A command line calls them without a token."""

from typing import Any

from django.conf import settings
from django.http import HttpResponse
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.request import Request

from accounts.models import Access, Bounds
from apiv1.base import FIRST_VERSION, AnonymousView, answer, answer_bytes, encode
from apiv1.bodies import has_body, read_json_object
from apiv1.errors import Refused
from apiv1.fields import Choice, Flag, IdTexts, Line
from apiv1.schema import errors, refusal
from cliauth import grants
from cliauth.grants import INTERVAL, LIFETIME, Outcome
from core.ids import parse_id
from security import limits

MOST_BOARDS = 200  # that a command line can wish for
UNKNOWN = "There is no such deviceCode. Start again with POST /api/v1/cli/auth."
DENIED = "The sign-in was denied in the browser. Start again if that was a mistake."
NO_SLOT = "The plan of the account allows no further API token. On the page in the browser, revoke one and approve."
GONE = "This deviceCode has expired or was used. Start again with POST /api/v1/cli/auth."


class StartIn(serializers.Serializer):
    clientName = Line(
        required=False,
        allow_null=True,
        min_length=1,
        max_length=100,
        help_text="Shown to the person who approves; names the token.",
    )

    access = Choice(
        choices=Access.values, required=False, allow_null=True, help_text="A wish: whether the token may write."
    )
    boards = IdTexts(
        required=False,
        allow_null=True,
        max_length=MOST_BOARDS,
        help_text="A wish: ids of the boards that exist for the token. Those that the person cannot see are left out.",
    )
    deletes = Flag(required=False, allow_null=True, help_text="A wish: whether the token may delete.")


class StartOut(serializers.Serializer):
    deviceCode = serializers.CharField(help_text="For polling. Keep it secret.")
    userCode = serializers.CharField(help_text="For the person to compare, as in WDJB-MJHT.")
    verificationUri = serializers.CharField(help_text="Where the person approves.")
    verificationUriComplete = serializers.CharField(help_text="The same with the code filled in.")
    expiresIn = serializers.IntegerField(help_text="Seconds until the codes expire.")
    interval = serializers.IntegerField(help_text="Seconds to wait between polls.")


class PollIn(serializers.Serializer):
    deviceCode = Line(min_length=1, max_length=1000, help_text="The deviceCode from the answer to the start.")


class PendingOut(serializers.Serializer):
    status = serializers.CharField(help_text="pending")
    interval = serializers.IntegerField(help_text="Seconds to wait before the next poll.")
    reason = serializers.CharField(
        required=False, help_text="Why approving did not work yet, for the person: no free API token."
    )


class TokenOut(serializers.Serializer):
    token = serializers.CharField(help_text="The API token. It is shown only once.")


class StartView(AnonymousView):
    counted_as = {"POST": "cli-start"}
    ignores_unknown = FIRST_VERSION

    @extend_schema(
        operation_id="startDeviceFlow",
        summary="Start signing in a command line",
        request={"application/json": StartIn},
        responses={200: OpenApiResponse(StartOut, "The codes."), **errors(400, 411, 413, 415, 429)},
        auth=[],
    )
    def post(self, request: Request) -> HttpResponse:
        """Show the user code and the address to the person, then poll. The body may be left out. The person chooses what
        the token may do; the page begins with what you wish for."""
        data = read_json_object(request._request) if has_body(request._request) else {}
        given = self.valid(StartIn, data)
        grant, device_code = grants.start(
            client_name=given.get("clientName", ""),
            wishes=wishes_in(given),
            address=request.META["REMOTE_ADDR"],
            browser=request.headers.get("User-Agent", ""),
        )
        page = f"{settings.BASE_URL}/cli"
        return unstored(
            answer(
                {
                    "deviceCode": device_code,
                    "userCode": grant.shown_code,
                    "verificationUri": page,
                    "verificationUriComplete": f"{page}?code={grant.shown_code}",
                    "expiresIn": int(LIFETIME.total_seconds()),
                    "interval": INTERVAL,
                }
            )
        )


def wishes_in(given: dict[str, Any]) -> Bounds:
    """Return what the token is wished to be limited to. What is no id is none of a board, and never means all boards."""
    boards = given.get("boards")
    ids = None if boards is None else sorted({one for one in boards if parse_id(one)})
    return Bounds(given.get("access") or Access.READ_WRITE.value, ids, given.get("deletes", True))


class PollView(AnonymousView):
    counted_as = {"POST": "cli-poll"}
    ignores_unknown = FIRST_VERSION

    @extend_schema(
        operation_id="pollDeviceFlow",
        summary="Fetch the token once the person has approved",
        request=PollIn,
        responses={
            200: OpenApiResponse(TokenOut, "Approved. The token is sent only once."),
            202: OpenApiResponse(PendingOut, "Nobody has decided yet."),
            403: refusal("The person denied the request."),
            404: refusal("There is no such code."),
            410: refusal("The code has expired, or its token was already delivered."),
            **errors(400, 411, 413, 415, 429),
        },
        auth=[],
    )
    def post(self, request: Request) -> HttpResponse:
        """Poll every `interval` seconds until the answer is no longer 202."""
        device_code = self.validated(PollIn)["deviceCode"]
        self.count_code(request, device_code)
        found = grants.poll(device_code, request._request)
        match found.outcome:
            case Outcome.PENDING:
                pending = {"status": "pending", "interval": INTERVAL}
                told = pending | {"reason": NO_SLOT} if found.lacks_slot else pending
                return unstored(answer_bytes(encode(told), status=202))
            case Outcome.DELIVERED:
                return unstored(answer({"token": found.token}))
            case Outcome.DENIED:
                raise Refused(403, DENIED)
            case Outcome.UNKNOWN:
                raise Refused(404, UNKNOWN)
        raise Refused(410, GONE)

    def count_code(self, request: Request, device_code: str) -> None:
        """Count a poll of this code. The rate limit headers show the limit, of address or code, with less remaining."""
        of_code = limits.count(request._request, "cli-code", grants.digest_of(device_code))
        if of_code and self.usage and of_code.remaining < self.usage.remaining:
            self.usage = of_code


def unstored(response: HttpResponse) -> HttpResponse:
    response["Cache-Control"] = "no-store"
    return response
