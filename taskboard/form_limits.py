"""All limits of the forms of pages, for each account and, signed out, for each address.

Scripts of our pages send forms too. Nobody who uses the pages by hand meets a limit, however quick they are.
"""

from collections.abc import Callable, Iterator
from typing import Any

from django.http import HttpRequest, HttpResponse

from boards.actions.caps import CARDS_AT_ONCE
from core.http.addresses import network_of
from core.http.calls import is_call
from security.limits import TooMany, count, session_of, take
from web.http.made import AT_MOST, number_of_changes
from web.http.refusals import too_many

# Names of addresses with limits of their own, beside that of all forms.
BY_ACCOUNT = {
    "account_email": ["new-email"],
    "profile_picture": ["pictures"],
    "imports": ["imports"],
    "comments": ["comments"],
    "invitations": ["invitations"],
    "invitation_links": ["links"],
    "new_board": ["new-boards"],
    "push_browsers": ["push-browsers"],
    "board_copy": ["new-boards"],
    "list_cards": ["new-cards"],
    "card_copy": ["new-cards"],
    "item_card": ["new-cards"],
    "list_copy": ["copies"],
    "board_template": ["copies"],
}
BY_SESSION = {  # the pages that ask for the current password and check it themselves
    "account_change_password": ["password", "password-day"],
    "account_email": ["password", "password-day"],
}
BY_ADDRESS = {
    "account_reset_password": ["reset"],
    "account_signup": ["sign-up"],
    "first_account": ["sign-up"],
}
OF_LISTS = (
    "list_cards_place",
    "list_cards_archival",
)  # change as many cards as the list has, which the form does not name
CHANGES = 10  # of several cards, or taken back: as many in one form count as one form
COUNTS_ITSELF = "account_login"  # accounts/sign_in/password/attempts.py


class FormLimits:
    """Counts each form that is sent, and answers for every page on which a limit is reached."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_view(self, request: HttpRequest, *view: Any) -> HttpResponse | None:
        if request.method != "POST" or is_call(request.path_info):
            return None
        try:
            for name, who in uses(request):
                count(request, name, who)
            take(request, *passwords(request))
        except TooMany as refusal:
            return too_many(request, refusal)
        return None

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        return too_many(request, error) if isinstance(error, TooMany) else None


def uses(request: HttpRequest) -> Iterator[tuple[str, str]]:
    """Yield the limits that this form counts for, and by whom."""
    page = request.resolver_match.url_name if request.resolver_match else None
    if request.user.is_authenticated:
        account = str(request.user.pk)
        if page == "presence":  # sent by scripts while people type; it must not use up what they may send
            yield "presence", account
            return
        changes = CARDS_AT_ONCE if page in OF_LISTS else changes_of(request)
        for _tenth in range(max(1, -(-changes // CHANGES))):
            yield "forms", account
        if page == "attachments":
            for _file in request.FILES.getlist("file"):
                yield "files", account
        yield from ((name, account) for name in BY_ACCOUNT.get(page or "", []))
    elif page == "passkey_options":  # every page for signing in asks for them by itself
        yield "passkey", network_of(request.META["REMOTE_ADDR"])
    elif page != COUNTS_ITSELF:
        network = network_of(request.META["REMOTE_ADDR"])
        yield "entrance", network
        yield from ((name, network) for name in BY_ADDRESS.get(page or "", []))


def changes_of(request: HttpRequest) -> int:
    """Return how many changes this form asks for."""
    return max(min(len(request.POST.getlist("card")), AT_MOST), number_of_changes(request.POST.getlist("change")))


def passwords(request: HttpRequest) -> Iterator[tuple[str, str]]:
    """Yield what a form with the current password counts for. It is not taken back: the page does not tell us."""
    if request.user.is_authenticated and request.resolver_match:
        names = BY_SESSION.get(request.resolver_match.url_name or "", [])
        yield from ((name, session_of(request)) for name in names)
