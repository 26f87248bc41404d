"""Trello's export of one board as JSON: Menu, Print, export and share, Export as JSON. Or of one card: its menu, Share, Export JSON."""

from collections.abc import Iterator
from datetime import datetime
from zoneinfo import ZoneInfo

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from boards.losses import Loss
from boards.outlines import BoardOutline, ListOutline, PersonOutline
from importer.formats.json_reading import Piece, outer_values, pieces
from importer.formats.rows import RowCounter
from importer.formats.shelf import Shelf
from importer.formats.source import Question, Source, SourceKind, Unreadable
from importer.formats.things import Thing
from importer.formats.trello_cards import Cards, TrelloContext, created_at
from importer.formats.trello_colors import background_hue
from importer.formats.trello_files import Files, check_secret
from importer.formats.trello_labels import BoardLabels, key_of
from importer.formats.trello_marks import Marks
from importer.formats.trello_rows import ROWS
from importer.formats.trello_single import MARKS as MARKS_OF_A_CARD
from importer.formats.trello_single import ListNames, card_of
from importer.report import Report

TITLE = "Trello"
HELP = gettext_lazy("In Trello, open the board's menu and choose Print, export, and share, then Export as JSON.")
NEEDS_FILE = True
BESIDE_REPORT = (
    Question(
        "key",
        gettext_lazy("Trello API key"),
        SourceKind.TEXT,
        help=gettext_lazy(
            "Trello gives out attached files only with an API key and a token. Without them, the files are kept as links."
        ),
        check=check_secret,
    ),
    Question("token", gettext_lazy("Trello token"), SourceKind.SECRET, check=check_secret),
)

MARKS_OF_WEKAN = {"_format", "_id"}  # whose files come soon in its exports, and are long
SCALARS = ("id", "name", "closed", "dateClosed", "dateLastActivity", "prefs", *MARKS_OF_A_CARD)
LEFT_OUT = ("desc", "pluginData.item")  # content that boards here have no place for
PARTS = ("labels", "lists", "members", "actions", "checklists", "customFields", "cards")
COMMENTS = ("commentCard", "copyCommentCard")


def looks_like(source: Source) -> bool:
    marks = Marks()
    with source.path.open("rb") as file:
        for path, value in outer_values(file):
            if path in MARKS_OF_WEKAN:
                return False
            marks.note(path, value)
            if marks.are_enough:
                return True
    return False


def questions(source: Source) -> list[Question]:
    return []


def read(source: Source, report: Report) -> Iterator[BoardOutline]:
    with Shelf() as shelf:
        yield _Board(source, report, shelf).read()


