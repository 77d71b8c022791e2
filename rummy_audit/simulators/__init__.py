"""Hands played by chance and by the rules, right or with one labelled fault; never a verdict."""
