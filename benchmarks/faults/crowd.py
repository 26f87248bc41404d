"""Add viewers to a board of a service with this environment, and print as JSON what their browsers hold.

python -m benchmarks.faults.crowd BOARD NUMBER
"""

import json
import os
import sys

import django


def main(board_id: str, number: int) -> None:
    os.environ["DJANGO_SETTINGS_MODULE"] = "taskboard.settings"
    django.setup()
    from accounts.models import User
    from boards.models import Membership, Role
    from taskboard.tests.settle import signed_in

    names = [f"viewer{place}" for place in range(number)]
    users = User.objects.bulk_create(User(email=f"{name}@example.com", name=name, plan_id="pro") for name in names)
    Membership.objects.bulk_create(Membership(board_id=board_id, user=user, role=Role.VIEWER) for user in users)
    held = [{"id": str(user.pk), "email": user.email, "tokens": [], "session": signed_in(user)} for user in users]
    print(json.dumps(held))


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
