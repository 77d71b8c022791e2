"""How much a log may hold: bounds that keep a hostile file from costing time or memory."""

from __future__ import annotations

MAX_LEVELS = 8
MAX_TEXT = 500
MAX_EVENTS = 5_000
MAX_INTEGER = 2**53 - 1
MAX_SEAT = 12
MAX_LIST = 500
"""Cards in one list, groups in one claim; four decks with their jokers are 216 cards."""
MAX_COUNT = 1_000
MAX_LINE = 64 * 1024
"""Bytes of one line; a whole pack of tiles in a line takes about 600."""
MAX_HAND = 8 * 1024 * 1024
"""Bytes of one hand; of a refused hand this much is kept."""
