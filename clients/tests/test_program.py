"""The client as people run it: a process of its own, against the real service."""

import ast
import json
import re
import signal
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from clients.taskboard import Failure, address, parser
from clients.tests.gardening import titles_in
from clients.tests.shell import GUIDE, HURRIED, LOST, NOWHERE, PROGRAM, Answers, Call, Shell, answering
from taskboard.tests.browsers import started_chromium
from taskboard.tests.needs import ROOT
from taskboard.tests.people import Person, settle
from taskboard.tests.prepared import prepared_data
from taskboard.tests.servers import PATIENCE, bare_environment, serving


def boards_of(person: Person) -> list[dict[str, Any]]:
    return person.script.get("/api/v1/boards").json()["boards"]


# Signing in


class Login:
    """A running `login` that waits for approval in the browser."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self.process = process
        assert process.stderr is not None
        self.code, _words, self.page = (process.stderr.readline().split()[-1] for _line in range(3))

    def ended(self) -> tuple[int, str, str]:
        out, err = self.process.communicate(timeout=PATIENCE)
        return self.process.returncode, out, err


@pytest.fixture
def login(shell, running) -> Iterator[Callable[..., Login]]:
    started: list[subprocess.Popen[str]] = []

    def login(*arguments: str, python_path: str = HURRIED) -> Login:
        """Start a login. It polls four times a second, or with another `python_path` at the server's pace."""
        command = ["login", running.url, "--no-browser", *arguments]
        started.append(shell.start(*command, PYTHONPATH=python_path))
        return Login(started[-1])

    yield login
    for process in started:
        if process.poll() is None:
            process.kill()
            process.communicate()


def answer(person: Person, login: Login, what: str) -> None:
    person.post("/cli", code=login.code.lower().replace("-", " "), answer=what)


def test_login_is_approved_in_a_browser(chromium, login, shell, people):
    waiting = login(python_path="")
    with started_chromium() as browser:
        page = browser.new_page(locale="en-GB")
        page.set_default_timeout(PATIENCE * 1000)
        page.goto(waiting.page)
        page.get_by_label("Email address").fill("ed@example.com")
        page.get_by_label("Password", exact=True).fill("correct horse battery")
        page.get_by_role("main").get_by_role("button", name="Sign in").click()
        page.get_by_text(waiting.code).wait_for()
        page.get_by_role("button", name="Approve").click()
        page.get_by_role("heading", name="Approved").wait_for()
    code, out, err = waiting.ended()
    assert (code, err) == (0, "")
    assert "as Ed (ed@example.com)" in out
    assert stat.S_IMODE(shell.kept.stat().st_mode) == 0o600
    assert shell.run("whoami")[1].startswith("Ed (ed@example.com)")


def test_login_shows_the_address_alone_on_a_line(login, running):
    waiting = login()
    assert waiting.page == f"{running.url}/cli?code={waiting.code}"


def test_login_answers_json(login, olga):
    waiting = login("--json")
    answer(olga, waiting, "approve")
    code, out, _err = waiting.ended()
    assert (code, json.loads(out)["user"]["email"]) == (0, "olga@example.com")


def test_a_denied_login_says_so(login, shell, olga):
    waiting = login()
    answer(olga, waiting, "deny")
    assert waiting.ended() == (1, "", "Denied in the browser.\n")
    assert not shell.kept.exists()


def test_a_login_says_once_why_it_waits_and_goes_on(shell):
    flow = {"deviceCode": "x", "userCode": "WDJB-MJHT", "verificationUriComplete": "http://x/cli", "interval": 0}
    pending = {"status": "pending", "interval": 0}
    polls = [(202, pending), *[(202, pending | {"reason": "Revoke a token."})] * 3, (200, {"token": "tbk_x"})]
    owner = {"user": {"name": "Vera", "email": "vera@example.com"}}
    calls = {"/api/v1/cli/auth": [(200, flow)], "/api/v1/cli/auth/token": polls, "/api/v1/me": [(200, owner)]}
    with answering(calls) as url:
        code, out, err = shell.run("login", url, "--no-browser")
    assert (code, err.count("Revoke a token.")) == (0, 1)
    assert "as Vera" in out


def test_a_login_goes_on_after_a_poll_whose_answer_was_lost(shell):
    calls = answers_to_login(verificationUriComplete="http://x/cli")
    calls["/api/v1/cli/auth/token"] = [(LOST, {}), (202, {"status": "pending"}), (LOST, {}), (200, {"token": "tbk_x"})]
    with answering(calls) as url:
        assert shell.run("login", url, "--no-browser", PYTHONPATH=HURRIED)[0] == 0


