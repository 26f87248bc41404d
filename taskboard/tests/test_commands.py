"""The commands of bin/manage: what they make, print and refuse."""

import io
import sys
from collections.abc import Callable
from datetime import timedelta

import pytest
import time_machine
from allauth.account.models import EmailAddress
from django.contrib.sessions.models import Session
from django.core.mail import EmailMessage
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils import timezone

from accounts.management.commands import adduser
from accounts.models import ApiToken, MadeBy, Plan, User
from accounts.tokens import create_token, find_live_token
from apiv1.models import KeptAnswer
from boards.actions.boards.board import create_board
from boards.actor import Actor
from boards.dates import timestamp
from boards.models import (
    Activity,
    Assignment,
    Board,
    Card,
    ChecklistItem,
    Comment,
    Counted,
    Invitation,
    Membership,
    Use,
)
from boards.reader import Reader
from conftest import run_jobs, web
from jobs.clock import set_clock, take_turns
from operating import tidying

GOOD = "seven wild swans"
Typed = Callable[[str], None]


@pytest.fixture
def typed(monkeypatch: pytest.MonkeyPatch) -> Typed:
    """Set what is read from standard input, which is not a terminal."""
    return lambda text: monkeypatch.setattr(sys, "stdin", io.StringIO(text))


@pytest.fixture
def at_a_terminal(monkeypatch: pytest.MonkeyPatch) -> Typed:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    return lambda text: monkeypatch.setattr(sys, "stdin", Terminal(text))


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch, at_a_terminal: Typed) -> Callable[..., None]:
    """Set the passwords that are typed at the hidden prompt, one after the other."""

    def answer(*passwords: str) -> None:
        at_a_terminal("")
        waiting = iter(passwords)
        monkeypatch.setattr(adduser.getpass, "getpass", lambda prompt: next(waiting))

    return answer


def run(*command: str) -> str:
    out = io.StringIO()
    call_command(*command, stdout=out)
    return out.getvalue()


@pytest.mark.django_db
def test_adduser_creates_an_account_with_the_given_values(client: Client) -> None:
    said = run(
        "adduser", "Nora@Example.com", "--password", GOOD, "--name", "Nora", "--language", "de",
        "--time-zone", "Europe/Berlin", "--plan", "pro",
    )  # fmt: skip
    nora = User.objects.get(email="nora@example.com")
    assert said == "nora@example.com added.\n"
    assert (nora.name, nora.language, nora.time_zone, nora.plan_id) == ("Nora", "de", "Europe/Berlin", "pro")
    assert not nora.is_staff
    assert client.login(email="nora@example.com", password=GOOD)


@pytest.mark.django_db
def test_adduser_marks_the_address_of_a_new_account_as_verified() -> None:
    run("adduser", "nora@example.com", "--password", GOOD)
    address = EmailAddress.objects.get(email="nora@example.com")
    assert address.verified
    assert address.primary


def test_adduser_does_not_mark_an_address_from_sign_up_as_verified(olga: User) -> None:
    run("adduser", olga.email, "--password", GOOD)
    assert not EmailAddress.objects.filter(user=olga, verified=True).exists()


@pytest.mark.django_db
def test_adduser_makes_operators() -> None:
    run("adduser", "nora@example.com", "--password", GOOD, "--operator")
    nora = User.objects.get(email="nora@example.com")
    assert nora.is_staff
    assert nora.is_superuser


def test_adduser_updates_what_is_given_and_leaves_the_rest(olga: User, typed: Typed) -> None:
    typed("")
    assert run("adduser", "OLGA@example.com", "--plan", "pro") == "olga@example.com updated.\n"
    olga.refresh_from_db()
    assert (olga.plan_id, olga.name) == ("pro", "Olga")
    assert olga.check_password("correct horse")


def test_adduser_sets_a_new_password(olga: User) -> None:
    run("adduser", olga.email, "--password", GOOD)
    olga.refresh_from_db()
    assert olga.check_password(GOOD)


def test_adduser_ends_the_sessions_of_the_old_password(olga: User, client: Client) -> None:
    client.force_login(olga)
    run("adduser", olga.email, "--password", GOOD)
    assert client.get("/settings/profile").status_code == 302


def test_adduser_leaves_a_deactivated_account_deactivated_and_says_so(olga: User) -> None:
    User.objects.update(is_active=False)
    assert "This account is deactivated" in run("adduser", olga.email, "--password", GOOD)
    olga.refresh_from_db()
    assert not olga.is_active


@pytest.mark.django_db
def test_adduser_reads_the_password_from_standard_input(typed: Typed) -> None:
    typed(f" {GOOD} \nanother line\n")
    run("adduser", "nora@example.com")
    assert User.objects.get(email="nora@example.com").check_password(f" {GOOD} ")


