"""Count the rows to export."""

from django.db.models import Count, Sum

from boards.models import Attachment, Board, Card
from boards.reader import Reader


def totals(reader: Reader, using: str) -> dict[str, int]:
    """Count what the reader's export has, by a statement for each kind: boards, cards, files and their size in bytes."""
    files = Attachment.objects.using(using).filter(reader.membership("board__memberships__"))
    return {
        "boards": Board.objects.using(using).filter(reader.membership("memberships__")).count(),
        "cards": Card.objects.using(using).visible_to(reader).count(),
        **files.aggregate(files=Count("pk"), size=Sum("file__size", default=0)),
    }
