"""The parts of an open card that changed since the version that a page shows.

The history says what changed, and rows carry the number of the change that last touched them, so nothing else is read.
"""

from collections.abc import Iterable
from uuid import UUID

from django.db.models import Q
from django.template.loader import render_to_string
from django.utils.html import format_html
from django.utils.safestring import SafeString

from boards.access import not_found
from boards.models import Activity, Card, Checklist, ChecklistItem, Comment, Verb
from core.http.requests import SignedInRequest
from core.ids import parse_number
from web.cards.checklist_pages import items_after, read_some
from web.cards.comment_pages import rendered
from web.cards.page import CardPage
from web.cards.stream import Changes, grouped, read_older_changes
from web.fragments import joined

AT_MOST = 50  # changes; a page that missed more gets the whole card
AT_MOST_OF_BOARD = 200  # changes; beyond them its parts of the card are sent, not looked for

FIELDS = {
    "title": ("head",),
    "description": ("description",),
    "due_at": ("due", "recurrence", "offers"),
    "due_day": ("due",),
    "start_day": ("due", "offers"),
    "cover_hue": ("cover",),
    "cover_attachment_id": ("cover", "attachments"),
    "recurrence": ("recurrence", "offers"),
}
PARTS: dict[Verb, tuple[str, ...]] = {
    Verb.CARD_COMPLETED: ("head", "due"),
    Verb.CARD_REOPENED: ("head", "due"),
    Verb.CARD_MOVED: ("head", "place"),
    Verb.CARD_LABELLED: ("labels",),
    Verb.CARD_UNLABELLED: ("labels",),
    Verb.CARD_ASSIGNED: ("people",),
    Verb.CARD_UNASSIGNED: ("people",),
    Verb.CHECKLIST_CREATED: ("new-checklist",),
    Verb.CHECKLIST_CHANGED: (),
    Verb.CHECKLIST_DELETED: (),
    Verb.CHECKLIST_RESTORED: (),
    Verb.ITEM_CREATED: (),
    Verb.ITEM_CHANGED: (),
    Verb.ITEM_MOVED: (),
    Verb.ITEM_DELETED: (),
    Verb.ITEM_RESTORED: (),
    Verb.COMMENT_CREATED: ("new-comment",),
    Verb.COMMENT_CHANGED: (),
    Verb.COMMENT_DELETED: (),
    Verb.COMMENT_RESTORED: (),
    Verb.ATTACHMENT_CREATED: ("attachments", "cover"),
    Verb.ATTACHMENT_RENAMED: ("attachments", "cover"),
    Verb.ATTACHMENT_DELETED: ("attachments", "cover"),
    Verb.ATTACHMENT_RESTORED: ("attachments", "cover"),
}
# Subjects that pages may not have yet: an item comes from further down, or from a checklist that they do not show.
COME = (
    Verb.CHECKLIST_CREATED,
    Verb.CHECKLIST_RESTORED,
    Verb.ITEM_CREATED,
    Verb.ITEM_RESTORED,
    Verb.ITEM_MOVED,
    Verb.COMMENT_CREATED,
    Verb.COMMENT_RESTORED,
)
OF_THE_BOARD: dict[Verb, tuple[str, ...]] = {  # changes that are no news of a card itself
    Verb.LABEL_CREATED: ("labels",),  # its menu has labels too that it does not have
    Verb.LABEL_CHANGED: ("labels",),
    Verb.LABEL_DELETED: ("labels",),
    Verb.LABEL_RESTORED: ("labels",),
    Verb.MEMBER_REMOVED: ("people",),
    Verb.MEMBER_LEFT: ("people",),
    Verb.LIST_CHANGED: ("head", "place"),
}
OF_ITS_LIST = (Verb.LIST_ARCHIVED, Verb.LIST_RESTORED)  # decide whether it can be changed at all
DELETED = {Verb.CHECKLIST_DELETED: "checklist", Verb.ITEM_DELETED: "item", Verb.COMMENT_DELETED: "comment"}


def changed_parts(request: SignedInRequest, page: CardPage, since: int, own: Iterable[str] = ()) -> SafeString | None:
    """Return the parts that changed since a version, and the `own` ones anyway; None if the whole card is wanted."""
    found = Activity.objects.filter(board=page.card.board_id, card_id=page.card.pk).select_related("user")
    recent = list(found[: AT_MOST + 1])
    news = [activity for activity in recent if activity.version > since]
    outside = _from_outside(page, since)
    if outside is None or len(news) > AT_MOST or any(each.verb not in PARTS and not _fields(each) for each in news):
        note_changed_texts(page, since)
        return None
    page.new = frozenset(UUID(activity.subject["id"]) for activity in news if activity.verb in COME)
    for activity in reversed(news):
        if activity.verb == Verb.CARD_CHANGED:
            page.changed_by |= dict.fromkeys(activity.data, activity.user)
    names = dict.fromkeys([*own, *outside, *(name for each in news for name in _names(each))])
    return wrapped(
        page.card,
        [
            *(render_part(request, page, f"card_{name.replace('-', '_')}") for name in names),
            *_rows(request, page, since, news),
            *(render_part(request, page, "changes", changes=entry) for entry in grouped(recent, since=since)),
        ],
        version=page.card.version,
    )


def note_changed_texts(page: CardPage, since: int) -> None:
    """Note who changed the texts of the card last: the whole card then says so to those who are editing one of them."""
    changes = Activity.objects.filter(board=page.card.board_id, card_id=page.card.pk, verb=Verb.CARD_CHANGED)
    for field in ("title", "description"):
        last = changes.filter(version__gt=since, data__has_key=field).select_related("user").first()
        if last is not None:
            page.changed_by[field] = last.user


