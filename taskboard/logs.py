"""Filters of the log: no keys of links, and one line where Django writes a traceback for each request."""

import logging
import re

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
REMOVED = "..."


def without_keys(text: str) -> str:
    """Return the text with REMOVED in place of each key of an address in it."""
    return IN_QUERIES.sub(rf"\1{REMOVED}", IN_PATHS.sub(rf"\1{REMOVED}", text))


class WithoutKeys(logging.Filter):
    """Removes the keys of addresses from whatever is logged, tracebacks too: the log must not let its readers in."""

    tracebacks = logging.Formatter()

    def filter(self, record: logging.LogRecord) -> bool:
        said = record.getMessage()
        if (clean := without_keys(said)) != said:
            record.msg, record.args = clean, ()
        if record.exc_info and not record.exc_text:
            record.exc_text = self.tracebacks.formatException(record.exc_info)
        if record.exc_text:
            record.exc_text = without_keys(record.exc_text)  # which formatters write as it is
        return True


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