def test_an_expired_login_says_to_start_again(login, environment):
    waiting = login()
    expire = "from cliauth.models import Grant; from django.utils import timezone; "
    expire += "Grant.objects.filter(state='waiting').update(expires_at=timezone.now())"
    subprocess.run(
        [sys.executable, "manage.py", "shell", "-v0", "-c", expire],
        cwd=ROOT,
        env=bare_environment() | environment,
        check=True,
    )
    code, out, err = waiting.ended()
    assert (code, out) == (1, "")
    assert "expired" in err


def test_a_second_login_revokes_the_token_of_the_first(login, shell, olga):
    tokens = []
    for _time in range(2):
        waiting = login()
        answer(olga, waiting, "approve")
        assert waiting.ended()[0] == 0
        tokens.append(json.loads(shell.kept.read_text())["token"])
    answers = [olga.script.get("/api/v1/me", headers={"Authorization": f"Bearer {token}"}) for token in tokens]
    assert [answer.status_code for answer in answers] == [401, 200]


def test_ctrl_c_ends_a_login_quietly(login):
    waiting = login()
    waiting.process.send_signal(signal.SIGINT)
    assert waiting.ended() == (130, "", "Interrupted.\n")


@pytest.mark.parametrize(
    "url",
    [
        *("http://boards.example.com", "ftp://x", "https://", "https://a:b@c", "https://x?y", "http://x:y"),
        *("https://[::1", "https://x..y", "https://x/ü", f"https://{'x' * 70}.example", "https://a℀.example"),
    ],
)
def test_an_unusable_address_is_refused(url):
    with pytest.raises(Failure, match="https://") as refused:
        address(url, insecure=False)
    assert refused.value.code == 2


def test_a_login_at_an_unusable_address_says_so(shell):
    code, out, err = shell.run("login", "http://boards.example.com", "--no-browser")
    assert (code, out) == (2, "")
    assert err.startswith("http://boards.example.com is not encrypted")


def test_an_unreachable_server_is_reported(shell):
    code, _out, err = shell.run("login", NOWHERE, "--no-browser")
    assert code == 4
    assert "cannot be reached" in err


def test_an_address_of_any_letters_is_kept_as_the_network_knows_it():
    assert address("https://Bücher.Example:8443/boards/", insecure=False) == "https://xn--bcher-kva.example:8443/boards"


FLOW = {"deviceCode": "x", "userCode": "WDJB-MJHT", "interval": 0}
OLGA = {"user": {"name": "Olga", "email": "olga@example.com"}}


def answers_to_login(**flow: str) -> Answers:
    token = {"/api/v1/cli/auth/token": [(200, {"token": "tbk_x"})], "/api/v1/token": [(204, {})]}
    return {"/api/v1/cli/auth": [(200, FLOW | flow)], "/api/v1/me": [(200, OLGA)], **token}


@pytest.mark.parametrize("token, is_said", [("tbk_y", True), ("", False)])
def test_a_login_says_that_a_token_of_the_environment_is_used_all_the_same(shell, token, is_said):
    with answering(answers_to_login(verificationUriComplete="http://x/cli")) as url:
        code, out, err = shell.run("login", url, "--no-browser", TASKBOARD_TOKEN=token)
    assert (code, out.split()[0]) == (0, "Signed")
    assert ("unset TASKBOARD_TOKEN" in err) == is_said


@pytest.mark.parametrize(
    "page, is_opened", [("https://x/cli", True), ("file:///bin/sh", False), ("//x/run.exe", False)]
)
def test_login_opens_pages_only(shell, tmp_path, page, is_opened):
    browser, opened = tmp_path / "browser", tmp_path / "opened"
    browser.write_text(f'#!/bin/sh\necho "$1" > {opened}\n')
    browser.chmod(0o700)
    with answering(answers_to_login(verificationUriComplete=page)) as url:
        assert shell.run("login", url, BROWSER=f"{browser} %s")[0] == 0
    assert opened.exists() == is_opened


def test_a_token_that_cannot_be_kept_is_revoked(shell):
    (shell.home / "config").write_text("a file where the folder has to be")
    calls: list[Call] = []
    with answering(answers_to_login(verificationUriComplete="https://x/cli"), calls) as url:
        code, out, err = shell.run("login", url, "--no-browser")
    assert (code, out) == (1, "")
    assert f"{shell.kept} cannot be written" in err
    assert (calls[-1].method, calls[-1].headers["Authorization"]) == ("DELETE", "Bearer tbk_x")


