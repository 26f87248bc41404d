from django.urls import path

from apiv1 import reference
from apiv1.account.views import AccountView, MeView
from apiv1.activity.views import BoardActivityView
from apiv1.attachments import views as attachments
from apiv1.boards import views as boards
from apiv1.cards import collections
from apiv1.cards import views as cards
from apiv1.checklists import views as checklists
from apiv1.comments import views as comments
from apiv1.labels import views as labels
from apiv1.lists import views as lists
from apiv1.members import views as members
from apiv1.tokens import pages
from apiv1.tokens.views import CurrentTokenView, TokenView

urlpatterns = [  # the most frequent calls first: each pattern before is tried
    path("api/v1/me", MeView.as_view(), name="api-me"),
    path("api/v1/boards", boards.BoardsView.as_view(), name="api-boards"),
    path("api/v1/cards", collections.CardsView.as_view(), name="api-cards"),
    path("api/v1/token", TokenView.as_view(), name="api-token"),
    path("api/v1/cards/batch", collections.CardBatchView.as_view()),
    path("api/v1/cards/<str:card_id>", cards.CardView.as_view()),
    path("api/v1/boards/<str:board_id>/cards", collections.BoardCardsView.as_view()),
    path("api/v1/account", AccountView.as_view()),
    path("api/v1/boards/<str:board_id>", boards.BoardView.as_view()),
    path("api/v1/boards/<str:board_id>/archive", boards.BoardArchiveView.as_view()),
    path("api/v1/boards/<str:board_id>/restore", boards.BoardRestoreView.as_view()),
    path("api/v1/boards/<str:board_id>/copy", boards.BoardCopyView.as_view()),
    path("api/v1/boards/<str:board_id>/lists", lists.BoardListsView.as_view()),
    path("api/v1/boards/<str:board_id>/labels", labels.BoardLabelsView.as_view()),
    path("api/v1/labels/<str:label_id>", labels.LabelView.as_view()),
    path("api/v1/boards/<str:board_id>/members", members.BoardMembersView.as_view()),
    path("api/v1/boards/<str:board_id>/members/<str:user_id>", members.MemberView.as_view()),
    path("api/v1/boards/<str:board_id>/activity", BoardActivityView.as_view()),
    path("api/v1/lists/<str:list_id>", lists.ListView.as_view()),
    path("api/v1/lists/<str:list_id>/archive", lists.ListArchiveView.as_view()),
    path("api/v1/lists/<str:list_id>/restore", lists.ListRestoreView.as_view()),
    path("api/v1/boards/<str:board_id>/cards/<int:number>", cards.NumberedCardView.as_view()),
    path("api/v1/lists/<str:list_id>/cards", collections.ListCardsView.as_view()),
    path("api/v1/cards/<str:card_id>/complete", cards.CompleteView.as_view()),
    path("api/v1/cards/<str:card_id>/reopen", cards.ReopenView.as_view()),
    path("api/v1/cards/<str:card_id>/archive", cards.ArchiveView.as_view()),
    path("api/v1/cards/<str:card_id>/restore", cards.RestoreView.as_view()),
    path("api/v1/cards/<str:card_id>/move", cards.MoveView.as_view()),
    path("api/v1/cards/<str:card_id>/copy", cards.CopyView.as_view()),
    path("api/v1/cards/<str:card_id>/attachments", attachments.CardAttachmentsView.as_view()),
    path("api/v1/attachments/<str:attachment_id>", attachments.AttachmentView.as_view()),
    path("api/v1/attachments/<str:attachment_id>/file", attachments.AttachmentFileView.as_view()),
    path("api/v1/cards/<str:card_id>/comments", comments.CardCommentsView.as_view()),
    path("api/v1/comments/<str:comment_id>", comments.CommentView.as_view()),
    path("api/v1/cards/<str:card_id>/checklists", checklists.CardChecklistsView.as_view()),
    path("api/v1/checklists/<str:checklist_id>", checklists.ChecklistView.as_view()),
    path("api/v1/checklists/<str:checklist_id>/items", checklists.ItemsView.as_view()),
    path("api/v1/items/<str:item_id>", checklists.ItemView.as_view()),
    path("api/v1/tokens/current", CurrentTokenView.as_view(), name="api-current-token"),
    path("api/v1/openapi.json", reference.OpenApiView.as_view(), name="api-openapi"),
    path("api/docs", reference.ReferenceView.as_view(), name="api-docs"),
    path("settings/tokens", pages.tokens, name="tokens"),
    path("settings/tokens/<id:token_id>/narrow", pages.narrow, name="narrow_token"),
    path("settings/tokens/<id:token_id>/revoke", pages.revoke, name="revoke_token"),
]
