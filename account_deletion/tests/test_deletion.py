"""Deleting an account: what goes, what stays under the name *Former member*, and what is refused."""

import json
from io import StringIO

import pytest
from django.apps import apps
from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.auth.models import Group
from django.contrib.contenttypes.models import ContentType
from django.contrib.sessions.models import Session
from django.core import mail
from django.test import Client
from django.urls import reverse

from account_deletion.deletion import delete_account, finish
from account_deletion.rules import RULES, Rule, split
from accounts.first_account import is_open, make_link
from accounts.models import User
from accounts.tests.conftest import PASSWORD
from accounts.tokens import create_token
from accounts.work_filters import save_filter
from boards.actions.boards.board import archive_board, create_board
from boards.actions.cards.assignments import assign
from boards.actions.cards.card import create_card, update_card
from boards.actions.cards.comments import add_comment, delete_comment
from boards.actions.files.attachments import attach_file, delete_attachment
from boards.actions.people import departure
from boards.actions.people.handover import accept_offer, offer_board
from boards.actions.people.members import remove_member
from boards.actor import Actor
from boards.errors import NotAllowed, NotFound
from boards.models import Activity, Board, Card, Comment, FormerValues, Membership, OwnerActivity, Role
from boards.models.verbs import Door
from boards.reader import Reader
from boards.reading.history import lines
from boards.tests.world import World, a_picture
from conftest import hand_over, join, person, run_jobs, web
from exporter.json_export import write_export
from notifications.models import Notification
from security.models import EventKind, SecurityEvent

ADDRESS = "/settings/delete"


def delete(user: User, *boards: Board) -> None:
    delete_account(User.objects.get(pk=user.pk), deleting={board.pk for board in boards}, request=None)


def relations_to_users() -> set[str]:
    return {
        f"{app.label}.{model.__name__}.{field.name}"
        for app in apps.get_app_configs()
        for model in app.get_models(include_auto_created=True)
        for field in model._meta.get_fields()
        if field.concrete and not field.many_to_many and field.related_model is User
    }


def test_every_relation_to_an_account_has_a_rule():
    """Decide what becomes of the rows when the account is deleted, and write it into account_deletion/rules.py."""
    assert set(RULES) == relations_to_users()


def test_nothing_that_goes_is_left(world: World, client: Client):
    ed = world.ed
    ed.groups.add(Group.objects.create(name="helpers"))
    client.force_login(ed)
    client.post("/settings/profile", {"name": "Ed", "language": "de", "time_zone": "Europe/Berlin", "theme": "dark"})
    create_token(ed, "Ed's laptop")
    save_filter(ed, "Mine", "which=created&by=board")
    offer_board(actor=world.by_olga, board_id=world.board.pk, user_id=ed.pk)
    delete(ed)
    run_jobs()
    left = {
        place
        for place, rule in RULES.items()
        for model, field in [split(place)]
        if rule is not Rule.KEPT and model.objects.filter(**{field: ed}).exists()
    }
    assert left == {"security.SecurityEvent.user"}
    assert [event.kind for event in SecurityEvent.objects.filter(user=ed)] == [EventKind.DELETED]
    assert not Session.objects.exists()
    assert client.get("/settings/profile").status_code == 302


def test_an_operators_offer_of_somebody_elses_board_ends_with_the_account(board, olga, ed, otto):
    person("orla", is_staff=True, is_superuser=True)
    offer_board(actor=Actor(otto, door=Door.COMMAND), board_id=board.pk, user_id=ed.pk)
    delete(otto)
    with pytest.raises(NotFound):
        accept_offer(actor=web(ed), board_id=board.pk)
    assert Membership.objects.get(board=board, user=olga).role == Role.OWNER


