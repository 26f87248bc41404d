"""The test mail of the admin's first page: sent at once, without a worker, so that the page can say how it went."""

import socket
import ssl
import threading
from smtplib import SMTPAuthenticationError, SMTPException, SMTPNotSupportedError, SMTPRecipientsRefused
from smtplib import SMTPResponseException as SMTPAnswer

from django.conf import settings
from django.core.mail import EmailMessage, get_connection
from django.utils.translation import gettext as _

from core.outage import one_line

DEADLINE = 10.0  # seconds for everything
PATIENCE = 5  # seconds for one answer of the mail server


class MailTrouble(Exception):
    """The mail was not sent. str() is a sentence for the operator."""


class Sending(threading.Thread):
    """Sends in a thread, because a server that answers a little at a time can take longer than any timeout of a socket."""

    def __init__(self, message: EmailMessage) -> None:
        super().__init__(name="test-mail", daemon=True)
        self.message = message
        self.error: Exception | None = None

    def run(self) -> None:
        try:
            self.message.send()
        except Exception as error:
            self.error = error


def send_test_mail(email: str) -> None:
    """Raise MailTrouble if the mail server does not take the mail within DEADLINE."""
    if not settings.MAIL:
        raise MailTrouble(_("No mail server is set up. Set TASKBOARD_EMAIL_URL, then restart the service."))
    message = EmailMessage(
        _("[Taskboard] Test email"),
        _(
            "This is the test email that you requested in the admin of %(address)s. Email from this service is being delivered."
        )
        % {"address": settings.BASE_URL},
        to=[email],
        connection=get_connection(timeout=PATIENCE),
    )
    sending = Sending(message)
    sending.start()
    sending.join(DEADLINE)
    if sending.is_alive():
        raise MailTrouble(too_slow())
    if sending.error is not None:
        raise MailTrouble(in_words(sending.error)) from sending.error


def in_words(error: Exception) -> str:
    """Return a sentence that says what to look at, with the words of the server where it gave any."""
    server = f"{settings.EMAIL_HOST}:{settings.EMAIL_PORT}"
    if TimeoutError in (
        type(error),
        type(error.__context__),
    ):  # smtplib says of a timeout that the connection was closed
        return too_slow()
    match error:
        case socket.gaierror():
            text = _("No host named %(host)s was found. Check TASKBOARD_EMAIL_URL.")
            return text % {"host": settings.EMAIL_HOST}
        case ssl.SSLError():
            text = _("%(server)s offers no secure connection that can be trusted: %(error)s")
        case SMTPAuthenticationError():
            text = _("%(server)s refused the user name or the password: %(error)s")
        case SMTPNotSupportedError():
            text = _("%(server)s does not support what TASKBOARD_EMAIL_URL asks for: %(error)s")
        case SMTPRecipientsRefused() | SMTPAnswer():
            text = _("%(server)s refused the email: %(error)s")
        case SMTPException():
            text = _("%(server)s does not answer as a mail server: %(error)s")
        case OSError():
            text = _("%(server)s cannot be reached: %(error)s")
        case _:
            text = _("The email could not be sent by %(server)s: %(error)s")
    return text % {"server": server, "error": said_by(error)}


def said_by(error: Exception) -> str:
    match error:
        case SMTPRecipientsRefused(recipients=refused):
            return "; ".join(answered(code, words) for code, words in refused.values())
        case SMTPAnswer(smtp_code=code, smtp_error=words):
            return answered(code, words)
        case OSError(strerror=str(words)) if not isinstance(error, SMTPException):
            return words
    return one_line(error)


def answered(code: int, words: bytes | str) -> str:
    text = words.decode(errors="replace") if isinstance(words, bytes) else words
    return f"{code} {' '.join(text.split())}"[:300]


def too_slow() -> str:
    text = _("%(server)s did not answer in time. Check TASKBOARD_EMAIL_URL, and any firewall in between.")
    return text % {"server": f"{settings.EMAIL_HOST}:{settings.EMAIL_PORT}"}
