"""The log: its lines, as text or JSON, without keys of links, and one where Django writes a traceback for each request."""

import json
import logging
import re
import sys
import threading
import time
from datetime import UTC, datetime
from functools import lru_cache, partial
from typing import Any

from django.conf import settings

from core.http.request_ids import request_id
from core.outage import Throttle, one_line

# What comes before a key in an address: whoever has the key has an account, a board, or the word of its owner.
# taskboard/tests/test_logs.py goes through the table of addresses and fails where one is missing.
BEFORE_KEYS = (
    "/account/email/stop/",
    "/account/email/",
    "/account/factor/",
    "/first/",
    "/invitation-mails/",
    "/join/",
    "/notification-mails/",
    "/password/reset/",
    "/people/",
    "/public/",
)
IN_PATHS = re.compile(rf"({'|'.join(map(re.escape, BEFORE_KEYS))})[^\s/?#\"'<>]+")
IN_QUERIES = re.compile(r"([?&](?:code|state|key|token|user_code)=)[^\s&#\"'<>]+")
# What PostgreSQL adds to an error: whole rows, whose texts may have empty lines, up to the next error of a traceback
DETAIL = re.compile(r"(\s+DETAIL:).*?(?=\n\n(?:The above exception|During handling)|\Z)", re.DOTALL)
MAIL_ADDRESS = re.compile(r"[\w.!#$%&*+/=?^{|}~-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63})+")
REMOVED = "..."
START = "taskboard.start"  # the logger of what processes of the service say when they start
ACCESS = "taskboard.access"  # the logger of requests
REQUEST = "%(address)s %(method)s %(route)s %(status)s %(ms)s ms account=%(account)s token=%(token)s"
# What no form of a line has: not looked up for each record
logging.logThreads = logging.logProcesses = logging.logMultiprocessing = False
CONTROLS = re.compile(r"[\x00-\x08\x0a-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")


def without_keys(text: str) -> str:
    """Return the text with REMOVED in place of each key of an address in it, of each mail address, and of quoted rows."""
    if "DETAIL:" in text:
        text = DETAIL.sub(rf"\1 {REMOVED}", text)
    if "@" in text:
        text = MAIL_ADDRESS.sub(REMOVED, text)
    return IN_QUERIES.sub(rf"\1{REMOVED}", IN_PATHS.sub(rf"\1{REMOVED}", text))


class RequestRecord(logging.LogRecord):
    """A request. Its facts are ids, numbers, known words and a route, so it is formatted without a search for what may not
    be logged. It lacks what no form of the log shows, as finding that takes two thirds of the time of a record."""

    args: dict[str, Any]

    def __init__(self, facts: dict[str, Any]) -> None:
        self.name, self.levelno, self.levelname = ACCESS, logging.INFO, "INFO"
        self.msg, self.args, self.created = REQUEST, facts, time.time()
        self.msecs = self.created % 1 * 1000
        self.pathname = self.filename = self.module = self.funcName = __name__
        self.lineno, self.exc_info, self.exc_text, self.stack_info = 0, None, None, None


class WithoutKeys(logging.Filter):
    """Removes keys and mail addresses from whatever is logged, tracebacks too: the log must not let its readers in."""

    tracebacks = logging.Formatter()

    def filter(self, record: logging.LogRecord) -> bool:
        if isinstance(record, RequestRecord):
            return True
        said = record.getMessage()
        if (clean := without_keys(said)) != said:
            record.msg, record.args = clean, ()
        if record.exc_info and not record.exc_text:
            record.exc_text = self.tracebacks.formatException(record.exc_info)
        if record.exc_text:
            record.exc_text = without_keys(record.exc_text)  # which formatters write as it is
        return True


@lru_cache(4)
def second(since_1970: int) -> str:
    return datetime.fromtimestamp(since_1970, UTC).isoformat()[:19]


def time_of(record: logging.LogRecord) -> str:
    """Return the time in UTC as RFC 3339 has it."""
    return f"{second(int(record.created))}.{int(record.msecs):03}Z"


class Lines(logging.Formatter):
    """Writes a record as a line of text; only a traceback takes more, each indented. Control characters are escaped."""

    def format(self, record: logging.LogRecord) -> str:
        if isinstance(record, RequestRecord):
            return f"{time_of(record)} INFO {ACCESS} [{request_id.get()}]: {REQUEST % record.args}"
        line, *traceback = super().format(record).split("\n")
        return "\n".join([line, *(f"  {visible(one)}" for one in traceback)])

    def formatMessage(self, record: logging.LogRecord) -> str:
        named = request_id.get()
        request = f" [{named}]" if named else ""
        return f"{time_of(record)} {record.levelname} {record.name}{request}: {visible(record.message)}"


