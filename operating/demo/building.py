"""Make accounts, boards and cards of the demo content, through the same actions as all other callers."""

from datetime import datetime, timedelta

from allauth.account.models import EmailAddress
from django.db import transaction
from django.utils import timezone

from accounts.demo import ADDRESS, ADDRESSES, PEOPLE, address_of
from accounts.models import ApiToken, MadeBy, User
from accounts.tokens import create_token, revoke_token
from boards.actions.boards.board import create_board
from boards.actions.cards.archive import archive_card
from boards.actions.cards.assignments import assign
from boards.actions.cards.card import complete_card, create_card
from boards.actions.cards.checklists import add_item, create_checklist, update_item
from boards.actions.cards.comments import add_comment
from boards.actions.cards.labels import add_label
from boards.actions.lists.list import create_list
from boards.actions.sharing.invitations import accept_invitation, invite_member
from boards.actor import Actor
from boards.models import Board, Card
from boards.models.verbs import Door
from operating.demo.content import BOARDS, DemoBoard, DemoCard

TOKEN = "demo"  # noqa: S105
Cast = dict[str, User]


def others_exist() -> bool:
    return User.objects.exclude(email__in=ADDRESSES).exists()


@transaction.atomic
def build_demo(password: str) -> str:
    """Make the whole demo or nothing; return the value of its token. A repeat only sets a new password and token."""
    demo = User.objects.filter(email=ADDRESS).first() or User(email=ADDRESS, name="Dana Demo")
    demo.plan_id, demo.is_active = "pro", True
    demo.set_password(password)
    demo.save()
    EmailAddress.objects.get_or_create(user=demo, email=ADDRESS, defaults={"primary": True, "verified": True})
    if not Board.objects.owned_by(demo).exists():
        demo.language = "en"  # not saved: the content is in English and names the lists of the templates
        cast = {"demo": demo, **{person: bystander(person) for person in PEOPLE}}
        for user in cast.values():
            confirm_address(user)
        for board in BOARDS:
            build_board(board, cast)
    return new_token(demo)


def bystander(person: str) -> User:
    """Return an account to share boards with. It has no password, so nobody can sign in to it."""
    address = address_of(person)
    return User.objects.filter(email=address).first() or User.objects.create_user(address, name=PEOPLE[person])


def confirm_address(user: User) -> None:
    """Vouch for the address, as the command adduser does: only then can the account invite and accept."""
    EmailAddress.objects.update_or_create(user=user, email=user.email, defaults={"primary": True, "verified": True})


def new_token(demo: User) -> str:
    for token in ApiToken.objects.live().filter(user=demo, name=TOKEN):
        revoke_token(token)
    return create_token(demo, TOKEN, made_by=MadeBy.COMMAND_LINE)[1]


def build_board(content: DemoBoard, cast: Cast) -> None:
    owner = Actor(cast["demo"], Door.COMMAND)
    board = create_board(actor=owner, title=content.title, template=content.template, hue=content.hue)
    for person, role in content.members.items():
        invitation = invite_member(actor=owner, board_id=board.pk, email=cast[person].email, role=role)
        accept_invitation(actor=Actor(cast[person], Door.COMMAND), invitation_id=invitation.pk)
    for title in content.lists:
        create_list(actor=owner, board_id=board.pk, title=title)
    for card in content.cards:
        build_card(board, card, cast)


def build_card(board: Board, content: DemoCard, cast: Cast) -> None:
    actor = Actor(cast[content.by])
    card = create_card(
        actor=actor,
        list_id=board.lists.get(title=content.list).pk,
        title=content.title,
        description=content.description,
        due_at=due_at(content.due),
        recurrence=content.recurrence,
    )
    for name in content.labels:
        add_label(actor=actor, card_id=card.pk, label_id=board.labels.get(name=name).pk)
    for person in content.assignees:
        assign(actor=actor, card_id=card.pk, user_id=cast[person].pk)
    if content.checklist:
        build_checklist(card, content.checklist, actor)
    for person, text in content.comments:
        add_comment(actor=Actor(cast[person]), card_id=card.pk, text=text)
    if content.done:
        complete_card(actor=actor, card_id=card.pk)
    if content.archived:
        archive_card(actor=actor, card_id=card.pk)


def build_checklist(card: Card, items: dict[str, bool], actor: Actor) -> None:
    checklist = create_checklist(actor=actor, card_id=card.pk, title="Steps")
    for text, done in items.items():
        item = add_item(actor=actor, checklist_id=checklist.pk, text=text)
        if done:
            update_item(actor=actor, item_id=item.pk, done=True)


def due_at(due: tuple[int, int] | None) -> datetime | None:
    if due is None:
        return None
    days, hour = due
    today = timezone.now().replace(hour=0, minute=0, second=0, microsecond=0)
    return today + timedelta(days=days, hours=hour)
