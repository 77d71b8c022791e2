"""The tile family."""
