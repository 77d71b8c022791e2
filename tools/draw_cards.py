"""Draw the sprite of playing cards and tiles that the pages show.

Every card is a symbol named by its face (``7H``, ``JK``, ``back``; tiles ``t-R7``),
so a page shows one with ``<use href="cards.svg#7H">``. Colours are custom
properties that the page sets; suits and tile colours differ by shape as well.

    python tools/draw_cards.py replays/static/replays/cards.svg
"""

from __future__ import annotations

import sys
from pathlib import Path

# Indices as strokes on a box 16 wide and 23 high, serifs included.
RANKS = {
    "A": "M2.5 21 8 2l5.5 19M4.6 14h6.8M.5 21h4.5M11 21h4.5",
    "2": "M3 7.5V7c0-7 10.5-6.5 10.5.5C13.5 12.5 3 15.5 3 21h11v-3.5",
    "3": "M3 5.5V2h10.5L7.5 9.5C16.5 9.5 15.5 21 8 21 4.5 21 2.5 19.5 2.5 16.5",
    "4": "M10.5 21V2L2 15h13M7.5 21h6",
    "5": "M13 2H4.5L4 10.5c2.5-2.5 10-2 10 4.5C14 22.5 4.5 22.5 2.5 17.5",
    "6": "M13 4C8.5-.5 2.5 4 2.5 14c0 10 11.5 9 11.5 1.5C14 7.5 4.5 7.5 2.6 14",
    "7": "M2.5 6V2H14C9.5 9 7.5 14 7.5 21",
    "8": "M8 11C1 10 2 2 8 2s7 8 0 9c-8 1.5-7 10 0 10s8-8.5 0-10",
    "9": "M3 19C7.5 23.5 13.5 19 13.5 9 13.5-1 2 0 2 7.5 2 15.5 11.5 15.5 13.4 9",
    "T": "M.5 5 3 2v19M.5 21h5M12 2c-5 0-5 19 0 19s5-19 0-19",
    "J": "M6.5 2h7M10 2v14c0 6.5-7 6-7.5 1",
    "Q": "M8 2C.5 2 .5 21 8 21s7.5-19 0-19M8 15l6.5 7",
    "K": "M4 2v19M13 2 4.5 12M7 9.5 13.5 21M1.5 2h5M1.5 21h5M10.5 2h5M11 21h4.5",
}
SUITS = {
    "S": "M10 1C8 6 1 8 1 13c0 4 6 5 8 1.5C9 17 8 18.5 6.5 19h7C12 18.5 11 17 11 14.5 13 18 19 17 "
    "19 13 19 8 12 6 10 1z",
    "H": "M10 18.5C8 15 1 11.5 1 6.5 1 1 8.5.5 10 5.5 11.5.5 19 1 19 6.5c0 5-7 8.5-9 12z",
    "D": "M10 .5 17.5 10 10 19.5 2.5 10z",
    "C": "M10 1a4.2 4.2 0 0 1 3.3 6.8A4.2 4.2 0 1 1 11 14.5c0 2.5 1 4 2.5 4.5h-7C8 18.5 9 17 "
    "9 14.5a4.2 4.2 0 1 1-2.3-6.7A4.2 4.2 0 0 1 10 1z",
}
STAR = "M10 1l2.7 6 6.5.6-4.9 4.3 1.5 6.4L10 14.9l-5.8 3.4 1.5-6.4L.8 7.6l6.5-.6z"
TILE_MARKS = {
    "R": "M10 2a8 8 0 1 0 .01 0z",
    "B": "M3 3h14v14H3z",
    "K": "M10 1.5 19 18H1z",
    "O": "M10 1 18 10l-8 9-8-9z",
}
# A page may set these custom properties; the sprite falls back to these colours.
INK = {
    "card": "#fff",
    "card-line": "#8b909b",
    "back": "#3b5b8c",
    "joker": "#6b2fa0",
    "suit-s": "#16181d",
    "suit-h": "#b3122b",
    "suit-d": "#b3122b",
    "suit-c": "#16181d",
    "tile-r": "#b3122b",
    "tile-b": "#1b4fa8",
    "tile-k": "#16181d",
    "tile-o": "#9a5200",
}
DIGITS = {"1": "M4 5 8 2v19M4 21h8", "0": "M8 2C1 2 1 21 8 21S15 2 8 2"}