def visible(text: str) -> str:
    """Return the text with its control characters escaped."""
    return text if text.isprintable() else CONTROLS.sub(lambda found: repr(found[0])[1:-1], text)


class JsonLines(logging.Formatter):
    """Writes a record as one line of JSON (docs/running/monitoring.md). Nothing in it can end or garble the line."""

    def format(self, record: logging.LogRecord) -> str:
        if isinstance(record, RequestRecord):
            return line_of_request(time_of(record), record.args)
        fields = {"time": time_of(record), "level": record.levelname, "logger": record.name}
        fields["message"] = readable(record.getMessage())
        if named := request_id.get():
            fields["request_id"] = named
        if record.exc_info and not record.exc_text:
            record.exc_text = self.formatException(record.exc_info)
        if record.exc_text:
            fields["exception"] = readable(record.exc_text)
        if record.stack_info:
            fields["stack"] = readable(record.stack_info)
        return json.dumps(fields)


def line_of_request(at: str, facts: dict[str, Any]) -> str:
    """Return the line of a request, put together by hand: the encoder would take four times as long (docs/decisions/operations.md).

    Routes alone may have characters that JSON escapes: the others are ids, numbers and known words.
    """
    method, status, route = facts["method"], facts["status"], escaped(facts["route"])
    account, token = (f'"{pk}"' if pk else "null" for pk in (facts["account"], facts["token"]))
    return (
        f'{{"time": "{at}", "level": "INFO", "logger": "{ACCESS}", "message": "{method} {route} {status}", '
        f'"request_id": "{request_id.get()}", "address": "{facts["address"]}", "method": "{method}", "route": "{route}", '
        f'"status": {status}, "ms": {facts["ms"]}, "account": {account}, "token": {token}}}'
    )


@lru_cache(1024)  # more than there are routes
def escaped(route: str) -> str:
    return json.dumps(route)[1:-1]


def readable(text: str) -> str:
    """Return the text with lone surrogates escaped, which many readers of JSON refuse."""
    return text.encode("utf-8", "backslashreplace").decode()


class ToldAlready(logging.Filter):
    """Leaves out answers with 503: core/outage.py writes a line about all of them together, /healthz about itself."""

    def filter(self, record: logging.LogRecord) -> bool:
        return getattr(record, "status_code", None) != 503


class UnknownHost(logging.Filter):
    """Turns a request for an unknown host into one line of four a minute. Scanners send such requests all the time."""

    lines = Throttle(15.0)

    def filter(self, record: logging.LogRecord) -> bool:
        if not (count := self.lines.count()):
            return False
        asked = one_line(record.exc_info[1]) if record.exc_info and record.exc_info[1] else record.getMessage()
        host = asked.removeprefix("Invalid HTTP_HOST header: ").split(". ")[0]
        record.levelno, record.levelname = logging.WARNING, "WARNING"
        record.exc_info = record.exc_text = None
        record.msg = "refused %s for a host that is not in TASKBOARD_ALLOWED_HOSTS, the last one for %s"
        record.args = ("1 request" if count == 1 else f"{count} requests", host)
        return True


def tell(words: str, level: int = logging.INFO) -> None:
    """Write sentences of a process of the service to standard error: where the log is JSON, each line as one of it."""
    if settings.LOG == "lines":
        sys.stderr.write(words)
        sys.stderr.flush()
        return
    for line in words.splitlines():
        logging.getLogger(START).log(level, "%s", line)


def log_what_nobody_catches() -> None:
    """Write warnings and errors that end a process or a thread to the log, where Python would print them as text."""
    log = logging.getLogger(START)
    logging.captureWarnings(True)
    sys.excepthook = lambda kind, error, trace: log.critical("the process ends", exc_info=error)
    threading.excepthook = partial(_log_ended_thread, log)


def _log_ended_thread(log: logging.Logger, ended: threading.ExceptHookArgs) -> None:
    if not issubclass(ended.exc_type, SystemExit):  # of which Python says nothing either
        log.error("a thread ended", exc_info=ended.exc_value)
