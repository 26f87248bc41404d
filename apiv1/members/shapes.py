"""Members of a board and invitations, as the API takes and shows them."""

from typing import Any

from rest_framework import serializers

from apiv1.boards.shapes import MemberOut
from apiv1.fields import Checked
from boards.actions.people.members import INVITABLE, valid_role
from boards.actions.sharing.invitations import LONGEST_ADDRESS, valid_email
from boards.dates import timestamp
from boards.models import Invitation, Role

ROLES = [(role.value, role.value) for role in INVITABLE]


class RoleGiven(Checked, serializers.ChoiceField):
    """A role that the owner can give. Raises Invalid for `owner`, with the way to hand a board over."""

    def __init__(self, **options: Any) -> None:
        super().__init__(choices=ROLES, **options)

    def read(self, value: Any, name: str) -> Role:
        return valid_role(value)


class Address(Checked, serializers.EmailField):
    def read(self, value: Any, name: str) -> str:
        return valid_email(value)


class MemberIn(serializers.Serializer):
    email = Address(max_length=LONGEST_ADDRESS)
    role = RoleGiven(required=False, help_text="Editor when left out.")


class MemberChange(serializers.Serializer):
    role = RoleGiven(required=False)


class InvitationOut(serializers.Serializer):
    id = serializers.UUIDField()
    email = serializers.EmailField(help_text="As it was sent, in lower case.")
    role = serializers.ChoiceField(choices=ROLES)
    createdAt = serializers.DateTimeField()
    expiresAt = serializers.DateTimeField()


class InvitationAnswer(serializers.Serializer):
    invitation = InvitationOut()


class MemberAnswer(serializers.Serializer):
    member = MemberOut()


class MembersAnswer(serializers.Serializer):
    members = MemberOut(many=True)


def invitation_out(invitation: Invitation) -> dict[str, Any]:
    return {
        "id": str(invitation.pk),
        "email": invitation.email,
        "role": invitation.role,
        "createdAt": timestamp(invitation.created_at),
        "expiresAt": timestamp(invitation.expires_at),
    }
