"""The demo boards as data. Days count from today; hours are in the demo account's time zone."""

from dataclasses import dataclass, field

from boards.board_templates import Template
from boards.colours import Hue


@dataclass(frozen=True)
class DemoCard:
    list: str
    title: str
    description: str = ""
    due: tuple[int, int] | None = None  # days from today, hour
    recurrence: str | None = None
    labels: tuple[str, ...] = ()
    assignees: tuple[str, ...] = ()
    checklist: dict[str, bool] = field(default_factory=dict)
    comments: tuple[tuple[str, str], ...] = ()
    by: str = "demo"
    done: bool = False
    archived: bool = False


@dataclass(frozen=True)
class DemoBoard:
    title: str
    template: Template
    hue: Hue
    members: dict[str, str]
    cards: tuple[DemoCard, ...]
    lists: tuple[str, ...] = ()  # added to those of the template


WEBSITE = DemoBoard(
    title="Website relaunch",
    template=Template.KANBAN,
    hue=Hue.BLUE,
    members={"maya": "editor", "ken": "editor", "ruth": "viewer"},
    cards=(
        DemoCard(
            "To do",
            "Write the announcement",
            description=(
                "## What it must say\n\nWe move on the first of the month. **Nobody has to do anything**, "
                "old addresses keep working.\n\n- [x] Ask support for the five most common questions\n"
                "- [ ] Draft\n- [ ] Have it read by someone who was not involved\n\n"
                "The tone is in the [style guide](https://example.com/style)."
            ),
            due=(5, 17),
            labels=("Feature",),
            assignees=("maya",),
            comments=(("maya", "First draft on Thursday."), ("demo", "Thursday is fine. Keep it under *200 words*.")),
        ),
        DemoCard("To do", "Redirect the old addresses", due=(8, 12), labels=("Chore",), assignees=("ken",)),
        DemoCard("To do", "Pick photos for the team page", labels=("Feature",)),
        DemoCard(
            "To do",
            "Check the pages with a screen reader",
            checklist={"Start page": False, "Search": False, "Contact form": False},
            assignees=("demo", "ken"),
        ),
        DemoCard(
            "In progress",
            "The menu closes too early on phones",
            description=(
                "On a narrow screen the menu closes when the finger moves by a pixel.\n\n"
                "```js\nmenu.addEventListener('pointermove', close)\n```\n\n> It makes the site feel broken.\n> (a visitor)"
            ),
            due=(-1, 18),
            labels=("Bug",),
            assignees=("ken",),
            by="maya",
            comments=(("ken", "Found it: we listen to `pointermove` where `pointercancel` was meant."),),
        ),
        DemoCard(
            "In progress",
            "Move the blog",
            due=(0, 20),
            labels=("Chore",),
            assignees=("demo",),
            checklist={
                "Export the articles": True,
                "Import them": True,
                "Compare the pictures": False,
                "Switch": False,
            },
        ),
        DemoCard("Done", "Choose a host", labels=("Chore",), assignees=("demo",), done=True),
        DemoCard("Done", "Measure how fast the old site is", assignees=("ken",), by="ken", done=True),
        DemoCard("Done", "Ask three visitors what they miss", done=True, archived=True),
    ),
)

PUBLISHING = DemoBoard(
    title="Editorial calendar",
    template=Template.CONTENT,
    hue=Hue.PURPLE,
    members={"maya": "editor", "ruth": "editor"},
    cards=(
        DemoCard("Ideas", "How we plan a week in twenty minutes", labels=("Article",), by="ruth"),
        DemoCard("Ideas", "A tour of the workshop", labels=("Video", "Social")),
        DemoCard("Ideas", "Ten questions we are always asked", labels=("Article",)),
        DemoCard(
            "Drafting",
            "The case for smaller meetings",
            description=(
                "Three parts:\n\n1. What a meeting costs\n2. What it is good for\n3. What can be written instead\n\n"
                "Not a rant. *Numbers first.*"
            ),
            due=(3, 9),
            labels=("Article",),
            assignees=("maya",),
            comments=(("ruth", "Please keep part 2, everybody else leaves it out."),),
        ),
        DemoCard("Drafting", "Short clip for the fair", due=(6, 12), labels=("Video",), assignees=("ruth",)),
        DemoCard(
            "Review",
            "Our first year in numbers",
            due=(1, 15),
            labels=("Article", "Social"),
            assignees=("demo", "ruth"),
            checklist={"Figures checked": True, "Names spelled right": False, "Picture rights": False},
        ),
        DemoCard(
            "Published",
            "Weekly picks",
            description="Five links, one sentence each. ~~Seven~~ Five.",
            due=(2, 8),
            recurrence="weekly",
            labels=("Social",),
            assignees=("maya",),
        ),
        DemoCard("Published", "Welcome to the new team members", labels=("Article",), done=True),
    ),
)

MY_WEEK = DemoBoard(
    title="My week",
    template=Template.PERSONAL,
    hue=Hue.TEAL,
    members={},
    cards=(
        DemoCard("Today", "Call the dentist", due=(0, 11), labels=("Errands",)),
        DemoCard("Today", "Answer Ken about the menu", due=(0, 17), labels=("Work",)),
        DemoCard("Today", "Water the plants", due=(0, 19), recurrence="weekly", labels=("Home",)),
        DemoCard(
            "This week",
            "Groceries",
            due=(2, 18),
            labels=("Errands",),
            checklist={"Bread": False, "Coffee": False, "Apples": True, "Something for the neighbours": False},
        ),
        DemoCard("This week", "Pay the rent", due=(4, 9), recurrence="monthly", labels=("Home",)),
        DemoCard("Later", "Find a present for Ruth", due=(20, 12)),
        DemoCard("Later", "Read the book on gardens", description="Lent by Maya, on the shelf next to the door."),
        DemoCard("Done", "Renew the passport", labels=("Errands",), done=True),
        DemoCard("Done", "Repair the bicycle", labels=("Home",), done=True, archived=True),
    ),
)

WORKSHOP = DemoBoard(
    title="Summer workshop",
    template=Template.BLANK,
    hue=Hue.ORANGE,
    members={"ken": "editor"},
    lists=("Programme", "Place", "People"),
    cards=(
        DemoCard(
            "Programme",
            "Agenda for both days",
            description="Still open. Suggestions as comments, please.",
            due=(14, 18),
            assignees=("demo",),
            comments=(("ken", "An hour outdoors after lunch on the second day?"), ("demo", "Yes!")),
        ),
        DemoCard("Programme", "Exercises for small groups", assignees=("ken",), by="ken"),
        DemoCard("Place", "Book the house by the lake", due=(-3, 12), assignees=("demo",), done=True),
        DemoCard("Place", "Ask about vegetarian food", due=(9, 12)),
        DemoCard(
            "People",
            "Send the invitations",
            due=(7, 10),
            assignees=("demo",),
            checklist={"Colleagues": True, "Guests": False},
        ),
        DemoCard("People", "Old list of participants", archived=True),
    ),
)

BOARDS = (WEBSITE, PUBLISHING, MY_WEEK, WORKSHOP)
