"""bin/manage users, tokens and boards: what operators do without the admin."""

import io
import json
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.models import ApiToken, Bounds, User
from accounts.tokens import create_token, find_live_token
from boards.actions.boards.board import archive_board, create_board
from boards.actions.people.handover import accept_offer
from boards.models import Activity, Board, Membership, Offer
from boards.models.verbs import Door
from conftest import join, person, run_jobs, web
from security.models import BrowserSession, SecurityEvent
from web.tests.browsing import browser, text_of


def run(*words: object, **options: Any) -> str:
    out = io.StringIO()
    call_command(*map(str, words), stdout=out, **options)
    return out.getvalue()


def read(*words: object) -> Any:
    return json.loads(run(*words, "--json"))


def events() -> list[tuple[str, User | None, User | None]]:
    return [(event.kind, event.user, event.by) for event in SecurityEvent.objects.select_related("user", "by")]


def refused(*words: object) -> str:
    with pytest.raises(CommandError) as refusal:
        run(*words)
    return str(refusal.value)


# users


def test_accounts_are_listed_aligned_with_what_they_have(otto, board, olga):
    create_token(olga, "laptop")
    lines = run("users", "list").splitlines()
    assert [line.split()[0] for line in lines] == [
        "ID",
        *map(str, User.objects.order_by("pk").values_list("pk", flat=True)),
    ]
    [hers] = [line for line in lines if "olga@example.com" in line]
    assert hers.split() == [str(olga.pk), "olga@example.com", "Olga", "free", "yes", "no", "1", "1", "–"]
    assert len({line.index(name) for line, name in zip(lines, ["EMAIL", "otto@", "olga@"], strict=False)}) == 1


def test_json_has_dates_in_utc_and_the_documented_names(otto):
    [row] = read("users", "list")
    assert list(row) == [
        "id",
        "email",
        "name",
        "plan",
        "isActive",
        "isOperator",
        "isSuperuser",
        "boardsOwned",
        "apiTokens",
        "joinedAt",
        "lastSeenAt",
    ]
    assert row["joinedAt"].endswith("Z")
    assert (row["isOperator"], row["boardsOwned"], row["lastSeenAt"]) == (True, 0, None)


def test_lists_can_be_narrowed(otto, olga, ed):
    User.objects.filter(pk=ed.pk).update(is_active=False, plan="pro")
    assert [row["email"] for row in read("users", "list", "--operators")] == [otto.email]
    assert [row["email"] for row in read("users", "list", "--disabled")] == [ed.email]
    assert [row["email"] for row in read("users", "list", "--plan", "pro")] == [ed.email]
    assert refused("users", "list", "--plan", "gold") == "There is no plan gold. Write one of free, pro."


def test_a_list_goes_on_where_it_ended(olga, ed, vera):
    err = io.StringIO()
    first = json.loads(run("users", "list", "--limit", "2", "--json", stderr=err))
    assert [row["email"] for row in first] == [olga.email, ed.email]
    assert err.getvalue() == f"There are more: --after {ed.pk}\n"
    assert [row["email"] for row in read("users", "list", "--after", ed.pk)] == [vera.email]
    assert "is not an ID" in refused("users", "list", "--after", "7")
    assert "write a number from 1" in refused("users", "list", "--limit", "0")


def test_each_list_takes_as_many_statements_whatever_its_length(otto, board, olga):
    create_token(olga, "one")
    counts = []
    for name in ("more", "most"):
        with CaptureQueriesContext(connection) as statements:
            for what in ("users", "tokens", "boards"):
                read(what, "list")
        counts.append(len(statements))
        User.objects.filter(pk=olga.pk).update(plan="pro")
        olga.refresh_from_db()
        create_token(olga, name)
        join(person(name), create_board(actor=web(olga), title=name), "viewer")
    assert counts == [3, 3]


def test_find_searches_addresses_names_and_ids(olga, ed):
    assert [row["email"] for row in read("users", "find", "OLG")] == [olga.email]
    assert [row["email"] for row in read("users", "find", ed.pk)] == [ed.email]
    assert len(read("users", "find", "example.com")) == 2
    assert read("users", "find", "nobody") == []


def test_an_account_that_is_not_there_is_said_with_what_to_do(otto, olga):
    assert refused("users", "disable", "olg") == "No account has the address or ID olg. Did you mean olga@example.com?"
    assert "bin/manage users find TEXT" in refused("users", "disable", "nobody@example.com")


