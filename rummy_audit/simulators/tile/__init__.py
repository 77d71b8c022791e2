"""Hands of tile rummy."""
