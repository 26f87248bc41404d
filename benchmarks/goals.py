"""Goals of the benchmarks, by subject and row of results.jsonl."""

GOALS = {
    "against": {
        "a card dragged in its list": "0.45",
        "a card dragged to another list": "0.45",
        "a card moved to another board": "0.45",
        "a card moved over REST": "0.45",
        "a card opened, 50 lines of history": "0.6",
        "the start page, 200 boards": "0.5",
        "20,000 cards in 200 lists, on the wire": "0.4",
    },
    "beside": {
        "a card, lists of 15": "ratio 5",
        "a card, one list": "ratio 5",
        "20 boards": "ratio 6",
    },
    "calls": {
        "GET a card": "1.3 times GET me",
        "GET 50 cards of a board": "2 times GET boards",
        "POST a batch of 100": "8 times POST cards",
        "2,000 cards of mine on 200 boards": "2 times a board of 500",
    },
    "rest": {
        "POST cards, 1 at once": "ratio 0.33",
        "GET boards to POST cards, 1 at once": "1.5",
    },
    "mcp": {
        "tools/list, 1 at once": "1",
        "tools/list, 8 at once": "1",
        "list_boards, 1 at once": "1.15",
        "list_boards, 8 at once": "1.15",
        "create_task, 1 at once": "1.15",
        "create_task, 8 at once": "1.15",
    },
    "mcp-processor": {
        "get_task": "1.15",
        "search_tasks": "1.15",
        "create_task": "1.15",
        "create_task, label and person": "1.15",
        "update_task, title": "1.15, and 1.5 times create_task",
        "update_task, label": "1.15",
        "move_task": "1.15, and 1.5 times create_task",
        "create_tasks, 20": "1.15",
    },
    "live": {
        "1 open page": "p50 20 ms",
        "200 open pages": "p50 25 ms, p99 60 ms",
    },
    "search": {
        "two words, one rare": "3 and 8 times the board",
        "two common words": "3 and 8 times the board",
        "two words, no hit": "3 and 8 times the board",
        "two letters twice": "3 and 8 times the board",
        "Japanese, two letters twice": "3 and 8 times the board",
        "the same, beside one without the search's indexes": "1.1",
    },
    "import": {
        "import": "60 s",
        "memory above rest": "150 MB",
    },
    "browser": {
        "from the drop until the server's answer is placed": "100 ms",
    },
    "first-tile": {
        "as it is": "0.9",
    },
    "large-boards": {
        "HTML": "500 kB",
        "HTML, CSS and JavaScript, compressed": "300 kB",
        "JavaScript, compressed": "60 kB",
        "first tile": "1,000 ms",
        "first tile, processor 4x slower": "1,000 ms",
        "first tile, 400 kbit/s, 400 ms": "1,000 ms",
        "longest task while scrolling": "200 ms",
        "longest task while scrolling, processor 4x slower": "200 ms",
        "longest task while scrolling the table": "50 ms",
        "one tile replaced, with layout": "10 ms",
    },
    "richtext": {
        "worst from_markdown": "100 ms",
        "worst to_markdown": "100 ms",
        "worst to_html": "100 ms",
        "worst to_plain": "100 ms",
    },
    "three-hosts": {
        "the connections are gone after": "30 s",
    },
    "boards": {"the start page of 2,000 boards": "300 ms"},
    "card": {"open the card": "100 ms, 200 kB"},
    "fuzz": {
        "processor time, at most": "5 s",
        "memory, at most": "300 MB",
    },
}