@pytest.mark.django_db
def test_adduser_asks_for_the_password_at_a_terminal(asked: Callable[..., None]) -> None:
    asked(GOOD, GOOD)
    run("adduser", "nora@example.com")
    assert User.objects.get(email="nora@example.com").check_password(GOOD)


@pytest.mark.django_db
def test_adduser_requires_the_same_password_twice(asked: Callable[..., None]) -> None:
    asked(GOOD, "seven wild ducks")
    with pytest.raises(CommandError, match="The two passwords differ"):
        run("adduser", "nora@example.com")
    assert not User.objects.exists()


@pytest.mark.django_db
@pytest.mark.parametrize(
    "arguments, words",
    [
        (["nobody"], "EMAIL: Enter a valid email address."),
        (["nora@example.com", "--language", "xx"], "--language: write one of en, de, fr, es, pt-br, ja, zh-hans."),
        (["nora@example.com", "--time-zone", "Mars"], "--time-zone: write a time zone such as Europe/Berlin."),
        (["nora@example.com", "--plan", "gold"], "--plan: write one of free, pro."),
        (["nora@example.com", "--name", "n" * 101], "--name: Ensure this value has at most 100 characters"),
        (["nora@example.com", "--name", "No\nra"], "--name: Enter a single line of text"),
        (["nora@example.com", "--password", "short"], "The password was not accepted: This password is too short."),
        (["nora@example.com", "--password", ""], "A new account needs a password"),
    ],
)
def test_adduser_refuses_invalid_values(arguments: list[str], words: str) -> None:
    with pytest.raises(CommandError) as refused:
        run("adduser", *([*arguments, "--password", GOOD] if "--password" not in arguments else arguments))
    assert words in str(refused.value)
    assert not User.objects.exists()


def test_adduser_changes_nothing_when_the_password_is_refused(olga: User) -> None:
    with pytest.raises(CommandError):
        run("adduser", olga.email, "--plan", "pro", "--password", "12345678")
    olga.refresh_from_db()
    assert olga.plan_id == "free"


def test_addtoken_prints_the_value_and_nothing_else(olga: User) -> None:
    value = run("addtoken", "Olga@example.com").removesuffix("\n")
    token = find_live_token(value)
    assert token is not None
    assert (token.user, token.name, token.made_by) == (olga, "Command line", MadeBy.COMMAND_LINE)


def test_addtoken_takes_a_name(olga: User) -> None:
    run("addtoken", olga.email, "--name", " laptop ")
    assert olga.tokens.get().name == "laptop"


def test_addtoken_limits_what_it_may_do(olga: User, board: Board) -> None:
    other = create_board(actor=web(olga), title="Other")
    ids = [str(other.pk), str(board.pk)]
    with time_machine.travel("2026-11-23T12:00:00Z", tick=False):
        run("addtoken", olga.email, "--access", "read", "--board", *ids, "--no-deletes", "--expires", "30")
    token = olga.tokens.get()
    assert (token.access, token.board_ids, token.deletes) == ("read", sorted(ids), False)
    assert timestamp(token.expires_at) == "2026-12-23T12:00:00Z"


def test_addtoken_takes_board_after_board(olga: User, board: Board) -> None:
    run("addtoken", olga.email, "--board", str(board.pk), "--board", str(board.pk))
    assert olga.tokens.get().board_ids == [str(board.pk)]


def test_addtoken_limits_nothing_by_itself(olga: User) -> None:
    run("addtoken", olga.email)
    token = olga.tokens.get()
    assert (token.access, token.board_ids, token.deletes, token.expires_at) == ("readWrite", None, True, None)


def test_addtoken_refuses_boards_of_others_and_such_as_are_none(olga: User, stan: User) -> None:
    foreign = str(create_board(actor=web(stan), title="Foreign").pk)
    for unknown in (foreign, "nonsense"):
        with pytest.raises(CommandError, match=f"--board: .* {unknown}"):
            run("addtoken", olga.email, "--board", unknown)
    assert not ApiToken.objects.exists()


@pytest.mark.parametrize("days", ["0", "-1", "36501"])
def test_addtoken_refuses_an_expiry_that_is_none(olga: User, days: str) -> None:
    with pytest.raises(CommandError, match="--expires: "):
        run("addtoken", olga.email, "--expires", days)
    assert not ApiToken.objects.exists()


def test_addtoken_refuses_at_the_limit_of_the_plan(olga: User) -> None:
    run("addtoken", olga.email)
    with pytest.raises(CommandError, match="Your plan allows 1 API token"):
        run("addtoken", olga.email)
    assert olga.tokens.count() == 1