def test_a_server_that_starts_no_sign_in_is_none_of_taskboard(shell):
    with answering({"/api/v1/cli/auth": [(200, {"status": "ok"})]}) as url:
        code, _out, err = shell.run("login", url, "--no-browser")
    assert (code, err) == (4, f"{url} does not answer like a Taskboard server. Check the address.\n")


# Signing out


def test_logout_revokes_the_token(shell, running, login, olga):
    waiting = login()
    answer(olga, waiting, "approve")
    waiting.ended()
    token = json.loads(shell.kept.read_text())["token"]
    assert shell.run("logout")[0] == 0
    assert not shell.kept.exists()
    assert olga.script.get("/api/v1/me", headers={"Authorization": f"Bearer {token}"}).status_code == 401


def test_logout_without_the_server_says_what_remains(shell):
    shell.sign_in(NOWHERE, "tbk_" + "a" * 43)
    code, _out, err = shell.run("logout")
    assert code == 4
    assert f"revoke it at {NOWHERE}/settings/tokens" in err
    assert not shell.kept.exists()


def test_logout_when_signed_out_does_no_harm(shell):
    assert shell.run("logout")[0] == 0


@pytest.mark.parametrize(
    "arguments", [["whoami"], ["boards"], ["add", "x"], ["board", "new", "x"], ["list"], ["show", "1"], ["search", "x"]]
)
def test_every_command_says_to_sign_in_when_signed_out(shell, arguments):
    code, out, err = shell.run(*arguments)
    assert (code, out) == (3, "")
    assert "taskboard.py login" in err


def test_a_command_with_a_revoked_token_says_to_sign_in(shell, running):
    shell.sign_in(running.url, "tbk_" + "a" * 43)
    code, _out, err = shell.run("whoami")
    assert code == 3
    assert "taskboard.py login" in err


def test_a_command_with_a_broken_token_file_says_to_delete_it(shell):
    shell.sign_in("x", "y")
    shell.kept.write_text("{")
    code, _out, err = shell.run("whoami")
    assert code == 3
    assert str(shell.kept) in err


def test_the_environment_can_hold_the_token(shell, running, olga):
    code, out, _err = shell.run("whoami", TASKBOARD_TOKEN=olga.token, TASKBOARD_URL=running.url)
    assert (code, out.split()[0]) == (0, "Olga")


def test_a_token_in_the_environment_may_end_with_a_newline(shell, running, olga):
    assert shell.run("whoami", TASKBOARD_TOKEN=f"{olga.token}\r\n", TASKBOARD_URL=running.url)[0] == 0


@pytest.mark.parametrize("token", ["tbk_a\ntbk_b", "tbk_ü", "tbk_日本"])
def test_a_token_in_the_environment_that_is_none_is_not_told(shell, token):
    code, out, err = shell.run("whoami", TASKBOARD_TOKEN=token, TASKBOARD_URL=NOWHERE)
    assert (code, out, err) == (2, "", "TASKBOARD_TOKEN is not a token: it has spaces or letters that no token has.\n")


def test_a_refused_token_of_the_environment_is_named_as_the_one_to_change(signed_in, running):
    code, _out, err = signed_in.run("whoami", TASKBOARD_TOKEN="tbk_x", TASKBOARD_URL=running.url)
    assert (code, "TASKBOARD_TOKEN" in err) == (3, True)


# Boards and cards


def test_boards_shows_ids_and_titles(signed_in, olga):
    board = olga.new_board("Größe 日本")
    code, out, _err = signed_in.run("boards")
    assert code == 0
    assert f"{board['id']}  Größe 日本" in out
    assert all(row["id"] in out for row in board["lists"])
    assert json.loads(signed_in.run("boards", "--json")[1])["boards"] == boards_of(olga)


def test_titles_do_not_steer_the_terminal(signed_in, olga):
    olga.new_board("a\u202eb\u009bc")
    _code, out, _err = signed_in.run("boards")
    assert "  abc\n" in out


def test_board_new_makes_a_board(signed_in, olga):
    code, out, _err = signed_in.run("board", "new", "From here", "--template", "kanban")
    assert code == 0
    board = next(board for board in boards_of(olga) if board["title"] == "From here")
    assert out.strip().endswith(f"/board/{board['id']}")
    assert len(board["lists"]) == 3


def test_board_new_passes_on_what_the_server_says(signed_in):
    code, _out, err = signed_in.run("board", "new", "x", "--template", "scrum")
    assert code == 1
    assert "template must be one of" in err