def test_disabling_ends_sessions_and_tokens_and_is_logged(otto, olga):
    browser(olga)
    _token, value = create_token(olga, "laptop")
    assert (
        run("users", "disable", "Olga@example.com")
        == "olga@example.com is disabled. Its sessions and API tokens have ended.\n"
    )
    assert not User.objects.get(pk=olga.pk).is_active
    assert find_live_token(value) is None
    assert not BrowserSession.objects.filter(user=olga).exists()
    run("users", "disable", olga.pk)
    assert events() == [("deactivated", olga, otto)]


def test_enabling_is_logged_and_answers_with_the_account(otto, olga):
    User.objects.filter(pk=olga.pk).update(is_active=False)
    assert read("users", "enable", olga.email)["isActive"] is True
    assert events() == [("activated", olga, otto)]


def test_signing_out_leaves_tokens(otto, olga):
    _token, value = create_token(olga, "laptop")
    client = browser(olga)
    run("users", "sign-out", olga.email)
    assert client.get("/settings").status_code == 302
    assert find_live_token(value) is not None
    assert events() == [("sessions-ended", olga, otto)]


def test_a_plan_is_changed_once_and_logged(otto, olga):
    for _time in range(2):
        assert read("users", "plan", olga.email, "pro")["plan"] == "pro"
    assert events() == [("plan-changed", olga, otto)]
    assert "There is no plan gold" in refused("users", "plan", olga.email, "gold")


def test_the_last_operator_is_neither_disabled_nor_deleted(otto):
    for verb in ("disable", "delete"):
        assert refused("users", verb, otto.email).startswith(
            "otto@example.com is the only operator. Make somebody else"
        )
    assert User.objects.get().is_active


def test_of_several_operators_one_is_named(otto, olga):
    person("oscar", is_staff=True, is_superuser=True)
    said = refused("users", "disable", olga.email)
    assert said.endswith("Say who does this: --by oscar@example.com, otto@example.com")
    run("users", "disable", olga.email, "--by", "otto@example.com")
    assert events() == [("deactivated", olga, otto)]


def test_nobody_but_an_operator_with_all_rights_can_be_named(otto, olga, ed):
    helper = person("helper", is_staff=True)
    for name in (ed.email, helper.email):
        assert (
            refused("users", "disable", olga.email, "--by", name) == f"--by: {name} is not an operator with all rights."
        )
    otto.delete()
    assert "bin/manage adduser EMAIL --operator" in refused("users", "disable", olga.email)
    assert User.objects.get(pk=olga.pk).is_active


def test_deleting_asks_for_the_address(otto, ed, monkeypatch):
    monkeypatch.setattr("sys.stdin", io.StringIO("yes\n"))
    assert refused("users", "delete", ed.email).startswith("Nothing was deleted.")
    assert User.objects.filter(pk=ed.pk, email=ed.email).exists()
    monkeypatch.setattr("sys.stdin", io.StringIO("Ed@example.com\n"))
    assert "ed@example.com deleted." in run("users", "delete", ed.email)
    assert not User.objects.filter(email="ed@example.com").exists()
    assert events() == [("account-deleted", User.objects.get(pk=ed.pk), otto)]


def test_an_owner_of_shared_boards_is_deleted_once_they_are_decided(otto, board, olga):
    said = refused("users", "delete", olga.email, "--yes")
    assert said.startswith("“Launch” has other members. Transfer the board to one of them, or choose to delete it.")
    assert f"{board.pk}  Launch" in said
    assert "bin/manage boards hand-over ID --to EMAIL" in said
    assert User.objects.filter(email=olga.email).exists()
    assert "owns no board" in refused("users", "delete", olga.email, "--yes", "--delete-board", otto.pk)
    run("users", "delete", olga.email, "--yes", "--delete-board", board.pk)
    run_jobs()
    assert not Board.objects.exists()


# tokens


def test_tokens_are_listed_with_their_bounds_and_never_their_text(otto, olga, ed):
    token, value = create_token(olga, "laptop", bounds=Bounds("read", [], False))
    create_token(ed, "phone")
    [row] = read("tokens", "list", "--user", olga.email)
    assert (row["id"], row["name"], row["owner"], row["state"]) == (str(token.pk), "laptop", olga.email, "valid")
    assert (row["access"], row["deletes"], row["boardIds"]) == ("read", False, [])
    table = run("tokens", "list")
    assert str(token.pk)[:13] in table
    assert "phone" in table
    for shown in (table, json.dumps(row)):
        assert token.digest not in shown
        assert value not in shown
        assert value[-4:] not in shown.replace(str(token.pk), "")


