"""Helpers with which tests change boards and cards beside the client, by the API."""

from typing import Any

from taskboard.tests.people import Person


def whole(person: Person, board: dict[str, Any]) -> dict[str, Any]:
    """Return the board with its labels and members."""
    return person.script.get(f"/api/v1/boards/{board['id']}").json()["board"]


def card_of(person: Person, card: dict[str, Any]) -> dict[str, Any]:
    return person.script.get(f"/api/v1/cards/{card['id']}").json()["card"]


def change(person: Person, card: dict[str, Any], **fields: Any) -> dict[str, Any]:
    answer = person.script.patch(f"/api/v1/cards/{card['id']}", json=fields)
    assert answer.status_code == 200, answer.text
    return answer.json()["card"]


def act(person: Person, card: dict[str, Any], name: str) -> None:
    assert person.script.post(f"/api/v1/cards/{card['id']}/{name}").status_code == 200


def titles_in(person: Person, row: dict[str, Any]) -> list[str]:
    """Return the titles of the cards of a list, in their order."""
    return [card["title"] for card in person.script.get(f"/api/v1/lists/{row['id']}/cards").json()["cards"]]
