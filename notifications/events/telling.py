"""Notify a user of an event that is in no board's history. Other apps call `tell`."""

from collections.abc import Mapping
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from notifications.inbox.ringing import ring
from notifications.kinds import Kind
from notifications.models import Notification, Way
from notifications.push.turns import push_later
from notifications.ways import mail_now

LONGEST_KEY = 180


@transaction.atomic
def tell(
    user_id: UUID, kind: Kind, key: str, data: Mapping[str, str] | None = None, *, subject_id: UUID | None = None
) -> bool:
    """Tell one person, once for each `key`; return whether this call did.

    `data` are the words that the sentence of the kind needs (sentences.py), for FINISHED: `what`, "import" or "export",
    `state`, "done" or "failed", `name`, and `link`, an address of ours that begins with a slash. They are shown to this
    person whatever they may see, so put in nothing that access protects. Call it inside a transaction or not.
    """
    way = Way.objects.filter(user=user_id, kind=kind).first() or Way()
    mail = mail_now(way, kind)
    if not (way.in_app or mail or way.push):
        return False
    group = f"{kind}:{key}"[:LONGEST_KEY]
    if Notification.objects.filter(user=user_id, group_key=group).exists():
        return False
    row = Notification(
        user_id=user_id,
        kind=kind,
        group_key=group,
        subject_id=subject_id,
        data=dict(data or {}),
        in_app=way.in_app,
        to_mail=mail,
        to_mail_since=timezone.now(),
    )
    Notification.objects.bulk_create([row], ignore_conflicts=True)  # somebody else may have been quicker
    ring([user_id])
    push_later([user_id], row.told_at)
    return True