def test_addtoken_refuses_an_unknown_address(db: None) -> None:
    with pytest.raises(CommandError, match="There is no account with the address nora"):
        run("addtoken", "nora@example.com")


def test_addtoken_refuses_a_deactivated_account(olga: User) -> None:
    User.objects.update(is_active=False)
    with pytest.raises(CommandError, match="is deactivated"):
        run("addtoken", olga.email)
    assert not ApiToken.objects.exists()


@pytest.mark.parametrize("name", ["", "   ", "n" * 101, "a\tb\x07"])
def test_addtoken_refuses_an_invalid_name(olga: User, name: str) -> None:
    with pytest.raises(CommandError, match="--name: "):
        run("addtoken", olga.email, "--name", name)
    assert not ApiToken.objects.exists()


def printed(text: str) -> dict[str, str]:
    return {name: value.strip() for name, _colon, value in (line.partition(":") for line in text.splitlines())}


@pytest.mark.django_db
def test_demo_prints_how_to_get_in(client: Client, settings) -> None:
    said = printed(run("demo"))
    assert said["Address"] == settings.BASE_URL
    assert client.login(email=said["Sign in"], password=said["Password"])
    token = find_live_token(said["API token"])
    assert token is not None
    assert (token.user.email, token.name) == ("demo@example.com", "demo")


@pytest.mark.django_db
def test_demo_people_are_members_where_mail_is_set_too(settings) -> None:
    settings.MAIL = {"EMAIL_HOST": "mail.example.com"}
    run("demo")
    assert Membership.objects.exclude(user__email="demo@example.com").exists()
    assert not Invitation.objects.exists()


@pytest.mark.django_db
def test_demo_fills_a_board_from_every_template() -> None:
    run("demo")
    demo = User.objects.get(email="demo@example.com")
    used = Activity.objects.filter(verb="board.created", user=demo).values_list("data__template__1", flat=True)
    assert set(used) == {"blank", "kanban", "content", "personal"}
    assert demo.plan_id == "pro"
    assert all(board.cards.count() >= 5 for board in Board.objects.owned_by(demo))


@pytest.mark.django_db
def test_demo_shows_everything_that_a_card_can_have() -> None:
    run("demo")
    cards = Card.objects.all()
    now = timezone.now()
    assert cards.filter(due_at__lt=now, completed_at=None).exists()
    assert cards.filter(due_at__gt=now).exists()
    assert cards.filter(description__isnull=False).exists()
    assert cards.filter(archived_at__isnull=False).exists()
    assert cards.filter(completed_at__isnull=False).exists()
    assert cards.exclude(recurrence="").exists()
    assert cards.filter(card_labels__isnull=False).exists()
    assert ChecklistItem.objects.filter(done=True).exists()
    assert Comment.objects.exclude(author__email="demo@example.com").exists()
    assert Assignment.objects.exclude(user__email="demo@example.com").exists()
    assert Membership.objects.filter(role="viewer").exists()


@pytest.mark.django_db
def test_demo_fills_an_existing_account_in_another_language() -> None:
    run("adduser", "demo@example.com", "--password", GOOD, "--language", "ja")
    run("demo")
    demo = User.objects.get(email="demo@example.com")
    assert demo.language == "ja"
    assert Board.objects.owned_by(demo).count() == 4


@pytest.mark.django_db
def test_nobody_can_sign_in_as_the_other_people_of_the_demo() -> None:
    run("demo")
    others = User.objects.exclude(email="demo@example.com")
    assert others.count() == 3
    assert not any(person.has_usable_password() for person in others)


@pytest.mark.django_db
def test_a_second_demo_replaces_the_token_and_adds_no_boards() -> None:
    first = printed(run("demo"))
    before = Board.objects.count(), Card.objects.count(), User.objects.count()
    second = printed(run("demo"))
    assert (Board.objects.count(), Card.objects.count(), User.objects.count()) == before
    assert find_live_token(first["API token"]) is None
    assert find_live_token(second["API token"]) is not None
    assert User.objects.get(email="demo@example.com").check_password(second["Password"])


@pytest.mark.django_db
def test_a_second_demo_leaves_other_tokens_alone() -> None:
    run("demo")
    _token, value = create_token(User.objects.get(email="demo@example.com"), "laptop")
    run("demo")
    assert find_live_token(value) is not None


def test_demo_requires_yes_where_other_accounts_exist(olga: User, typed: Typed) -> None:
    typed("")
    with pytest.raises(CommandError, match="Add --yes"):
        run("demo")
    assert User.objects.count() == 1


def test_demo_is_made_beside_other_accounts_when_told_yes(olga: User, typed: Typed) -> None:
    typed("")
    assert "API token" in run("demo", "--yes")
    assert not Board.objects.visible_to(Reader(olga)).exists()


