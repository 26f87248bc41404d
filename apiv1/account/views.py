"""The owner of the token."""

from django.http import HttpResponse
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.request import Request

from accounts.profile import update_profile
from apiv1.account import shapes
from apiv1.base import FIRST_VERSION, ApiView, answer
from apiv1.schema import call, errors
from boards.access import require_rights
from boards.errors import NotAllowed


class MeView(ApiView):
    counted_as = {"GET": "me"}
    ignores_unknown = FIRST_VERSION

    @extend_schema(
        operation_id="me",
        summary="Get the owner of the token",
        responses={200: OpenApiResponse(shapes.MeAnswer, "The owner of the token."), **errors(401, 429)},
    )
    def get(self, request: Request) -> HttpResponse:
        """The owner of the token; use it to check a token."""
        return answer({"user": shapes.user_out(self.owner)})


class AccountView(ApiView):
    counted_as = {"GET": "read", "PATCH": "write"}

    @call("getAccount", "Get your account and plan", shapes.AccountAnswer, says="The account.")
    def get(self, request: Request) -> HttpResponse:
        """What the settings show, and how much of the plan is used."""
        return answer({"account": shapes.account_out(self.owner)})

    @call(
        "updateAccount",
        "Change your name, language or time zone",
        shapes.AccountAnswer,
        says="The account as it is now.",
        takes=shapes.AccountChange,
    )
    def patch(self, request: Request) -> HttpResponse:
        """Fields that are missing stay. Address and password are changed in the settings."""
        data = self.patched(shapes.AccountChange)
        self.require_right_to_change()
        if "name" in data:
            data["name"] = data["name"] or ""
        if "timeZone" in data:
            data["time_zone"] = data.pop("timeZone")
        update_profile(self.owner, **data)
        return answer({"account": shapes.account_out(self.owner)})

    def require_right_to_change(self) -> None:
        """Raise NotAllowed for a token that may only read, and for one of chosen boards."""
        require_rights(self.actor)
        if self.actor.boards is not None:
            raise NotAllowed(
                "This token is limited to some boards, so it can't change the account. Use one for all boards."
            )
