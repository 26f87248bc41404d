"""Search 100,000 cards of one person, on PostgreSQL and on SQLite: p50 and p99 of the search alone, first page of 20.

.venv/bin/python -m benchmarks.search [cards] [rounds]
"""

import os
import random
import statistics
import subprocess
import sys
import time
from datetime import timedelta

from benchmarks import servers
from benchmarks.export import embedded_database
from benchmarks.results import record

BOARDS = 20
WORDS_A_CARD = 80
BATCH = 5_000
SYLLABLES = ["ka", "mi", "ro", "ten", "vel", "dor", "sa", "lun", "pre", "gat", "ion", "er", "ung", "ção", "ñe", "été"]
IN_PARTS = {"lighthouse": 0.0001, "meeting": 0.1}  # of the comments
SPRINKLED = {"report": 0.3, "invoice": 0.3, "zeppelin": 0.0003, "会議の資料を準備して来週までに送る予定です": 0.05}


def words(randomly: random.Random) -> list[str]:
    """Return a vocabulary of 20,000 made-up words. The caller uses the first ones most, as languages do."""
    return ["".join(randomly.choices(SYLLABLES, k=randomly.randint(2, 4))) + str(n % 7 or "") for n in range(20_000)]


def make_data(cards: int) -> object:
    import django

    django.setup()
    from django.utils import timezone

    from accounts.models import User
    from boards.actions.boards.board import create_board
    from boards.actor import Actor
    from boards.models import Card
    from boards.text import fold

    randomly = random.Random(1)
    vocabulary = words(randomly)
    weights = [1 / (rank + 10) for rank in range(len(vocabulary))]
    user = User.objects.create_user("much@example.com", None, name="Much", plan_id="pro")
    now = timezone.now()
    for _board in range(BOARDS):
        board = create_board(actor=Actor(user), title="Board", template="kanban")
        lists = list(board.lists.all())
        numbers = list(range(1, cards // BOARDS + 1))
        for start in range(0, len(numbers), BATCH):
            rows = []
            for number in numbers[start : start + BATCH]:
                chosen = randomly.choices(vocabulary, weights, k=WORDS_A_CARD)
                chosen += [word for word, share in SPRINKLED.items() if randomly.random() < share]
                randomly.shuffle(chosen)
                text = " ".join(chosen)
                due = now + timedelta(hours=randomly.randint(-2000, 2000)) if randomly.random() < 0.5 else None
                rows.append(
                    Card(
                        board=board,
                        list=lists[number % 3],
                        number=number,
                        position=number,
                        title=text[:60],
                        search_text=fold(text),
                        due_at=due,
                        completed_at=now if randomly.random() < 0.4 else None,
                        created_by=user,
                    )
                )
            Card.objects.bulk_create(rows)
            add_parts(rows, user, vocabulary, weights, randomly)
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    return user


def add_parts(cards: list[object], user: object, vocabulary: list[str], weights: list[float], randomly: object) -> None:
    """Give each card three comments and two items of a checklist, of which some have a word that no card has."""
    from boards.models import Checklist, ChecklistItem, Comment

    checklists = [Checklist(board=card.board, card=card, title="Steps", position=1) for card in cards]
    Checklist.objects.bulk_create(checklists)
    comments, items = [], []
    for checklist in checklists:
        card = checklist.card
        for _comment in range(3):
            chosen = randomly.choices(vocabulary, weights, k=30)
            chosen += [word for word, share in IN_PARTS.items() if randomly.random() < share]
            comments.append(Comment(board=card.board, card=card, author=user, body=" ".join(chosen).capitalize()))
        for number in range(2):
            text = " ".join(randomly.choices(vocabulary, weights, k=6))
            items.append(ChecklistItem(board=card.board, card=card, checklist=checklist, text=text, position=number))
    Comment.objects.bulk_create(comments)
    ChecklistItem.objects.bulk_create(items)


def queries() -> dict[str, dict[str, object]]:
    return {
        "two words, one rare": {"query": "report zeppelin"},
        "two common words": {"query": "report invoice"},
        "one rare word": {"query": "zeppelin"},
        "one common word": {"query": "invoice"},
        "two words, no hit": {"query": "report nowhere"},
        "two letters twice": {"query": "ka mi"},
        "Japanese": {"query": "資料 予定"},
        "two common words, open": {"query": "report invoice", "done": False},
        "no word": {"query": ""},
        "everywhere, one rare word": {"query": "zeppelin", "everywhere": True},
        "everywhere, one common word": {"query": "invoice", "everywhere": True},
        "everywhere, in few comments": {"query": "lighthouse", "everywhere": True},
        "everywhere, in many comments": {"query": "meeting", "everywhere": True},
        "everywhere, two words": {"query": "report lighthouse", "everywhere": True},
        "everywhere, two letters twice": {"query": "ka mi", "everywhere": True},
        "everywhere, no word": {"query": "", "everywhere": True},
    }


def measure(user: object, rounds: int, kind: str) -> None:
    from boards.reader import Reader
    from boards.reading.search import Filters, cursor_after, search_cards

    for name, wanted in queries().items():
        filters = Filters(**wanted)  # type: ignore[arg-type]
        times, found = [], None
        for _round in range(rounds):
            start = time.perf_counter()
            found = search_cards(Reader(user), filters, limit=20)
            times.append((time.perf_counter() - start) * 1000)
        line = f"{name:24} p50 {statistics.median(times):7.1f} ms  p99 {max(times):7.1f} ms  {len(found.cards)} cards"
        if found.more:
            after = cursor_after(filters, found.cards[-1])
            start = time.perf_counter()
            search_cards(Reader(user), filters, limit=20, after=after)
            line += f"  next page {(time.perf_counter() - start) * 1000:.1f} ms"
        print(line, flush=True)
        record("search", name, {kind: f"{statistics.median(times):.1f} ms"})


def main(cards: int, rounds: int) -> None:
    for kind in ("PostgreSQL", "SQLite"):  # in a process each, because settings are read once a process
        print(f"{kind}, {cards} cards", flush=True)
        command = [sys.executable, "-m", "benchmarks.search", str(cards), str(rounds), kind]
        subprocess.run(command, cwd=servers.ROOT, check=True, env=os.environ)


if __name__ == "__main__":
    amounts = [int(number) for number in sys.argv[1:3]] + [100_000, 50][len(sys.argv[1:3]) :]
    if len(sys.argv) > 3:
        with servers.database() if sys.argv[3] == "PostgreSQL" else embedded_database():
            measure(make_data(amounts[0]), amounts[1], sys.argv[3])
    else:
        main(*amounts)
