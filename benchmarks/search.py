"""Search 100,000 cards of one person with 200,000 comments, on PostgreSQL and on SQLite, beside a board of 500 cards.

    .venv/bin/python -m benchmarks.search [cards] [rounds]

The processor time of the first page of 20, of server and database, as a multiple of the board's: by due date without HTTP, and
as the page /search and the palette show it, everywhere and the best match first.
"""

import gc
import json
import os
import random
import subprocess
import sys
import time
from collections.abc import Callable
from datetime import timedelta
from functools import partial
from itertools import accumulate
from statistics import fmean, median
from urllib.parse import urlencode

from benchmarks import rest, servers
from benchmarks.calls import Caller, backends, make_board_of_500, seconds_of_backends
from benchmarks.export import embedded_database
from benchmarks.live import session_cookie
from benchmarks.results import record

BOARDS = 20
WORDS_A_CARD = 80
BATCH = 5_000
CREATED = 20  # cards a round
WARM = 6  # rounds that do not count: PostgreSQL plans a prepared statement anew five times
SYLLABLES = ["ka", "mi", "ro", "ten", "vel", "dor", "sa", "lun", "pre", "gat", "ion", "er", "ung", "ção", "ñe", "été"]
COMMENTS, ITEMS = 2, 2  # a card
IN_PARTS = {"lighthouse": 0.0001, "meeting": 0.1, "灯台へ": 0.0001}  # of the comments
SPRINKLED = {"report": 0.3, "invoice": 0.3, "zeppelin": 0.0003, "会議の資料": 0.05, "予定です": 0.05, "気球の": 0.0003}
JAPANESE = 0.1  # of the texts
KANJI = [chr(sign) for sign in range(0x4E00, 0x4E00 + 1200)]
PARTICLES = ["の", "を", "に", "は", "が", "して", "から", "まで", "。"]


def words(randomly: random.Random) -> list[str]:
    """Return a vocabulary of 20,000 made-up words. The caller uses the first ones most, as languages do."""
    return ["".join(randomly.choices(SYLLABLES, k=randomly.randint(2, 4))) + str(n % 7 or "") for n in range(20_000)]


def japanese(randomly: random.Random) -> list[str]:
    """Return as many words of one to three signs, each with what follows it in a sentence without spaces."""
    lengths = (1, 2, 2, 2, 3)
    return [
        "".join(randomly.choices(KANJI, k=randomly.choice(lengths))) + randomly.choice(PARTICLES)
        for _n in range(20_000)
    ]


class Writer:
    """Writes texts of so many words, a tenth of them Japanese, with words that are sprinkled in."""

    def __init__(self) -> None:
        self.randomly = random.Random(1)
        self.languages = {" ": words(self.randomly), "": japanese(self.randomly)}
        self.weights = list(accumulate(1 / (rank + 10) for rank in range(20_000)))

    def text(self, number: int, sprinkled: dict[str, float]) -> str:
        between = "" if self.randomly.random() < JAPANESE else " "
        chosen = self.randomly.choices(self.languages[between], cum_weights=self.weights, k=number)
        chosen += [word for word, share in sprinkled.items() if self.randomly.random() < share]
        self.randomly.shuffle(chosen)
        return between.join(chosen)


