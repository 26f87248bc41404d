"""Remove the name of a deleted account from other people's notifications."""

from uuid import UUID

from boards.actions.people.former_members import rows_with
from core.text.names import FORMER_MEMBER
from notifications.models import Notification


def forget_person(user_id: UUID) -> None:
    for row in rows_with(Notification, "data", user_id):
        if row.data.get("person_id") == str(user_id):
            Notification.objects.filter(pk=row.pk).update(data={**row.data, "person": FORMER_MEMBER})
