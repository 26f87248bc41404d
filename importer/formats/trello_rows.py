"""The rows of Trello's export. A card has the same members whether it stands on its board or is exported alone."""

from importer.formats.rows import KnownRows


def _of_card(card: str) -> KnownRows:
    return KnownRows(
        things={f"{card}attachments.item": "files"},
        parts={f"{card}labels.item", f"{card}customFieldItems.item"},
        left={
            f"{card}attachments.item.previews.item": "smaller pictures of a file",
            f"{card}checkItemStates.item": "said by the items too",
            f"{card}cover.*.item": "smaller pictures of the cover",
            f"{card}members.item": "said by idMembers too",
            f"{card}membersVoted.item": "said by idMembersVoted too",
            f"{card}pluginData.item": "what power-ups keep; counted by the card",
            f"{card}stickers.item": "counted by the card",
        },
    )


ON_BOARD, ALONE = _of_card("cards.item."), _of_card("")
ROWS = KnownRows(
    things={
        **ALONE.things,
        **ON_BOARD.things,
        "lists.item": "lists",
        "cards.item": "cards",
        "checklists.item": "checklists",
        "checklists.item.checkItems.item": "items",
        "labels.item": "labels",
    },
    parts={*ALONE.parts, *ON_BOARD.parts, "members.item", "customFields.item", "customFields.item.options.item"},
    left={
        **ALONE.left,
        **ON_BOARD.left,
        "actions.item": "history, which is counted as such; comments are read from it, and counted there",
        "boardPlugins.item": "settings of power-ups",
        "memberships.item": "rights at Trello",
        "prefs.*.item": "settings, and smaller pictures of the background",
    },
)
