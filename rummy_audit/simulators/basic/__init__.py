"""Hands of basic rummy."""
