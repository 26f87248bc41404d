from django.urls import path

from apiv1 import reference
from apiv1.account.views import MeView
from apiv1.boards.views import BoardsView
from apiv1.cards.views import CardsView
from apiv1.tokens import pages
from apiv1.tokens.views import CurrentTokenView, TokenView

urlpatterns = [
    path("api/v1/me", MeView.as_view(), name="api-me"),
    path("api/v1/boards", BoardsView.as_view(), name="api-boards"),
    path("api/v1/cards", CardsView.as_view(), name="api-cards"),
    path("api/v1/token", TokenView.as_view(), name="api-token"),
    path("api/v1/tokens/current", CurrentTokenView.as_view(), name="api-current-token"),
    path("api/v1/openapi.json", reference.OpenApiView.as_view(), name="api-openapi"),
    path("api/docs", reference.ReferenceView.as_view(), name="api-docs"),
    path("settings/tokens", pages.tokens, name="tokens"),
    path("settings/tokens/<id:token_id>/narrow", pages.narrow, name="narrow_token"),
    path("settings/tokens/<id:token_id>/revoke", pages.revoke, name="revoke_token"),
]