def test_a_token_is_revoked_once_by_the_beginning_of_its_id(otto, olga):
    token, value = create_token(olga, "laptop")
    for _time in range(2):
        said = run("tokens", "revoke", str(token.pk)[:13])
        assert said == "The API token “laptop” of olga@example.com is revoked.\n"
    assert find_live_token(value) is None
    assert events() == [("token-revoked", olga, otto)]
    assert read("tokens", "list") == []
    assert [row["state"] for row in read("tokens", "list", "--revoked")] == ["revoked"]


def test_a_token_that_is_not_there_or_not_the_only_one_is_said(otto, olga, ed):
    ids = [f"0193a0c0-5e4b-7000-8000-00000000000{digit}" for digit in (1, 2)]
    for user, pk in zip((olga, ed), ids, strict=True):
        ApiToken.objects.create(pk=pk, user=user, name="twin", digest=pk, last_four="abcd")
    assert (
        refused("tokens", "revoke", "0193a0c0-5e4b")
        == f"Several API tokens begin so: {ids[0]}, {ids[1]}. Write more of the ID."
    )
    for text in ("twin", "0193", "ffffffff"):
        assert (
            refused("tokens", "revoke", text) == f"No API token has the ID {text}. bin/manage tokens list lists them."
        )
    assert not ApiToken.objects.exclude(revoked_at=None).exists()


# boards


def test_boards_are_listed_with_their_owners(otto, board, olga, vera, stan):
    attic = create_board(actor=web(stan), title="Attic")
    archive_board(actor=web(stan), board_id=attic.pk)
    [row] = read("boards", "list", "--user", vera.email)
    assert (row["id"], row["title"], row["owner"], row["members"]) == (str(board.pk), "Launch", olga.email, 3)
    assert [row["title"] for row in read("boards", "list", "--archived")] == ["Attic"]
    assert "Launch" in run("boards", "list")


def test_a_title_cannot_steer_the_terminal(otto, olga):
    create_board(actor=web(olga), title="Red")
    Board.objects.update(title="\x1b[31mRed")
    assert "\x1b" not in run("boards", "list")


def test_a_board_is_offered_to_a_member_who_then_accepts(otto, board, olga, ed):
    said = run("boards", "hand-over", board.pk, "--to", ed.email)
    assert said == "“Launch” is offered to ed@example.com, who accepts or declines it in the browser.\n"
    assert Membership.objects.get(board=board, user=olga).role == "owner"
    assert (Offer.objects.get().to, Offer.objects.get().offered_by) == (ed, otto)
    assert events() == [("board-offered", ed, otto)]
    assert read("boards", "list")[0]["offeredTo"] == ed.email
    assert "Otto wants to transfer the board Launch to you" in text_of(browser(ed).get("/"))
    accept_offer(actor=web(ed), board_id=board.pk)
    assert Membership.objects.get(board=board, user=ed).role == "owner"


def test_a_board_is_not_offered_to_strangers_its_owner_or_from_the_archive(otto, board, olga, ed, stan):
    assert "stan@example.com is not a member of “Launch”" in refused(
        "boards", "hand-over", board.pk, "--to", stan.email
    )
    assert "olga@example.com owns “Launch” already" in refused("boards", "hand-over", board.pk, "--to", olga.email)
    archive_board(actor=web(olga), board_id=board.pk)
    assert "Restore the board first" in refused("boards", "hand-over", board.pk, "--to", ed.email)
    assert not Offer.objects.exists()
    assert events() == []


def test_archiving_and_restoring_is_the_operators_in_the_history(otto, board):
    assert read("boards", "archive", board.pk)["archivedAt"].endswith("Z")
    assert read("boards", "restore", str(board.pk)[:18])["archivedAt"] is None
    made = Activity.objects.filter(board=board).order_by("-version")[:2]
    assert [(one.verb, one.user, one.door) for one in made] == [
        ("board.restored", otto, Door.COMMAND),
        ("board.archived", otto, Door.COMMAND),
    ]


def test_the_plan_of_the_owner_limits_restoring(otto, board, olga):
    archive_board(actor=web(olga), board_id=board.pk)
    olga.plan.max_boards = 0
    olga.plan.save()
    assert "The owner's plan allows no more boards." in refused("boards", "restore", board.pk)


def test_a_board_that_is_not_there_is_said(otto):
    assert refused("boards", "archive", "Launch") == "No board has the ID Launch. bin/manage boards list lists them."
