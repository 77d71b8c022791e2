"""The prize of a pool: the entries of all who came in, rejoins too, less the fee.

003 Winnings Calculation in Pool Rummy. Money is in the smallest unit.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import msgspec

from rummy_audit.rules.findings import Finding, Term
from rummy_audit.rules.rulesets import Ruleset


class Stake(msgspec.Struct, frozen=True):
    """What lies in a pool: the entries paid, and the fee taken out; None: not known."""

    entry: int
    entries: int
    fee: int | None

    @property
    def prize(self) -> int:
        """What the winner is paid, the fee taken as nothing where it is not known."""
        return self.entry * self.entries - (self.fee or 0)

    def right(self, amount: int) -> bool:
        """Whether an amount can be the whole prize: an unknown fee may have made it less."""
        return amount == self.prize or (self.fee is None and amount < self.prize)

    def breakdown(self) -> tuple[Term, ...]:
        """Return the sum that leads to the prize."""
        entries = Term(points=self.entry * self.entries, what="entries")
        return (entries, Term(points=-self.fee, what="fee")) if self.fee else (entries,)


def stake(entry: int | None, fee: int | None, entries: int | None) -> Stake | None:
    """Return what so many entries lay in a pool, None where that is not known."""
    return None if entry is None or entries is None else Stake(entry, entries, fee)


def judge(
    pool: Stake | None,
    amounts: Mapping[int, int],
    winner: int | None,
    rules: Ruleset,
    *,
    seq: int,
) -> Iterator[Finding]:
    """The winner of a pool takes the prize; only where a split is agreed others may share it.

    ``winner`` is None while the pool goes on: what is paid then is judged only
    as a split. Amounts of 0 or less are what others have lost.
    """
    paid = {seat: amount for seat, amount in sorted(amounts.items()) if amount > 0}
    if pool is None or not paid:
        return
    if rules.choice("split") != "none" and len(paid) > 1:
        total = sum(paid.values())
        if not pool.right(total):
            yield Finding(
                code="prize-wrong",
                seq=seq,
                rule=rules.cite("split"),
                recorded=total,
                expected=pool.prize,
                breakdown=pool.breakdown(),
            )
        return
    if winner is None and len(paid) == 1:
        return  # it may have been taken for won
    for seat, amount in paid.items():
        if seat != winner or not pool.right(amount):
            told = {"winner": winner} if winner is not None else {"shared": [*paid]}
            yield Finding(
                code="prize-wrong",
                seq=seq,
                seat=seat,
                rule=rules.cite("split" if winner is None else "limit"),
                recorded=amount,
                expected=pool.prize if seat == winner else 0,
                breakdown=pool.breakdown() if seat == winner else (),
                data={} if seat == winner else told,
            )
