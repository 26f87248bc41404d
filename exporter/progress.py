"""The progress of an export, for the page that waits for it."""

from dataclasses import dataclass

PIECE = 50_000  # bytes of a file that take about as long as a card


@dataclass
class Progress:
    """Counts while an export is written. The base class, which commands use, reports nothing."""

    boards: int = 0
    cards: int = 0
    files: int = 0
    cards_done: int = 0
    files_done: int = 0
    work: int = 0  # in cards written once
    work_done: int = 0

    def expect(self, *, boards: int, cards: int, files: int = 0, size: int = 0, passes: int = 1) -> None:
        """Say what there is: each card is written `passes` times, and the files have `size` bytes together."""
        self.boards, self.cards, self.files = boards, cards, files
        self.work = cards * passes + size // PIECE + files

    def read_card(self) -> None:
        self.cards_done += 1
        self.work_on(1)

    def finish_file(self) -> None:
        self.files_done += 1
        self.work_on(1)

    def work_on(self, work: int) -> None:
        self.work_done += work
        self.tell()

    def tell(self) -> None:
        """Raise an exception where the export is no longer wanted."""
