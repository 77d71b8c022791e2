"""The basic family."""
