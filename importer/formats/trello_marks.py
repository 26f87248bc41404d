"""The marks of a file of Trello: names of members that it alone uses, and ids of 24 hexadecimal digits under such names."""

import re
from typing import Any

ID = re.compile(r"[0-9a-f]{24}")
OF_BOARDS = {"idOrganization", "descData", "dateLastView", "shortLink", "shortUrl", "labelNames", "idMemberCreator"}
WITH_AN_ID = OF_BOARDS | {"prefs"}  # a mark of a board that has such an id too, and lists or cards
REFERENCES = {"idBoard", "idList"}
CONTENT = {"lists", "cards"}
NAMED = WITH_AN_ID | CONTENT


class Marks:
    """Notes the members of a file as they come, until they are enough."""

    def __init__(self) -> None:
        self._names = set[str]()
        self._has_id = self._has_reference = False

    def note(self, path: str, value: Any) -> None:
        name = path.rpartition(".")[2]
        if path in NAMED:
            self._names.add(path)
        elif path == "id":
            self._has_id = is_id(value)
        elif name in REFERENCES and is_id(value):
            self._has_reference = True

    @property
    def are_enough(self) -> bool:
        if self._has_reference or len(self._names & OF_BOARDS) >= 2:
            return True
        return self._has_id and bool(self._names & CONTENT) and bool(self._names & WITH_AN_ID)


def is_id(value: Any) -> bool:
    return isinstance(value, str) and ID.fullmatch(value) is not None
