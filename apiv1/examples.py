"""An example of each body, by the id of its call, for the description and the page made from it."""

from typing import Any

AN_ID = "01938f5e-7b1a-7c3d-8e4f-0123456789ab"

BODIES: dict[str, dict[str, Any]] = {
    "updateAccount": {"timeZone": "Europe/Berlin"},
    "createBoard": {"title": "Garden", "template": "kanban"},
    "updateBoard": {"title": "Garden and yard", "color": "green"},
    "copyBoard": {"title": "Second garden", "cards": False},
    "createList": {"title": "Later", "cardLimit": 20},
    "updateList": {"title": "Some day", "place": "top"},
    "createCard": {"listId": AN_ID, "title": "Order seeds", "dueDate": "2026-12-01T09:00:00Z"},
    "createCards": {"cards": [{"listId": AN_ID, "title": "Plums"}, {"listId": AN_ID, "title": "Pears"}]},
    "updateCard": {"title": "Order seeds and bulbs", "dueDate": None},
    "moveCard": {"listId": AN_ID, "place": "top"},
    "copyCard": {"title": "Order seeds again"},
    "createLabel": {"name": "Urgent", "color": "red"},
    "updateLabel": {"color": "coral"},
    "createComment": {"body": "They are out of **beans**."},
    "updateComment": {"body": "They have beans again."},
    "createChecklist": {"title": "Seeds"},
    "updateChecklist": {"title": "Seeds and bulbs"},
    "createItem": {"text": "Tomatoes"},
    "updateItem": {"done": True},
    "updateAttachment": {"fileName": "seeds.txt"},
    "inviteMember": {"email": "ed@example.com", "role": "editor"},
    "updateMember": {"role": "viewer"},
    "narrowCurrentToken": {"access": "read"},
    "startDeviceFlow": {"clientName": "my-laptop"},
    "pollDeviceFlow": {"deviceCode": "QCvxohyOk6YFMEgytF41udMO8QZ5n3fy2y_zoatuLxA"},
}