def test_add_finds_the_place_by_title_in_any_case(signed_in, olga):
    board = olga.new_board("Straße")
    code, out, _err = signed_in.run(
        "add", "--board", "STRASSE", "--list", "done", "--due", "2026-12-01", "Write", "it", "--json"
    )
    card = json.loads(out)
    assert code == 0
    assert (card["title"], card["listId"], card["dueDate"]) == ("Write it", board["lists"][2]["id"], "2026-12-01")


def test_add_takes_ids(signed_in, olga):
    board = olga.new_board("By id")
    signed_in.run("add", "--board", board["id"], "x")
    assert (
        json.loads(signed_in.run("add", "--list", board["lists"][1]["id"], "y", "--json")[1])["listId"]
        == (board["lists"][1]["id"])
    )


def test_add_without_a_place_lists_the_boards(signed_in, olga):
    olga.new_board("One")
    olga.new_board("Other")
    code, _out, err = signed_in.run("add", "x")
    assert code == 2
    assert "One" in err
    assert "Other" in err


def test_add_asks_which_of_two_with_the_same_title(signed_in, olga):
    boards = [olga.new_board("Twin"), olga.new_board("Twin")]
    code, _out, err = signed_in.run("add", "--board", "Twin", "x")
    assert code == 1
    assert all(board["id"] in err for board in boards)


def test_add_names_what_there_is_when_a_title_is_wrong(signed_in, olga):
    olga.new_board("Right")
    code, _out, err = signed_in.run("add", "--board", "Wrong", "x")
    assert code == 1
    assert "Right" in err


@pytest.fixture
def crowded(shell) -> Iterator[Shell]:
    """Signed in to a server with 3,000 lists on one board, 40 of them called Twin."""
    titles = [f"List {number}" for number in range(2960)] + ["Twin"] * 40
    lists = [{"id": str(number), "title": title} for number, title in enumerate(titles)]
    boards = {"boards": [{"id": "x", "title": "Big", "lists": lists}]}
    with answering({"/api/v1/boards": [(200, boards)]}) as url:
        shell.sign_in(url, "tbk_x")
        yield shell


def test_add_names_few_of_very_many_and_how_to_see_all(crowded):
    for wanted, named in (("Lists 1234", "List 1234"), ("Nope", "List 0")):
        code, _out, err = crowded.run("add", "--list", wanted, "x")
        assert code == 1
        assert f"There is no list '{wanted}'. There are 2961" in err
        assert named in err
        assert len(err) < 400
        assert err.endswith("See all with: taskboard.py boards\n")


def test_add_names_few_of_very_many_with_the_same_title(crowded):
    _code, _out, err = crowded.run("add", "--list", "twin", "x")
    assert "and 30 more. See all with: taskboard.py boards" in err


def test_add_takes_the_only_board(shell, running, people):
    board = people["vera"].new_board("Only")
    shell.sign_in(running.url, people["vera"].token)
    code, out, _err = shell.run("add", "x", "--json")
    assert (code, json.loads(out)["listId"]) == (0, board["lists"][0]["id"])


@pytest.mark.parametrize(("more", "lines"), [(["Water the seeds"], ""), ([], "one\ntwo\n")])
def test_a_due_date_that_is_not_understood_is_named_as_it_was_given(signed_in, olga, more, lines):
    board = olga.new_board("Garden of dates")
    code, out, err = signed_in.run("add", "--board", board["id"], "--due", "2026-02-30", *more, given=lines)
    assert (code, out) == (2, "")
    assert err.count("--due") == 1
    assert "dueDate" not in err


@pytest.mark.parametrize("arguments", [["boards", "--json"], ["--json", "boards"]])
def test_json_may_be_asked_for_before_and_after_the_command(signed_in, olga, arguments):
    assert json.loads(signed_in.run(*arguments)[1])["boards"] == boards_of(olga)


@pytest.mark.parametrize("place", range(3))
def test_json_may_be_asked_for_anywhere_in_a_command_of_two_words(signed_in, olga, place):
    words = ["board", "new"]
    words.insert(place, "--json")
    assert json.loads(signed_in.run(*words, "Herbs")[1])["board"]["title"] == "Herbs"


@pytest.mark.parametrize("arguments", [[], ["-"]])
def test_add_reads_a_card_a_line_and_goes_on_after_a_bad_one(signed_in, olga, arguments):
    board = olga.new_board("Lines")
    given = f"\ufefffirst ☕\n\n{'x' * 501}\nlast"
    code, out, err = signed_in.run("add", "--board", board["id"], *arguments, given=given)
    assert code == 1
    assert titles_in(olga, board["lists"][0]) == ["first ☕", "last"]
    assert len(out.splitlines()) == 2
    assert "500" in err
    assert "1 of the lines" in err