def test_demo_asks_at_a_terminal(olga: User, at_a_terminal: Typed) -> None:
    at_a_terminal("y\n")
    assert "API token" in run("demo")


def test_demo_reads_anything_but_yes_as_no(olga: User, at_a_terminal: Typed) -> None:
    at_a_terminal("\n")
    with pytest.raises(CommandError, match="Nothing was changed"):
        run("demo")
    assert User.objects.count() == 1


@pytest.mark.django_db
def test_demo_without_its_plan_makes_nothing() -> None:
    Plan.objects.filter(key="pro").delete()
    with pytest.raises(CommandError, match="on the plan pro"):
        run("demo")
    assert not User.objects.exists()


def test_a_demo_that_fails_halfway_leaves_nothing(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    Plan.objects.filter(key="pro").update(max_tokens=0)
    with pytest.raises(CommandError, match="no room for another token"):
        run("demo")
    assert not User.objects.exists()
    assert not Board.objects.exists()


def kept_answer(user: User, key: str, age: timedelta) -> None:
    token = user.tokens.first() or create_token(user, "laptop")[0]
    made = timezone.now() - age
    KeptAnswer.objects.create(token=token, path="/api/v1/cards", key=key, body_digest="0" * 64, created_at=made)


def test_tidy_removes_answers_after_a_day(olga: User) -> None:
    kept_answer(olga, "old", timedelta(hours=24, seconds=1))
    kept_answer(olga, "fresh", timedelta(hours=23, minutes=59))
    assert "kept answers: 1 removed" in run("tidy")
    assert [answer.key for answer in KeptAnswer.objects.all()] == ["fresh"]


@pytest.mark.django_db
def test_tidy_removes_expired_invitations_and_uses_of_yesterday(olga: User) -> None:
    board, now = create_board(actor=Actor(olga), title="Launch"), timezone.now()
    for hours in (-1, 1):
        Invitation.objects.create(
            board=board, email=f"{hours}@example.com", invited_by=olga, expires_at=now + timedelta(hours=hours)
        )
    Use.objects.create(user=olga, what=Counted.BOARD, at=now - timedelta(hours=25))
    said = run("tidy")
    assert "invitations: 1 removed" in said
    assert "counted uses: 1 removed" in said
    assert Invitation.objects.get().email == "1@example.com"
    assert Use.objects.get().at > now - timedelta(hours=1)


@pytest.mark.django_db
def test_tidy_removes_sessions_that_are_over() -> None:
    now = timezone.now()
    Session.objects.create(session_key="over", session_data="", expire_date=now - timedelta(seconds=1))
    Session.objects.create(session_key="open", session_data="", expire_date=now + timedelta(days=1))
    assert "sessions: 1 removed" in run("tidy")
    assert [session.session_key for session in Session.objects.all()] == ["open"]


def test_tidy_goes_through_in_batches(olga: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tidying, "BATCH", 2)
    for number in range(5):
        kept_answer(olga, str(number), timedelta(days=2))
    assert tidying.tidy()["kept answers"] == 5
    assert not KeptAnswer.objects.exists()


@pytest.mark.django_db
def test_a_worker_tidies_every_hour() -> None:
    Session.objects.create(session_key="over", session_data="", expire_date=timezone.now())
    set_clock()
    with time_machine.travel(timezone.now() + timedelta(hours=1)):
        take_turns()
        run_jobs()
    assert not Session.objects.exists()


@pytest.mark.django_db
def test_tidy_twice_finds_nothing_the_second_time() -> None:
    run("tidy")
    assert set(tidying.tidy().values()) == {0}


def test_sendtestemail_says_that_the_mail_was_taken(settings, mailoutbox: list[EmailMessage]) -> None:
    settings.MAIL = {"EMAIL_HOST": "mail.example.com"}
    said = run("sendtestemail", "olga@example.com", "ed@example.com")
    assert said.splitlines()[0] == "The mail server accepted a test mail to olga@example.com. Check that it arrives."
    assert [message.to for message in mailoutbox] == [["olga@example.com"], ["ed@example.com"]]


def test_sendtestemail_says_in_a_sentence_that_the_mail_server_does_not_answer(settings) -> None:
    settings.MAIL = {"EMAIL_HOST": "127.0.0.1"}
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", 1
    with pytest.raises(CommandError, match=r"127\.0\.0\.1:1 cannot be reached: Connection refused\n"):
        run("sendtestemail", "olga@example.com")


def test_sendtestemail_without_a_mail_server_says_what_to_set(settings) -> None:
    settings.MAIL = {}
    with pytest.raises(CommandError, match=r"No mail server is set up\. Set TASKBOARD_EMAIL_URL"):
        run("sendtestemail", "olga@example.com")
