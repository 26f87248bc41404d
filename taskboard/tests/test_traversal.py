"""Nothing beside the static files can be fetched under /static/, however the path is written, from either server."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from apiv1.tests.stacks import Answer, Line, embedded, gunicorn
from taskboard.tests.prepared import prepared_data
from taskboard.tests.servers import Running

STACKS = {"embedded": embedded, "gunicorn": gunicorn}
WAYS_UP = {
    "plain": "../",
    "encoded": "%2e%2e%2f",
    "encoded slash": "..%2f",
    "double encoded": "%252e%252e%252f",
    "backslash": "..\\",
    "encoded backslash": "..%5c",
    "overlong": "..%c0%af",
    "folder first": "css/../../",
    "dot first": "./../",
    "doubled": "....//",
    "semicolon": "..;/",
}


@pytest.fixture(scope="module")
def data(processes: None, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return prepared_data(tmp_path_factory.mktemp("data"))


@pytest.fixture(scope="module", params=STACKS)
def running(processes: None, request: pytest.FixtureRequest, data: Path) -> Iterator[Running]:
    with STACKS[request.param]({"TASKBOARD_DATA": str(data)}) as running:
        yield running


def get(running: Running, path: str) -> Answer:
    with Line(running) as line:
        line.send(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n".encode("latin-1"))
        answer = line.read()
        assert answer is not None
        return answer


def assert_nothing_there(answer: Answer, secret: bytes) -> None:
    assert answer.status in (400, 404)
    assert secret not in answer.body


def test_a_static_file_is_served(running, data):
    assert get(running, "/static/css/base.css").body == (data / "static" / "css" / "base.css").read_bytes()


@pytest.mark.parametrize("way", WAYS_UP)
def test_no_way_up_leads_out_of_the_static_files(running, data, way):
    secret = (data / "secret_key").read_bytes()
    for levels in (1, 2, 3):
        assert_nothing_there(get(running, f"/static/{WAYS_UP[way] * levels}secret_key"), secret)
    assert_nothing_there(get(running, f"/static/{WAYS_UP[way] * 12}etc/passwd"), b"root:")


@pytest.mark.parametrize("absolute", ["//{}", "/static/{}", "/static//{}", "/static/%2f{}", "/static/file://{}"])
def test_no_absolute_path_leads_out_of_the_static_files(running, data, absolute):
    path = data / "secret_key"
    for written in (str(path), str(path).replace("/", "%2f")):
        assert_nothing_there(get(running, absolute.format(written)), path.read_bytes())


@pytest.mark.parametrize("end", ["%00", "%00.css", "%00/../base.css", "%0a", "%2500"])
def test_a_nul_or_a_line_ends_no_path(running, data, end):
    assert get(running, f"/static/css/base.css{end}").status in (400, 404)
    assert_nothing_there(get(running, f"/static/../secret_key{end}"), (data / "secret_key").read_bytes())


@pytest.mark.parametrize("folder", ["/static/", "/static", "/static/css/", "/static/css", "/static/."])
def test_no_folder_is_listed(running, folder):
    assert_nothing_there(get(running, folder), b"base.css")
