"""Losses of an import: changes to its source and what is left out, with the words for them in the report."""

from typing import Protocol

from django.db import models
from django.utils.translation import ngettext_lazy


class Loss(models.TextChoices):
    """The reason why something of the source is changed or left out. The values are kept in rows.

    Labels count: `loss.label % {"number": 3}`.
    """

    TITLE_SHORTENED = (
        "title-shortened",
        ngettext_lazy(
            "%(number)s title was too long. The whole title was added to the description.",
            "%(number)s titles were too long. The whole titles were added to the descriptions.",
            "number",
        ),
    )
    TEXT_SHORTENED = (
        "text-shortened",
        ngettext_lazy(
            "%(number)s text was cut after 20,000 characters.",
            "%(number)s texts were cut after 20,000 characters.",
            "number",
        ),
    )
    UNREADABLE_DATE = (
        "unreadable-date",
        ngettext_lazy(
            "%(number)s date could not be read and was left out.",
            "%(number)s dates could not be read and were left out.",
            "number",
        ),
    )
    UNKNOWN_LIST = (
        "unknown-list",
        ngettext_lazy(
            "%(number)s card was in a list that is not in the file. It was put in a list of its own.",
            "%(number)s cards were in lists that are not in the file. They were put in a list of their own.",
            "number",
        ),
    )
    PERSON_UNMATCHED = (
        "person-unmatched",
        ngettext_lazy(
            "%(number)s person was not matched. The name stays in the texts.",
            "%(number)s people were not matched. Their names stay in the texts.",
            "number",
        ),
    )
    FILE_LEFT_OUT = (
        "file-left-out",
        ngettext_lazy(
            "%(number)s file could not be imported. Its name stays in the description.",
            "%(number)s files could not be imported. Their names stay in the descriptions.",
            "number",
        ),
    )
    BACKGROUND_LEFT_OUT = (
        "background-left-out",
        ngettext_lazy(
            "%(number)s background picture could not be imported.",
            "%(number)s background pictures could not be imported.",
            "number",
        ),
    )
    FILE_LINKED = (
        "file-linked",
        ngettext_lazy(
            "%(number)s file was kept as a link, as only its address is known.",
            "%(number)s files were kept as links, as only their addresses are known.",
            "number",
        ),
    )
    FIELD_IN_TEXT = (
        "field-in-text",
        ngettext_lazy(
            "%(number)s custom field was added to the description.",
            "%(number)s custom fields were added to the descriptions.",
            "number",
        ),
    )
    FIELD_LEFT_OUT = (
        "field-left-out",
        ngettext_lazy(
            "%(number)s field that does not exist here was left out.",
            "%(number)s fields that do not exist here were left out.",
            "number",
        ),
    )
    COMMENTS_MISSING = (
        "comments-missing",
        ngettext_lazy(
            "%(number)s comment is missing from the file, as its service leaves out the oldest.",
            "%(number)s comments are missing from the file, as its service leaves out the oldest.",
            "number",
        ),
    )
    COMMENTS_NOT_IN_TABLE = (
        "comments-not-in-table",
        ngettext_lazy(
            "%(number)s comment is only counted in this table. Import the JSON or the zip instead.",
            "%(number)s comments are only counted in this table. Import the JSON or the zip instead.",
            "number",
        ),
    )
    DUPLICATE = (
        "duplicate",
        ngettext_lazy(
            "%(number)s duplicate with the same ID was left out.",
            "%(number)s duplicates with the same IDs were left out.",
            "number",
        ),
    )
    UNSAFE_LINK = (
        "unsafe-link",
        ngettext_lazy(
            "%(number)s link with an unsafe address was kept as text.",
            "%(number)s links with unsafe addresses were kept as text.",
            "number",
        ),
    )
    EMPTY_TITLE = (
        "empty-title",
        ngettext_lazy(
            "%(number)s title was empty.",
            "%(number)s titles were empty.",
            "number",
        ),
    )
    NAME_SHORTENED = (
        "name-shortened",
        ngettext_lazy(
            "%(number)s name of a list, label or checklist was shortened.",
            "%(number)s names of lists, labels or checklists were shortened.",
            "number",
        ),
    )
    START_AFTER_DUE = (
        "start-after-due",
        ngettext_lazy(
            "%(number)s start date after the due date was left out.",
            "%(number)s start dates after the due date were left out.",
            "number",
        ),
    )
    TOO_MANY = (
        "too-many",
        ngettext_lazy(
            "%(number)s entry above the limit of a board or card was left out.",
            "%(number)s entries above the limit of a board or card were left out.",
            "number",
        ),
    )
    LISTS_ARCHIVED = (
        "lists-archived",
        ngettext_lazy(
            "%(number)s list was archived, as its board has too many.",
            "%(number)s lists were archived, as their board has too many.",
            "number",
        ),
    )
    NUMBER_CHANGED = (
        "number-changed",
        ngettext_lazy(
            "%(number)s card without a number of its own got a new one.",
            "%(number)s cards without a number of their own got new ones.",
            "number",
        ),
    )
    ROW_LEFT_OUT = (
        "row-left-out",
        ngettext_lazy(
            "%(number)s unreadable row was left out.",
            "%(number)s unreadable rows were left out.",
            "number",
        ),
    )
    UNKNOWN_ROWS = (
        "unknown-rows",
        ngettext_lazy(
            "%(number)s unknown part of the file was left out.",
            "%(number)s unknown parts of the file were left out.",
            "number",
        ),
    )
    UNREADABLE_VALUE = (
        "unreadable-value",
        ngettext_lazy(
            "%(number)s invalid value was left out.",
            "%(number)s invalid values were left out.",
            "number",
        ),
    )
    CHARACTERS_REMOVED = (
        "characters-removed",
        ngettext_lazy(
            "%(number)s character that cannot be stored was removed.",
            "%(number)s characters that cannot be stored were removed.",
            "number",
        ),
    )
    COLOR_CHANGED = (
        "color-changed",
        ngettext_lazy(
            "%(number)s color was replaced with the nearest available one.",
            "%(number)s colors were replaced with the nearest available ones.",
            "number",
        ),
    )
    LABEL_RENAMED = (
        "label-renamed",
        ngettext_lazy(
            "%(number)s unnamed or duplicate label was renamed.",
            "%(number)s unnamed or duplicate labels were renamed.",
            "number",
        ),
    )
    HISTORY_LEFT_OUT = (
        "history-left-out",
        ngettext_lazy(
            "%(number)s entry of the other service's activity was left out.",
            "%(number)s entries of the other service's activity were left out.",
            "number",
        ),
    )
    UNKNOWN_REFERENCE = (
        "unknown-reference",
        ngettext_lazy(
            "%(number)s label, person or field that the file does not describe was left out.",
            "%(number)s labels, people or fields that the file does not describe were left out.",
            "number",
        ),
    )
    SWIMLANE_AS_LABEL = (
        "swimlane-as-label",
        ngettext_lazy(
            "%(number)s swimlane was turned into a label.",
            "%(number)s swimlanes were turned into labels.",
            "number",
        ),
    )
    WITHOUT_CARD = (
        "without-card",
        ngettext_lazy(
            "%(number)s comment, checklist or file of a card that is not in the file was left out.",
            "%(number)s comments, checklists or files of cards that are not in the file were left out.",
            "number",
        ),
    )
    TIME_GUESSED = (
        "time-guessed",
        ngettext_lazy(
            "%(number)s time of completion or archiving is not in the file. The last change was used instead.",
            "%(number)s times of completion or archiving are not in the file. The last changes were used instead.",
            "number",
        ),
    )


class Losses(Protocol):
    """Counts things of the source that are changed or left out: importer/report.py."""

    def lose(self, loss: Loss, where: str, number: int = 1) -> None: ...
