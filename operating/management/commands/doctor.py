import json
import sys
from argparse import ArgumentParser
from dataclasses import asdict
from typing import Any

from django.core.management.base import BaseCommand

from operating.admin.trial_mail import MailTrouble, send_test_mail
from operating.doctor.examination import examine
from operating.doctor.finding import Finding, FindingState, ok, wrong


class Command(BaseCommand):
    help = "Says what is wrong with this installation and what to do. Ends with 1 if something is wrong."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--json", action="store_true", help="print a list of objects: state, what, do")
        parser.add_argument("--mail", metavar="ADDRESS", help="also send a test mail there")

    def handle(self, *args: Any, mail: str | None, **options: Any) -> None:
        found = [*examine(), *([try_mail(mail)] if mail else [])]
        if options["json"]:
            self.stdout.write(json.dumps([asdict(finding) for finding in found], indent=1, ensure_ascii=False))
        else:
            for finding in found:
                self.tell(finding)
        if any(finding.state == FindingState.WRONG for finding in found):
            sys.exit(1)

    def tell(self, finding: Finding) -> None:
        self.stdout.write(
            f"{finding.state.upper() if finding.state == FindingState.WRONG else finding.state:<6} {finding.what}"
        )
        if finding.do:
            self.stdout.write(f"       {finding.do}")


def try_mail(address: str) -> Finding:
    try:
        send_test_mail(address)
    except MailTrouble as trouble:
        return wrong(str(trouble), "Mend TASKBOARD_EMAIL_URL.")
    return ok(f"The mail server accepted a test mail to {address}. Check that it arrives.")
