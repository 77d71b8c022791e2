"""The gin family."""
