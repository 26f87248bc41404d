"""The number of this version: CHANGELOG.md says what it brought."""

VERSION = "0.9.0"
