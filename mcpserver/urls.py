from django.urls import path

from mcpserver.views import mcp

urlpatterns = [path("api/v1/mcp", mcp, name="mcp")]