def test_the_row_says_nothing_of_the_person(olga, ed):
    User.objects.filter(pk=ed.pk).update(language="de", time_zone="Europe/Berlin", theme="dark", plan="pro")
    User.objects.filter(pk=ed.pk).update(
        week_start="saturday", date_form="iso", clock="12", picture="p" * 32, start_page="my"
    )
    delete(ed)
    row = User.objects.get(pk=ed.pk)
    fresh = User(email="nobody@example.com", plan_id="free")
    kept = {
        field.name
        for field in User._meta.get_fields()
        if field.concrete and not field.many_to_many and getattr(row, field.name) != getattr(fresh, field.name)
    }
    assert kept == {"id", "email", "password", "is_active", "sessions_ended_at", "date_joined"}
    assert not row.has_usable_password()
    assert "ed" not in row.email.removeprefix("former:").replace(ed.pk.hex, "")
    assert row.display_name == "Former member"


def test_the_address_is_free_again_and_its_new_account_is_somebody_else(ed):
    delete(ed)
    assert person("ed").pk != ed.pk


def test_the_link_to_the_first_account_stays_closed_when_all_accounts_are_deleted(client, olga):
    key = make_link().rpartition("/")[2]
    delete(olga)
    assert not is_open(key)
    assert client.get(f"/first/{key}").status_code == 404


@pytest.fixture
def shared(board: Board, olga: User, ed: User, todo) -> Card:
    """A card of Olga's board on which Ed did things."""
    card = create_card(actor=web(ed), list_id=todo.pk, title="Write the story")
    assign(actor=web(olga), card_id=card.pk, user_id=ed.pk)
    mention = f"Ask [@Ed](mention:{ed.pk}) and [@Olga](mention:{olga.pk})"
    update_card(actor=web(olga), card_id=card.pk, description=mention)
    add_comment(actor=web(ed), card_id=card.pk, text="I did it")
    add_comment(actor=web(olga), card_id=card.pk, text=f"Thanks {mention}")
    return card


def test_in_what_others_have_the_name_is_former_member(shared, client, olga, ed, django_user_model):
    django_user_model.objects.filter(pk=olga.pk).update(language="de")
    update_card(actor=web(olga), card_id=shared.pk, title="Story")
    text = f"Former [@Ed](mention:{ed.pk})"
    comment = add_comment(actor=web(olga), card_id=shared.pk, text=text)
    delete_comment(actor=web(olga), comment_id=comment.pk)
    delete(ed)
    run_jobs()
    card = Card.objects.get(pk=shared.pk)
    texts = [card.search_text, card.excerpt, str(card.description)]
    texts += [str(row.__dict__) for row in Comment.objects.all()]
    texts += [f"{row.data}{row.subject}{row.token_name}" for row in Activity.objects.all()]
    texts += [str(row.values) for row in FormerValues.objects.all()]
    assert not [one for one in texts if "@Ed" in one or "'Ed'" in one]
    assert str(olga.pk) in str(card.description)
    assert "@olga" in card.search_text
    said = [line.text for line in lines(Activity.objects.all(), of_board=True)]
    assert "Former member joined as Editor, invited by Olga" in said
    assert "Former member left the board" in said
    assert [row.author.display_name for row in Comment.objects.order_by("created_at")] == ["Former member", "Olga"]


def test_names_among_others_and_of_inviters_and_assignees_go_from_the_history(board, olga, ed, todo, stan):
    hand_over(board, ed)
    create_card(actor=web(olga), list_id=todo.pk, title="For all", assignee_ids=[olga.pk, ed.pk])
    join(stan, board)
    hand_over(board, olga)
    delete(ed)
    run_jobs()
    recorded = [row.data for row in Activity.objects.all()]
    assert not [data for data in recorded if "Ed" in str(data)]
    assert [data["assignees"] for data in recorded if "assignees" in data] == [[None, "Olga, Former member"]]
    assert [None, "Former member"] in [data.get("inviter") for data in recorded]


def test_the_name_of_who_attached_a_file_goes_from_the_history_of_its_deletion(board, olga, ed, card):
    picture = attach_file(actor=web(ed), card_id=card.pk, stored=a_picture(), file_name="Dot.png")
    delete_attachment(actor=web(olga), attachment_id=picture.pk)
    delete(ed)
    run_jobs()
    assert Activity.objects.get(verb="attachment.deleted").data["uploader"] == ["Former member", None]


