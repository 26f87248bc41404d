"""Find the service's own code and files: in a checkout, or where pip has installed the package."""

from pathlib import Path

HERE = Path(__file__).resolve().parent.parent
PACKED = HERE / "taskboard" / "resources"  # made by the build of the package (pyproject.toml)
IS_INSTALLED = PACKED.is_dir()
HAS_SCRIPTS = (
    not IS_INSTALLED and (HERE / "bin" / "manage").is_file()
)  # packages and images have the program `taskboard`
RESOURCES = PACKED if IS_INSTALLED else HERE  # has templates, static, locale
ROOMS = (
    "account_deletion",
    "accounts",
    "apiv1",
    "boards",
    "cliauth",
    "core",
    "exporter",
    "importer",
    "jobs",
    "mcpserver",
    "notifications",
    "operating",
    "security",
    "taskboard",
    "web",
)
