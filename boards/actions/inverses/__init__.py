"""The inverse of each verb. `boards/actions/undo.py` calls them, under the lock of the boards that they change."""

from boards.actions.inverses import cards, created, deleted, fields, moved, toggles
from boards.actions.inverses.undoing import Inverse
from boards.models import Verb

INVERSES: dict[Verb, Inverse] = {
    **fields.INVERSES,
    **toggles.INVERSES,
    **moved.INVERSES,
    **cards.INVERSES,
    **created.INVERSES,
    **deleted.INVERSES,
}
