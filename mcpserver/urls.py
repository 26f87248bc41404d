from django.urls import path

from mcpserver.views import mcp

urlpatterns = [
    path("api/v1/mcp", mcp, name="mcp"),
    path("mcp", mcp, name="mcp-short"),  # hosted clients expect this path: docs/decisions/mcp.md
]
