from django.apps import AppConfig


class McpServerConfig(AppConfig):
    name = "mcpserver"
