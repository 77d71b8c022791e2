"""The rules engine: pure, deterministic, and the same on every machine."""
