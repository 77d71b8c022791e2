"""The canonical lines of a hand that came as one file, kept whole until one is asked for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import overload


class Lines(Sequence[bytes]):
    r"""Lines that came in one piece, parted when one is asked for: an audit asks for none.

    >>> Lines(b"one\ntwo\n") == (b"one", b"two")
    True
    """

    __slots__ = ("_parted", "_whole")

    def __init__(self, whole: bytes) -> None:
        """Keep the lines, each with the end of its line."""
        self._whole = whole
        self._parted: tuple[bytes, ...] | None = None

    def _all(self) -> tuple[bytes, ...]:
        if self._parted is None:
            self._parted = (*self._whole.split(b"\n")[:-1],)
        return self._parted

    @overload
    def __getitem__(self, at: int) -> bytes: ...

    @overload
    def __getitem__(self, at: slice) -> tuple[bytes, ...]: ...

    def __getitem__(self, at: int | slice) -> bytes | tuple[bytes, ...]:
        """Return one line, or some."""
        return self._all()[at]

    def __iter__(self) -> Iterator[bytes]:
        """Go through the lines."""
        return iter(self._all())

    def __len__(self) -> int:
        """Return how many lines there are."""
        return len(self._all())

    def __eq__(self, other: object) -> bool:
        """Whether the others are the same lines, parted or not."""
        return isinstance(other, Lines | tuple) and self._all() == tuple(other)

    def __hash__(self) -> int:
        """Hash the lines as a tuple of them does."""
        return hash(self._all())

    def __repr__(self) -> str:
        """Show the lines as a tuple of them does."""
        return repr(self._all())
