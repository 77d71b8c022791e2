"""Static files under names that change with their content, so that browsers may keep them."""

from whitenoise.storage import CompressedManifestStaticFilesStorage


class HashedNames(CompressedManifestStaticFilesStorage):
    """Name a file by its content once files are collected; before that, by its plain name."""

    def stored_name(self, name: str) -> str:
        """Return the hashed name, or the plain one in a checkout that has collected nothing."""
        return super().stored_name(name) if self.hashed_files else name