def make_data(cards: int) -> object:
    import django

    django.setup()
    from django.utils import timezone

    from accounts.models import User
    from boards.actions.boards.board import create_board
    from boards.actor import Actor
    from boards.models import Board, Card
    from core.text.folding import fold

    writer = Writer()
    randomly = writer.randomly
    user = User.objects.create_user("much@example.com", None, name="Much", plan_id="pro")
    now = timezone.now()
    for _board in range(BOARDS):
        board = create_board(actor=Actor(user), title="Board", template="kanban")
        lists = list(board.lists.all())
        numbers = list(range(1, cards // BOARDS + 1))
        for start in range(0, len(numbers), BATCH):
            rows = []
            for number in numbers[start : start + BATCH]:
                text = writer.text(WORDS_A_CARD, SPRINKLED)
                due = now + timedelta(hours=randomly.randint(-2000, 2000)) if randomly.random() < 0.5 else None
                rows.append(
                    Card(
                        board=board,
                        list=lists[number % 3],
                        number=number,
                        position=number,
                        title=text[:60],
                        search_text=fold(f"{text[:60]}\n{text}"),
                        due_at=due,
                        completed_at=now if randomly.random() < 0.4 else None,
                        created_by=user,
                    )
                )
            Card.objects.bulk_create(rows)
            add_parts(rows, user, writer)
        Board.objects.filter(pk=board.pk).update(last_card_number=len(numbers))
    return user


def settle() -> None:
    """Let the planner know the data, and use no processes of PostgreSQL whose time nobody would count.

    VACUUM puts into the indexes of trigrams what was inserted last, as PostgreSQL does by itself within a minute (autovacuum).
    """
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE" if connection.vendor == "postgresql" else "ANALYZE")
        if connection.vendor == "postgresql":
            cursor.execute("SET max_parallel_workers_per_gather = 0")


def add_parts(cards: list[object], user: object, writer: Writer) -> None:
    """Give each card comments and items of a checklist, of which some have a word that no card has."""
    from boards.models import Checklist, ChecklistItem, Comment

    checklists = [Checklist(board=card.board, card=card, title="Steps", position=1) for card in cards]
    Checklist.objects.bulk_create(checklists)
    comments, items = [], []
    for checklist in checklists:
        card = checklist.card
        for _comment in range(COMMENTS):
            body = writer.text(30, IN_PARTS).capitalize()
            comments.append(Comment(board=card.board, card=card, author=user, body=body))
        for number in range(ITEMS):
            text = writer.text(6, {})
            items.append(ChecklistItem(board=card.board, card=card, checklist=checklist, text=text, position=number))
    Comment.objects.bulk_create(comments)
    ChecklistItem.objects.bulk_create(items)


QUERIES = {
    "one rare word": "zeppelin",
    "two words, one rare": "report zeppelin",
    "two common words": "report invoice",
    "two words, no hit": "report nowhere",
    "two letters twice": "ka mi",
    "two letters, in few cards": "qx",
    "Japanese, two letters twice": "資料 予定",
    "Japanese, in few cards": "気球",
    "in few comments": "lighthouse",
    "in many comments": "meeting",
    "a number": "#12",
    "no word": "",
}


def measure(user: object, rounds: int, kind: str) -> None:
    from boards.reader import Reader
    from boards.reading.search import search_cards
    from boards.reading.search_filters import Filters

    data = rest.make_data()
    settle()
    caller, token = Caller(), {"HTTP_AUTHORIZATION": f"Bearer {data['value']}"}
    card = json.dumps({"title": "Buy a new lamp for the hall", "listId": str(data["list"])}).encode()
    address, cookie = make_board_of_500()
    session = {"HTTP_COOKIE": cookie, "HTTP_ACCEPT_ENCODING": "gzip"}
    mine = session | {"HTTP_COOKIE": session_cookie(user.pk)}  # type: ignore[attr-defined]
    gc.collect()
    gc.freeze()  # what made the data would be looked through again and again
    cost = Cost(rounds, partial(caller.call, "GET", address, session))
    shown("a board of 500", kind, f"{cost.of_board():.1f} ms")
    for name, query in QUERIES.items():
        if query:
            page = partial(caller.call, "GET", f"/search?{urlencode({'q': query})}", mine)
            shown(name, f"{kind}, page", cost.of(page))
            palette = partial(
                caller.call, "GET", f"/jump?{urlencode({'q': query})}", mine | {"HTTP_HX_REQUEST": "true"}
            )
            shown(name, f"{kind}, palette", cost.of(palette))
        by_due = partial(search_cards, Reader(user), Filters(query), limit=20)  # type: ignore[arg-type]
        shown(name, kind, cost.of(by_due))
    post = partial(caller.call, "POST", "/api/v1/cards", token, card)
    created = fmean(cost.once(post) for _round in range(CREATED * rounds))
    shown("POST a card", kind, f"{created:.1f} ms")
    shown("the same, beside one without the search's indexes", kind, with_and_without_indexes(cost, post))
    words = json.dumps(json.loads(card) | {"description": Writer().text(WORDS_A_CARD, SPRINKLED)}).encode()
    post = partial(caller.call, "POST", "/api/v1/cards", token, words)
    shown("a card of 80 words, beside one without them", kind, with_and_without_indexes(cost, post))


class Cost:
    """Measures the processor time of calls, server and database, beside that of the board: medians of rounds in turn, as the speed
    of a machine changes.
    """

    def __init__(self, rounds: int, board: Callable[[], object]) -> None:
        self.rounds, self.board, self.backends = rounds, board, backends()
        for _round in range(WARM):
            board()

    def once(self, call: Callable[[], object]) -> float:
        """Return the milliseconds of one call."""
        database, began = seconds_of_backends(self.backends), time.process_time()
        call()
        service = time.process_time() - began
        return 1000 * (service + seconds_of_backends(self.backends) - database)

    def of_board(self) -> float:
        return median(self.once(self.board) for _round in range(self.rounds))

    def of(self, call: Callable[[], object]) -> str:
        """Return how many times the board's time a call takes."""
        for _round in range(WARM):
            call()
        both = [(self.once(call), self.once(self.board)) for _round in range(self.rounds)]
        times, boards = zip(*both, strict=True)
        return f"{median(times) / median(boards):.1f}"


def with_and_without_indexes(cost: Cost, post: Callable[[], object]) -> str:
    """Return how many times the time of a card without the search's indexes a card takes: rounds in turn, which are taken back."""
    from django.core.signals import request_finished, request_started
    from django.db import close_old_connections

    for signal in (request_started, request_finished):  # a connection within a transaction would be closed
        signal.disconnect(close_old_connections)
    indexes, drops = search_indexes()
    both = [(of_cards(cost, post, indexes, []), of_cards(cost, post, [], drops)) for _round in range(cost.rounds)]
    with_them, without = zip(*both, strict=True)
    return f"{median(with_them) / median(without):.2f}"


def search_indexes() -> tuple[list[str], list[str]]:
    """Return the names of PostgreSQL's indexes of words in cards, and what drops all that a search of cards uses."""
    from django.db import connection

    orders = ["DROP INDEX open_card_by_due", "DROP INDEX open_card_by_change"]
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            words = "SELECT indexname FROM pg_indexes WHERE tablename = 'boards_card' AND indexdef LIKE '%USING gin%'"
            indexes = [name for (name,) in cursor.execute(words).fetchall()]
            return indexes, [*orders, *(f"DROP INDEX {name}" for name in indexes)]
        triggers = "SELECT name FROM sqlite_master WHERE type = 'trigger' AND tbl_name = 'boards_card'"
        return [], [*orders, *(f"DROP TRIGGER {name}" for (name,) in cursor.execute(triggers).fetchall())]


def of_cards(cost: Cost, post: Callable[[], object], indexes: list[str], drops: list[str]) -> float:
    """Return the milliseconds of CREATED cards, with what PostgreSQL puts into these indexes later."""
    from django.db import connection, transaction

    with transaction.atomic(), connection.cursor() as cursor:
        for statement in drops:
            cursor.execute(statement)
        later = [partial(cursor.execute, "SELECT gin_clean_pending_list(%s)", [name]) for name in indexes]
        for warm in (*[post] * WARM, *later):
            warm()
        took = sum(map(cost.once, [*[post] * CREATED, *later]))
        transaction.set_rollback(True)
    return took


def shown(name: str, column: str, figure: str) -> None:
    print(f"{name:50} {column:24} {figure}", flush=True)
    record("search", name, {column: figure})


def main(cards: int, rounds: int) -> None:
    for kind in ("PostgreSQL", "SQLite"):  # in a process each, because settings are read once a process
        print(f"{kind}, {cards} cards", flush=True)
        command = [sys.executable, "-m", "benchmarks.search", str(cards), str(rounds), kind]
        subprocess.run(command, cwd=servers.ROOT, check=True, env=os.environ)


if __name__ == "__main__":
    amounts = [int(number) for number in sys.argv[1:3]] + [100_000, 10][len(sys.argv[1:3]) :]
    if len(sys.argv) > 3:
        with servers.database() if sys.argv[3] == "PostgreSQL" else embedded_database():
            measure(make_data(amounts[0]), amounts[1], sys.argv[3])
    else:
        main(*amounts)