def test_who_was_told_that_they_were_removed_is_told_by_a_former_member(olga, ed, vera, board):
    hand_over(board, ed)
    remove_member(actor=web(ed), board_id=board.pk, user_id=vera.pk)
    run_jobs()
    assert [row.data["person"] for row in Notification.objects.filter(user=vera)] == ["Ed"]
    hand_over(board, olga)
    delete(ed)
    run_jobs()
    assert [row.data["person"] for row in Notification.objects.filter(user=vera)] == ["Former member"]


@pytest.mark.django_db(transaction=True)
def test_exports_of_others_have_a_former_member_with_the_same_id(shared, olga, ed):
    delete(ed)
    run_jobs()
    file = StringIO()
    write_export(Reader(User.objects.get(pk=olga.pk)), file)
    [board] = json.loads(file.getvalue())["boards"]
    former = {"id": str(ed.pk), "name": "Former member"}
    [card] = board["lists"][0]["cards"]
    assert card["createdBy"] == former
    assert card["comments"][0]["author"] == former
    assert former["id"] not in str(board["members"])
    assert "@Ed" not in file.getvalue()
    assert ed.email not in file.getvalue()


def test_rewriting_again_changes_nothing(shared, ed):
    delete(ed)
    run_jobs()
    before = list(Activity.objects.order_by("pk").values()), list(Comment.objects.order_by("pk").values())
    finish.call(str(ed.pk))
    assert before == (list(Activity.objects.order_by("pk").values()), list(Comment.objects.order_by("pk").values()))


def test_a_task_for_an_account_that_is_there_does_nothing(shared, ed):
    finish.call(str(ed.pk))
    assert Membership.objects.filter(user=ed).exists()


def test_more_boards_than_fit_a_transaction_are_left_by_the_task(olga, ed, monkeypatch):
    monkeypatch.setattr(departure, "AT_ONCE", 1)
    boards = [create_board(actor=web(olga), title=f"Board {n}") for n in range(3)]
    for board in boards:
        join(ed, board)
    archive_board(actor=web(olga), board_id=boards[1].pk)
    delete(ed)
    assert Membership.objects.filter(user=ed).count() == 2
    run_jobs()
    assert not Membership.objects.filter(user=ed).exists()
    assert Activity.objects.filter(verb="member.left").count() == 3


def test_a_board_with_other_members_must_be_decided(board, olga, ed):
    with pytest.raises(NotAllowed, match="“Launch” has other members"):
        delete(olga)
    assert User.objects.get(pk=olga.pk).is_active
    assert Board.objects.visible_to(Reader(ed)).exists()
    delete(olga, board)
    run_jobs()
    assert not Board.objects.exists()
    assert not OwnerActivity.objects.filter(owner=olga).exists()


def test_a_board_that_was_handed_over_stays(board, olga, ed):
    hand_over(board, ed)
    delete(olga)
    assert {row.user: row.role for row in Membership.objects.filter(board=board).exclude(role="viewer")} == {
        ed: "owner"
    }


def test_boards_of_nobody_else_go_without_a_choice(olga):
    create_board(actor=web(olga), title="Alone")
    delete(olga)
    run_jobs()
    assert not Board.objects.exists()


def test_the_last_operator_is_refused_and_one_of_two_is_not(otto):
    with pytest.raises(NotAllowed, match="the only operator"):
        delete(otto)
    other = person("orla", is_staff=True, is_superuser=True)
    delete(other)
    with pytest.raises(NotAllowed, match="the only operator"):
        delete(otto)


def test_a_restricted_operator_is_no_replacement(otto):
    person("rita", is_staff=True)
    with pytest.raises(NotAllowed, match="the only operator"):
        delete(otto)


def test_the_page_asks_for_address_and_password_and_signs_out(client, board, olga, ed):
    client.force_login(olga)
    page = client.get(ADDRESS).content.decode()
    assert "Launch" in page
    assert reverse("data") in page
    form = {"email": "Olga@example.com", f"delete-{board.pk}": "on"}
    session = client.session
    session["password_confirmed_at"] = 0
    session.save()
    asked = client.post(ADDRESS, form)
    assert asked.status_code == 403
    assert User.objects.get(pk=olga.pk).is_active
    done = client.post(ADDRESS, {**form, "password_again": PASSWORD})
    assert (done.status_code, done["Location"]) == (302, "/account/deleted")
    assert done["Clear-Site-Data"]
    assert client.get("/account/deleted").status_code == 200
    assert client.get("/settings/profile").status_code == 302
    assert client.post("/sign-in", {"login": "olga@example.com", "password": PASSWORD}).status_code == 200


