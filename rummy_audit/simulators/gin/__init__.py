"""Hands of gin rummy."""
