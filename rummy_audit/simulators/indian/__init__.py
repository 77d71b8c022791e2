"""Hands of Indian 13-card rummy."""