def _fields(activity: Activity) -> list[str]:
    changed = activity.data if activity.verb == Verb.CARD_CHANGED else ()
    return [name for field in changed for name in FIELDS.get(field, ())]


def _from_outside(page: CardPage, since: int) -> list[str] | None:
    """Name what of the card a change of the board may have changed, which is no news of the card itself; None for all of it."""
    if page.board.version - since > AT_MOST_OF_BOARD:
        return sorted({name for names in OF_THE_BOARD.values() for name in names})
    of_its_list = Q(verb__in=OF_ITS_LIST, subject__id=str(page.card.list_id))
    changes = Activity.objects.filter(
        of_its_list | Q(verb__in=OF_THE_BOARD), board=page.card.board_id, version__gt=since
    )
    verbs = {Verb(verb) for verb in changes.order_by("verb").values_list("verb", flat=True).distinct()}
    if verbs & {*OF_ITS_LIST}:
        return None
    return [name for verb in verbs for name in OF_THE_BOARD[verb]]


def _names(activity: Activity) -> Iterable[str]:
    return _fields(activity) or PARTS.get(Verb(activity.verb), ())


def _rows(request: SignedInRequest, page: CardPage, since: int, news: list[Activity]) -> Iterable[SafeString]:
    """Render comments, checklists and items that changed, and name those that are gone."""
    verbs = {activity.verb for activity in news}
    if any(verb.startswith("comment.") for verb in verbs):
        changed = Comment.objects.filter(card=page.card, version__gt=since).select_related("author")
        for comment in rendered(changed):
            yield render_part(request, page, "comment", comment=comment)
    if any(verb.startswith(("checklist.", "item.")) for verb in verbs):
        yield from _checklists(request, page, since, news)
    yield from map(gone, _gone(news))


def _gone(news: list[Activity]) -> Iterable[str]:
    """Name the rows that were deleted and not restored. The news come newest first."""
    last = {activity.subject["id"]: activity for activity in reversed(news)}
    for pk, activity in last.items():
        if activity.verb in DELETED:
            yield f"{DELETED[Verb(activity.verb)]}-{pk}"


def _checklists(request: SignedInRequest, page: CardPage, since: int, news: list[Activity]) -> Iterable[SafeString]:
    items = list(ChecklistItem.objects.filter(card=page.card, version__gt=since).order_by("position"))
    touched = {item.checklist_id for item in items} | {
        UUID(pk) for activity in news for pk in activity.data.get("checklist_id") or () if pk
    }
    changed = Checklist.objects.filter(card=page.card, version__gt=since).values_list("pk", flat=True)
    for checklist in read_some(page.card, touched | set(changed) | page.new):
        name = "checklist" if checklist.pk in page.new else "checklist_head"
        yield render_part(request, page, name, checklist=checklist)
    for item in items:
        if item.checklist_id not in page.new:
            yield render_part(request, page, "checklist_item", item=item)


def further_comments(request: SignedInRequest, page: CardPage) -> SafeString:
    """Return a page of earlier comments and the changes among them, with the way to the ones before them."""
    page.new = frozenset(comment.pk for comment in page.comments.comments)
    more = render_part(request, page, "card_earlier") if page.comments.earlier else gone("earlier")
    return wrapped(page.card, [*(_entry(request, page, entry) for entry in page.stream), more])


def _entry(request: SignedInRequest, page: CardPage, entry: Comment | Changes) -> SafeString:
    if isinstance(entry, Changes):
        return render_part(request, page, "changes", changes=entry)
    return render_part(request, page, "comment", comment=entry)


def further_changes(request: SignedInRequest, page: CardPage) -> SafeString:
    """Return a page of older changes, from the number `?from=` down, with the way to the ones before them."""
    newest = parse_number(page.asked.get("from", ""))
    if newest is None:
        raise not_found()
    changes, page.older_changes = read_older_changes(page.card, newest)
    more = render_part(request, page, "card_older_changes") if page.older_changes else gone("older-changes")
    return wrapped(page.card, [*(_entry(request, page, entry) for entry in changes), more])


def further_checklists(request: SignedInRequest, page: CardPage) -> SafeString:
    """Return a page of further checklists, with the way to the ones after them."""
    page.new = frozenset(checklist.pk for checklist in page.checklists.rows)
    found = [render_part(request, page, "checklist", checklist=checklist) for checklist in page.checklists.rows]
    more = render_part(request, page, "card_more_checklists") if page.checklists.more else gone("more-checklists")
    return wrapped(page.card, [*found, more])


def further_items(request: SignedInRequest, page: CardPage, checklist: Checklist, after: str) -> SafeString:
    """Return a page of further items of a checklist, with the way to the ones after them."""
    rows, checklist.more = items_after(checklist, after)  # type: ignore[attr-defined]
    page.new = frozenset(item.pk for item in rows)
    found = [render_part(request, page, "checklist_item", item=item) for item in rows]
    more = (
        render_part(request, page, "checklist_more", checklist=checklist)
        if checklist.more  # type: ignore[attr-defined]
        else gone(f"more-{checklist.pk}")
    )
    return wrapped(page.card, [*found, more])


def render_part(request: SignedInRequest, page: CardPage, name: str, **things: object) -> SafeString:
    context = {"page": page, "card": page.card, "board": page.board, **things}
    return render_to_string(f"web/partials/card/{name}.html", context, request)


def wrapped(card: Card, parts: Iterable[SafeString], version: int | str = "") -> SafeString:
    return format_html(
        '<div class="card-parts" data-card="{}" data-version="{}" data-title="{}">{}</div>',
        card.pk,
        version,
        card.title,
        joined(parts),
    )


def gone(part: str) -> SafeString:
    return format_html('<template data-gone="{}"></template>', part)
