"""A mail server of the tests."""

import email
import email.policy
import socketserver
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from email.message import EmailMessage

from taskboard.tests.waiting import wait_until


class MailServer(socketserver.ThreadingTCPServer):
    """It says yes to everything and keeps what it is given."""

    allow_reuse_address = True
    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Conversation)
        self.received: list[bytes] = []

    def mail_to(self, address: str, about: str) -> EmailMessage:
        """Wait for a mail to this address whose subject has these words; return it."""
        return wait_until(
            lambda: [mail for mail in self.mails() if mail["To"] == address and about in mail["Subject"]],
            lambda: f"no mail about {about!r} among {[mail['Subject'] for mail in self.mails()]}",
        )[0]

    def mails(self) -> list[EmailMessage]:
        return [parsed(mail) for mail in list(self.received)]


class Conversation(socketserver.StreamRequestHandler):
    server: MailServer

    def handle(self) -> None:
        self.wfile.write(b"220 here\r\n")
        while line := self.rfile.readline():
            if line.upper().startswith(b"DATA"):
                self.wfile.write(b"354 go on\r\n")
                self.server.received.append(b"".join(iter(self.rfile.readline, b".\r\n")))
            self.wfile.write(b"250 yes\r\n")
            if line.upper().startswith(b"QUIT"):
                return


def parsed(mail: bytes) -> EmailMessage:
    message = email.message_from_bytes(mail, policy=email.policy.default)
    assert isinstance(message, EmailMessage)
    return message


def text_of(message: EmailMessage, kind: str = "plain") -> str:
    body = message.get_body((kind,))
    assert body is not None
    return str(body.get_content())


@contextmanager
def serving_mail() -> Iterator[MailServer]:
    with MailServer() as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server
        server.shutdown()
