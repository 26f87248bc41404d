from django.urls import path

from apiv1 import reference, views

urlpatterns = [
    path("api/v1/me", views.MeView.as_view(), name="api-me"),
    path("api/v1/boards", views.BoardsView.as_view(), name="api-boards"),
    path("api/v1/cards", views.CardsView.as_view(), name="api-cards"),
    path("api/v1/token", views.TokenView.as_view(), name="api-token"),
    path("api/v1/openapi.json", reference.OpenApiView.as_view(), name="api-openapi"),
    path("api/docs", reference.ReferenceView.as_view(), name="api-docs"),
]
