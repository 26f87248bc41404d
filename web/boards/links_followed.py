"""The invitation links that this browser has opened: the session notes the digests of their keys as the proof of it."""

from uuid import UUID

from django.http import HttpRequest

from boards.actions.sharing.invitation_links import live_link
from boards.models import InvitationLink

PROOFS = "joining"  # in the session: digests by the ids of their links
MOST_PROOFS = 5  # the oldest goes first


def note_link(request: HttpRequest, link: InvitationLink) -> None:
    others = [one for one in _proofs(request).items() if one[0] != str(link.pk)]
    request.session[PROOFS] = dict([*others, (str(link.pk), link.digest)][-MOST_PROOFS:])


def forget_link(request: HttpRequest, link: InvitationLink) -> None:
    request.session[PROOFS] = {pk: digest for pk, digest in _proofs(request).items() if pk != str(link.pk)}


def link_followed(request: HttpRequest, link_id: UUID) -> InvitationLink | None:
    """Return the link with its board and maker, if it still works and this browser has opened it."""
    digest = _proofs(request).get(str(link_id))
    return live_link(link_id, digest) if digest else None


def links_followed(request: HttpRequest) -> list[InvitationLink]:
    """Return all of them that have not been answered. One statement each, and none where there are none."""
    found = (link_followed(request, UUID(pk)) for pk in _proofs(request))
    return [link for link in found if link is not None]


def has_followed_a_link(request: HttpRequest) -> bool:
    """Tell whether this browser has opened a link that still works. Sign-up asks this by `core.sign_up.INVITED`."""
    return bool(links_followed(request))


def _proofs(request: HttpRequest) -> dict[str, str]:
    return request.session.get(PROOFS, {})
