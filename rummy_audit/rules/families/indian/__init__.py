"""The indian family."""