@pytest.mark.parametrize("typed", ["", "ed@example.com", "former:"])
def test_a_wrong_address_deletes_nothing(client, olga, typed):
    client.force_login(olga)
    assert client.post(ADDRESS, {"email": typed}).status_code == 422
    assert User.objects.get(pk=olga.pk).is_active


def test_the_page_names_undecided_boards_and_keeps_what_was_ticked(client, board, olga, ed):
    other = create_board(actor=web(olga), title="Garden")
    join(ed, other)
    offer_board(actor=web(olga), board_id=other.pk, user_id=ed.pk)
    client.force_login(olga)
    answer = client.post(ADDRESS, {"email": olga.email, f"delete-{board.pk}": "on"})
    page = answer.content.decode()
    assert answer.status_code == 422
    assert "“Garden” has other members" in page
    assert "offered to Ed, no answer yet" in page
    assert f'name="delete-{board.pk}" checked' in page


def test_boards_of_somebody_else_cannot_be_named(client, board, olga, ed):
    client.force_login(ed)
    assert client.post(ADDRESS, {"email": ed.email, f"delete-{board.pk}": "on"}).status_code == 302
    assert Board.objects.visible_to(Reader(olga)).get() == board


def test_the_last_operator_is_told_so_on_the_page(client, otto):
    client.force_login(otto)
    assert "the only operator" in client.get(ADDRESS).content.decode()
    assert client.post(ADDRESS, {"email": otto.email}).status_code == 422


@pytest.mark.usefixtures("_mail_server")
def test_a_mail_confirms_it_in_the_language_of_the_account(olga):
    delete_account(User.objects.get(pk=olga.pk), deleting=(), request=None)
    [sent] = mail.outbox
    assert sent.to == ["olga@example.com"]
    assert sent.subject.endswith("Your account was deleted")


@pytest.mark.usefixtures("_mail_server")
@pytest.mark.parametrize("is_open", [True, False])
def test_the_mail_offers_another_sign_up_only_where_there_is_one(client, olga, settings, is_open):
    settings.SIGNUP_OPEN = is_open
    client.force_login(olga)
    client.post(ADDRESS, {"email": olga.email})
    [sent] = mail.outbox
    assert ("You can sign up again" in sent.body) == is_open
    assert "last email that we send you." in sent.body


def test_the_page_takes_the_same_statements_for_many_boards(client, olga, ed, django_assert_num_queries):
    client.force_login(olga)
    for n in range(2):
        join(ed, create_board(actor=web(olga), title=f"Board {n}"))
    client.get(ADDRESS)
    with django_assert_num_queries(3):
        client.get(ADDRESS)
    for n in range(4):
        join(ed, create_board(actor=web(olga), title=f"More {n}"))
    with django_assert_num_queries(3):
        client.get(ADDRESS)


def test_the_admins_log_forgets_the_address(otto, olga):
    LogEntry.objects.log_actions(otto.pk, [olga], CHANGE, "Activated.", single_object=True)
    delete(olga)
    content = ContentType.objects.get_for_model(User)
    [entry] = LogEntry.objects.filter(content_type=content)
    assert "olga" not in entry.object_repr


def test_the_admins_log_forgets_the_address_in_lines_about_other_rows(otto, ed):
    rows = [User(email=name) for name in ("ed@example.com", "Ed@example.com · Editor", "Launch → ed@example.com")]
    others = [User(email=name) for name in ("fred@example.com", "ed@example.com.au · Viewer", "o.ed@example.com")]
    LogEntry.objects.log_actions(otto.pk, [*rows, *others], CHANGE, "Withdrawn.")
    delete(ed)
    former = f"former:{ed.pk.hex}"
    assert list(LogEntry.objects.order_by("pk").values_list("object_repr", flat=True)) == [
        former,
        f"{former} · Editor",
        f"Launch → {former}",
        *(str(other) for other in others),
    ]