def test_a_refused_title_is_reported(signed_in, olga):
    code, out, err = signed_in.run("add", "--board", olga.new_board("Refusing")["id"], "x" * 501)
    assert (code, out) == (1, "")
    assert "500" in err


def test_the_client_waits_when_it_has_made_too_many_calls(processes, tmp_path):
    environment = {"TASKBOARD_DATA": str(prepared_data(tmp_path / "data")), "TASKBOARD_LIMITS": "cards=2/s"}
    with serving(environment) as running, settle(environment, running.url, "olga") as people:
        shell = Shell(tmp_path)
        shell.sign_in(running.url, people["olga"].token)
        board = people["olga"].new_board()
        code, out, _err = shell.run("add", "--board", board["id"], given="\n".join("abcdefgh"))
        assert (code, len(out.splitlines())) == (0, 8)


def test_a_reader_that_stops_early_is_not_an_error(signed_in):
    with signed_in.start("boards") as process:
        assert process.stdout is not None
        process.stdout.close()
        assert process.stderr is not None
        assert (process.stderr.read(), process.wait(PATIENCE)) == ("", 0)


@pytest.mark.parametrize("more", [[], ["--json"]])
def test_lines_are_added_when_nobody_reads_the_answers_any_more(signed_in, olga, more):
    board = olga.new_board("Unread")
    with signed_in.start("add", "--board", board["id"], *more) as process:
        assert process.stdout is not None
        process.stdout.close()
        assert process.stdin is not None
        process.stdin.write("one\ntwo\nthree\n")
        process.stdin.close()
        assert process.stderr is not None
        assert (process.stderr.read(), process.wait(PATIENCE)) == ("", 0)
    assert titles_in(olga, board["lists"][0]) == ["one", "two", "three"]


def test_answers_for_which_there_is_no_room_are_reported(signed_in):
    with open("/dev/full", "w") as full:
        run = subprocess.run(
            [sys.executable, str(PROGRAM), "boards"], env=signed_in.environment, stdout=full, stderr=subprocess.PIPE
        )
    assert (run.returncode, run.stderr) == (1, b"The answer cannot be written: No space left on device.\n")


@pytest.mark.parametrize("closed", [0, 1, 2])
def test_a_command_is_done_where_input_or_output_is_closed(signed_in, olga, closed):
    board = olga.new_board("Closed")
    command = ["sh", "-c", f'exec "$@" {closed}>&-', "-", sys.executable, str(PROGRAM)]
    run = subprocess.run([*command, "add", "--board", board["id"], "x"], env=signed_in.environment, capture_output=True)
    assert (run.returncode, run.stderr) == (0, b"")
    assert titles_in(olga, board["lists"][0]) == ["x"]


def test_a_server_that_is_away_for_long_is_not_waited_for_for_ever(shell):
    calls: list[Call] = []
    away = (503, {"error": "The service cannot reach its database."})
    for seconds in ("0", "1", "50"):
        with answering({"/api/v1/me": [away]}, calls, headers={"Retry-After": seconds}) as url:
            shell.sign_in(url, "tbk_x")
            code, out, err = shell.run("whoami", PYTHONPATH=HURRIED)
        assert (code, out, err.splitlines()[-1]) == (1, "", "The service cannot reach its database.")
        assert 1 < len(calls) < 100
        calls.clear()


# The program itself


def test_the_program_runs_on_python_3_9():
    ast.parse(PROGRAM.read_text(), feature_version=(3, 9))


def test_every_command_and_option_is_in_the_guide(capsys):
    def page_of(*words: str) -> str:
        with pytest.raises(SystemExit):
            parser().parse_args([*words, "--help"])
        return capsys.readouterr().out

    top = page_of()
    commands = re.findall(r"^    (\w+) ", top, re.MULTILINE)
    assert {"login", "board", "list", "show", "done", "move", "attach"} <= {*commands}
    pages = [page_of(*words) for words in (*([each] for each in commands), ["board", "new"])]
    options = {option for page in (top, *pages) for option in re.findall(r"--[a-z-]+", page)}
    missing = [option for option in options if not re.search(rf"{option}(?![a-z-])", GUIDE)]
    missing += [each for each in commands if not re.search(rf"`{each}\b", GUIDE)]
    assert missing == []


def test_wrong_usage_exits_with_code_2(shell):
    assert shell.run()[0] == 2
    assert shell.run("fly")[0] == 2
