"""Static files under names that contain a hash of their content, so that browsers can cache them for ever."""

from datetime import UTC, datetime

from whitenoise.storage import CompressedManifestStaticFilesStorage


class Storage(CompressedManifestStaticFilesStorage):
    """Also rewrites `import` between our own ES modules. A name without a file stays as it is instead of raising."""

    support_js_module_import_aggregation = True
    manifest_strict = False

    def get_modified_time(self, name: str) -> datetime:
        """Return always 1970, so that collectstatic never skips a changed file because of its date."""
        return datetime.fromtimestamp(0, UTC)