class _Board:
    """Reads the file once, puts the parts of cards on a shelf, and gives the cards from there in their order."""

    def __init__(self, source: Source, report: Report, shelf: Shelf) -> None:
        self.source, self.report, self.zone = source, report, ZoneInfo(source.time_zone)
        self.shelf, self.labels = shelf, BoardLabels(report)
        self.scalars: dict[str, object] = {}
        self.people: dict[str, PersonOutline] = {}  # with those who left, whom only the history knows
        self.members: set[str] = set()
        self.lists: dict[str, tuple[float, ListOutline, bool]] = {}
        self.cards: dict[str, tuple[float, str]] = {}  # where each stands, by id
        self.context = TrelloContext(
            self.shelf, self.labels, self.people, self.zone, Files(source.choices, source.still_wanted)
        )
        self.history = 0
        self.rows = RowCounter(ROWS, report)
        self.list_names = ListNames()
        self.of_board = Report()  # what only a board cannot keep

    def read(self) -> BoardOutline:
        with self.source.path.open("rb") as file:
            wanted = [*SCALARS, *LEFT_OUT, *(f"{part}.item" for part in PARTS)]
            for piece in pieces(file, wanted, still_wanted=self.source.still_wanted, rows=self.rows):
                self._take(piece)
        self.rows.tell()
        if not self.lists and not self.cards and "name" not in self.scalars:
            raise Unreadable(_("This file has no Trello board: it has no name, lists or cards."))
        is_card = not self.lists and not self.cards and self.scalars.keys() >= {*MARKS_OF_A_CARD}
        self._take_single_card() if is_card else self.report.add(self.of_board)
        self.labels.complete()
        self.report.find("boards")
        if self.history:
            self.report.lose(Loss.HISTORY_LEFT_OUT, "actions", self.history)
        board = Thing(self.scalars, "", self.report, self.zone)
        last_change = board.moment("dateLastActivity") or created_at(board.key("id"))
        is_archived = board.flag("closed") and not is_card
        return BoardOutline(
            title=board.line("name"),
            key=board.key("id"),
            hue=background_hue(board.thing("prefs"), self.report),
            archived_at=(board.moment("dateClosed") or last_change) if is_archived else None,
            people=list(self.people.values()),
            labels=self.labels.all(),
            lists=self._lists(last_change),
            cards=Cards(self.context, self.report, self._order()),
        )

    def _take_single_card(self) -> None:
        """Make a board of the card that the file is: called like the card, with the list in which it was."""
        card = Thing(card_of(self.source), "", self.report, self.zone)
        self._take_cards(card)
        self.report.find("cards")
        self.report.find("lists")
        key = card.key("idList")
        self.lists[key] = (0.0, self.list_names.list_of(key), False)

    def _take(self, piece: Piece) -> None:
        name = piece.path.partition(".")[0]
        if piece.path in SCALARS:
            self.scalars.setdefault(piece.path, piece.value)
        elif piece.path in LEFT_OUT:
            if piece.value:
                self.of_board.lose(Loss.FIELD_LEFT_OUT, piece.where)
        else:
            getattr(self, f"_take_{name}")(Thing(piece.value, piece.where, self.report, self.zone))

    def _is_new(self, key: str, known: object, one: Thing) -> bool:
        if key and key not in known:  # type: ignore[operator]
            return True
        self.report.lose(Loss.DUPLICATE if key else Loss.ROW_LEFT_OUT, one.where)
        return False

    def _take_labels(self, one: Thing) -> None:
        if self._is_new(key_of(one), self.labels, one):
            self.labels.add(one)

    def _take_lists(self, one: Thing) -> None:
        if self._is_new(key := one.key("id"), self.lists, one):
            limit = one.whole("softLimit")
            found = ListOutline(key=key, title=one.line("name"), card_limit=limit)
            if one.raw("dateClosed"):
                found.archived_at = one.moment("dateClosed")
            self.lists[key] = (one.number("pos") or 0.0, found, one.flag("closed"))
            one.tell_rest(
                {
                    "id",
                    "idBoard",
                    "subscribed",
                    "limits",
                    "creationMethod",
                    "nodeId",
                    "type",
                    "datasource",
                    "idOrganization",
                }
            )

    def _take_members(self, one: Thing) -> None:
        if self._is_new(key := one.key("id"), self.members, one):
            self.members.add(key)
            self._person(key, one)

    def _take_customFields(self, one: Thing) -> None:
        if self._is_new(key := one.key("id"), self.context.fields, one):
            self.context.fields[key] = one

    def _take_checklists(self, one: Thing) -> None:
        self._put("checklists", one.key("idCard"), one)

    def _take_actions(self, one: Thing) -> None:
        kind, data, by = one.key("type"), one.thing("data"), one.thing("memberCreator")
        author = one.key("idMemberCreator") or by.key("id")
        if author and author not in self.people and by:
            self._person(author, by)
        card = data.thing("card")
        for place in (data.thing("list"), data.thing("listAfter")):
            self.list_names.note(place.key("id"), place.line("name"))
        if kind in COMMENTS:
            self.report.find("comments")
            self._put("comments", card.key("id"), one)
            return
        self.history += 1
        if kind in ("createCard", "copyCard", "convertToCardFromCheckItem"):
            self.context.creators.setdefault(card.key("id"), author)
        elif kind == "updateCard" and isinstance(old := data.raw("old"), dict):
            for name in ("closed", "dueComplete"):
                if old.get(name) is False and card.raw(name) is True and (moment := one.moment("date")):
                    self.context.moments.setdefault((card.key("id"), name), moment)  # the newest comes first

    def _take_cards(self, one: Thing) -> None:
        if self._is_new(key := one.key("id"), self.cards, one):
            self.cards[key] = (one.number("pos") or 0.0, one.where)
            self.labels.note(one)
            self._put("cards", key, one)

    def _person(self, key: str, one: Thing) -> None:
        username = one.line("username")
        name = one.line("fullName") or username or key
        self.people[key] = PersonOutline(key, name, username, one.line("email"))

    def _put(self, kind: str, owner: str, one: Thing) -> None:
        self.shelf.put(kind, owner, [one.where, one.value])

    def _order(self) -> list[tuple[str, str]]:
        """Return the ids of cards, and where each stands, in the order of the board."""
        return [(key, where) for key, (_pos, where) in sorted(self.cards.items(), key=lambda item: item[1][0])]

    def _lists(self, last_change: datetime | None) -> list[ListOutline]:
        found = []
        for _pos, one, is_closed in sorted(self.lists.values(), key=lambda item: item[0]):
            if is_closed and one.archived_at is None:
                one.archived_at = last_change
                self.report.lose(Loss.TIME_GUESSED, one.title)
            elif not is_closed:
                one.archived_at = None
            found.append(one)
        return found