def _ink(name: str) -> str:
    return f"var(--{name},{INK[name]})"


def _face(extra: str) -> str:
    return f'<use href="#f"/>{extra}'


def card(rank: str, suit: str) -> str:
    """Return the symbol of one card: a big index at the left, a big suit below."""
    index = f'<use href="#r{rank}" x="5" y="5" width="18" height="25.9"/>'
    small = f'<use href="#s{suit}" x="5.5" y="34" width="17" height="17"/>'
    big = f'<use href="#s{suit}" x="26" y="46" width="30" height="30"/>'
    colour = f'<g color="{_ink("suit-" + suit.lower())}">{index}{small}{big}</g>'
    return f'<symbol id="{rank}{suit}" viewBox="0 0 60 84">{_face(colour)}</symbol>'


def tile(colour: str, number: int) -> str:
    """Return the symbol of one tile: its number, and below it the shape of its colour."""
    digits = str(number)
    glyphs = DIGITS | RANKS
    width = 20
    left = 30 - width * len(digits) / 2
    index = "".join(
        f'<g transform="translate({left + width * place:g} 10) scale(1.250)">'
        f'<path class="k" d="{glyphs[digit]}"/></g>'
        for place, digit in enumerate(digits)
    )
    mark = f'<use href="#m{colour}" x="19" y="50" width="22" height="22"/>'
    inner = f'<g color="{_ink("tile-" + colour.lower())}">{index}{mark}</g>'
    return f'<symbol id="t-{colour}{number}" viewBox="0 0 60 84">{_face(inner)}</symbol>'


def sprite() -> str:
    """Return the whole sprite as SVG text."""
    parts = [
        (
            '<svg xmlns="http://www.w3.org/2000/svg"><style>'
            ".k{fill:none;stroke:currentColor;stroke-width:2.8;stroke-linecap:round;"
            "stroke-linejoin:round}"
            "</style><defs>"
        ),
        (
            f'<rect id="f" x="1" y="1" width="58" height="82" rx="6" fill="{_ink("card")}" '
            f'stroke="{_ink("card-line")}" stroke-width="1.5"/>'
        ),
    ]
    for rank, strokes in RANKS.items():
        parts.append(
            f'<symbol id="r{rank}" viewBox="-1 0 18 23"><path class="k" d="{strokes}"/></symbol>'
        )
    for prefix, shapes in (("s", SUITS), ("m", TILE_MARKS)):
        for name, shape in shapes.items():
            parts.append(
                f'<symbol id="{prefix}{name}" viewBox="0 0 20 20">'
                f'<path fill="currentColor" d="{shape}"/></symbol>'
            )
    parts.append(
        f'<symbol id="star" viewBox="0 0 20 20"><path fill="currentColor" d="{STAR}"/></symbol>'
        "</defs>"
    )
    parts += [card(rank, suit) for suit in SUITS for rank in RANKS]
    joker = (
        f'<g color="{_ink("joker")}"><use href="#star" x="5" y="6" width="18" height="18"/>'
        '<use href="#rJ" x="5" y="28" width="18" height="25.9"/>'
        '<use href="#star" x="24" y="44" width="32" height="32"/></g>'
    )
    parts.append(f'<symbol id="JK" viewBox="0 0 60 84">{_face(joker)}</symbol>')
    lattice = "".join(f"M{x} 8 {x - 12} 76" for x in range(19, 56, 6))
    parts.append(
        f'<symbol id="back" viewBox="0 0 60 84">{_face("")}'
        f'<rect x="5" y="5" width="50" height="74" rx="4" fill="{_ink("back")}"/>'
        f'<path d="{lattice}" stroke="#fff" stroke-opacity=".35" stroke-width="2"/></symbol>'
    )
    parts += [tile(colour, number) for colour in TILE_MARKS for number in range(1, 14)]
    tile_joker = (
        f'<g color="{_ink("joker")}"><use href="#star" x="12" y="24" width="36" height="36"/></g>'
    )
    parts.append(f'<symbol id="t-JK" viewBox="0 0 60 84">{_face(tile_joker)}</symbol>')
    return "".join(parts) + "</svg>\n"


def main() -> None:
    """Write the sprite to the file that is named."""
    Path(sys.argv[1]).write_text(sprite(), encoding="utf-8")


if __name__ == "__main__":
    main()
