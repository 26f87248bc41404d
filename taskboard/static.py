"""Static files under names that hold their content's hash, so that browsers keep them for ever."""

from datetime import UTC, datetime

from whitenoise.storage import CompressedManifestStaticFilesStorage


class Storage(CompressedManifestStaticFilesStorage):
    """Also follows `import` between our own ES modules; a missing name is shown as it is rather than as an error page."""

    support_js_module_import_aggregation = True
    manifest_strict = False

    def get_modified_time(self, name: str) -> datetime:
        """Long ago: collecting must not take a changed file for the one it has by their dates."""
        return datetime.fromtimestamp(0, UTC)
