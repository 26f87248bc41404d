from django.urls import path

from apiv1 import reference
from apiv1.account.views import MeView
from apiv1.attachments import views as attachments
from apiv1.boards import views as boards
from apiv1.cards import collections
from apiv1.cards import views as cards
from apiv1.lists import views as lists
from apiv1.tokens.views import TokenView

urlpatterns = [
    path("api/v1/me", MeView.as_view(), name="api-me"),
    path("api/v1/boards", boards.BoardsView.as_view(), name="api-boards"),
    path("api/v1/cards", collections.CardsView.as_view(), name="api-cards"),
    path("api/v1/token", TokenView.as_view(), name="api-token"),
    path("api/v1/boards/<str:board_id>", boards.BoardView.as_view()),
    path("api/v1/boards/<str:board_id>/archive", boards.BoardArchiveView.as_view()),
    path("api/v1/boards/<str:board_id>/restore", boards.BoardRestoreView.as_view()),
    path("api/v1/boards/<str:board_id>/copy", boards.BoardCopyView.as_view()),
    path("api/v1/boards/<str:board_id>/lists", lists.BoardListsView.as_view()),
    path("api/v1/lists/<str:list_id>", lists.ListView.as_view()),
    path("api/v1/lists/<str:list_id>/archive", lists.ListArchiveView.as_view()),
    path("api/v1/lists/<str:list_id>/restore", lists.ListRestoreView.as_view()),
    path("api/v1/boards/<str:board_id>/cards", collections.BoardCardsView.as_view()),
    path("api/v1/boards/<str:board_id>/cards/<int:number>", cards.NumberedCardView.as_view()),
    path("api/v1/lists/<str:list_id>/cards", collections.ListCardsView.as_view()),
    path("api/v1/cards/batch", collections.CardBatchView.as_view()),
    path("api/v1/cards/<str:card_id>", cards.CardView.as_view()),
    path("api/v1/cards/<str:card_id>/complete", cards.CompleteView.as_view()),
    path("api/v1/cards/<str:card_id>/reopen", cards.ReopenView.as_view()),
    path("api/v1/cards/<str:card_id>/archive", cards.ArchiveView.as_view()),
    path("api/v1/cards/<str:card_id>/restore", cards.RestoreView.as_view()),
    path("api/v1/cards/<str:card_id>/move", cards.MoveView.as_view()),
    path("api/v1/cards/<str:card_id>/copy", cards.CopyView.as_view()),
    path("api/v1/cards/<str:card_id>/attachments", attachments.CardAttachmentsView.as_view()),
    path("api/v1/attachments/<str:attachment_id>", attachments.AttachmentView.as_view()),
    path("api/v1/attachments/<str:attachment_id>/file", attachments.AttachmentFileView.as_view()),
    path("api/v1/openapi.json", reference.OpenApiView.as_view(), name="api-openapi"),
    path("api/docs", reference.ReferenceView.as_view(), name="api-docs"),
]
