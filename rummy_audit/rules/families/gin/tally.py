"""The totals and boxes of one game of gin, and its result when it is won (003 Game)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rummy_audit.rhl.records import Bonuses, Result
from rummy_audit.rules.findings import Finding
from rummy_audit.rules.matches import Deal, Placed
from rummy_audit.rules.rulesets import Ruleset

_FIELDS = ("game", "shutout", "box")


class Game:
    """The hands of one game as they add up.

    ``totals`` are the running points by the rules, ``recorded`` those that were
    written down, ``boxes`` the hands won. After a missing deal neither totals nor
    boxes are known (``known``, ``boxed``) until totals are written down again. ``due`` is
    whose deal the last one was, where somebody else dealt.
    """

    def __init__(self, seats: Sequence[int]) -> None:
        """Start at nothing."""
        self.seats = list(seats)
        self.totals = dict.fromkeys(seats, 0)
        self.recorded = dict.fromkeys(seats, 0)
        self.boxes = dict.fromkeys(seats, 0)
        self.known = self.boxed = True
        self.winner: int | None = None
        self.last: Deal | None = None
        self.due: int | None = None

    @property
    def loser(self) -> int | None:
        """The player who has not won; None where there are not two."""
        others = [seat for seat in self.seats if seat != self.winner]
        return others[0] if self.winner is not None and len(others) == 1 else None

    def bonuses(self, rules: Ruleset) -> dict[int, dict[str, int]]:
        """Return the bonuses that are due once the game is won."""
        due = {
            seat: {"game": 0, "shutout": 0, "box": self.boxes[seat] * rules.number("box_bonus")}
            for seat in self.seats
        }
        if self.winner is not None:
            due[self.winner]["game"] = rules.number("game_bonus")
            if self.loser is not None and not self.boxes[self.loser]:
                due[self.winner]["shutout"] = (
                    rules.number("game_bonus")
                    if rules.choice("shutout") == "double"
                    else rules.number("shutout_bonus")
                )
        return due

    def final(self, rules: Ruleset) -> dict[int, int]:
        """Return the totals, with bonuses once the game is won."""
        if self.winner is None:
            return dict(self.totals)
        due = self.bonuses(rules)
        return {seat: self.totals[seat] + sum(due[seat].values()) for seat in self.seats}


# The result


def judge_result(deal: Deal, game: Game, event: Result) -> Iterator[Placed]:
    """Judge what was written down at the end of a game: winner, bonuses, totals, net."""
    if not game.known:
        return
    rules = deal.rules
    if event.winner is not None and event.winner != game.winner:
        yield Placed(
            deal.id,
            Finding(
                code="winner-wrong",
                seq=event.seq,
                rule=rules.cite("target"),
                recorded=event.winner,
                expected=game.winner,
                data={"totals": dict(game.totals)},
            ),
        )
    if game.winner is None:
        if event.winner is None:
            yield from _early(deal, event)
        return
    due = game.bonuses(rules)
    written = _written(event, due)
    if game.boxed:
        yield from _bonuses(deal, event, due)
    final = {
        seat: {
            base + sum(bonuses[seat].values())
            for base in (game.totals[seat], game.recorded[seat])
            for bonuses in (due, written)
        }
        for seat in game.seats
    }
    yield from _final_totals(deal, game, event, final)


def _early(deal: Deal, event: Result) -> Iterator[Placed]:
    """While nobody has won there is no bonus for the game, nor for a shutout."""
    for seat, bonuses in sorted((event.bonuses or {}).items()):
        written = {name: _bonus(bonuses, name) for name in ("game", "shutout")}
        names = [name for name, number in written.items() if number]
        if names:
            yield _bonus_wrong(deal, event, seat, names, (written, dict.fromkeys(names, 0)))


def _bonus_wrong(
    deal: Deal,
    event: Result,
    seat: int,
    names: list[str],
    compared: tuple[dict[str, int], dict[str, int]],
) -> Placed:
    """Say which bonuses of a seat are wrong; ``compared`` are those written down and those due."""
    written, due = compared
    return Placed(
        deal.id,
        Finding(
            code="bonus-wrong",
            seq=event.seq,
            seat=seat,
            rule=deal.rules.cite(f"{names[0]}_bonus"),
            recorded={name: written[name] for name in names},
            expected={name: due[name] for name in names},
        ),
    )


def _written(event: Result, due: dict[int, dict[str, int]]) -> dict[int, dict[str, int]]:
    """Return the bonuses as written down; due ones where none were."""
    if event.bonuses is None:
        return due
    return {seat: {name: _bonus(event.bonuses.get(seat), name) for name in _FIELDS} for seat in due}


def _bonus(bonuses: Bonuses | None, name: str) -> int:
    return (getattr(bonuses, name) or 0) if bonuses is not None else 0


def _bonuses(deal: Deal, event: Result, due: dict[int, dict[str, int]]) -> Iterator[Placed]:
    """003 Game: who has won has the game bonus, for a shutout another, each hand won is a box.

    A shutout that doubles the game bonus may be written as one number or as two.
    """
    if event.bonuses is None:
        return
    for seat, written in _written(event, due).items():
        wrong = {name for name in _FIELDS if written[name] != due[seat][name]}
        doubled = deal.rules.choice("shutout") == "double" and (
            written["game"] + written["shutout"] == due[seat]["game"] + due[seat]["shutout"]
        )
        if doubled:
            wrong -= {"game", "shutout"}
        if wrong:
            names = [name for name in _FIELDS if name in wrong]
            yield _bonus_wrong(deal, event, seat, names, (written, due[seat]))


def _final_totals(
    deal: Deal, game: Game, event: Result, right: dict[int, set[int]]
) -> Iterator[Placed]:
    """The totals with bonuses are right, and the net is their difference."""
    true = game.final(deal.rules)
    totals = event.totals or {}
    wrong = {
        seat: true[seat]
        for seat in game.seats
        if seat in totals and totals[seat] not in right[seat] and game.boxed
    }
    if wrong:
        yield Placed(
            deal.id,
            Finding(
                code="total-wrong",
                seq=event.seq,
                seat=next(iter(wrong)) if len(wrong) == 1 else None,
                recorded={seat: totals[seat] for seat in wrong},
                expected=wrong,
                data={"seats": sorted(wrong)},
            ),
        )
    winner, loser = game.winner, game.loser
    if event.net is None or winner is None or loser is None or not game.boxed:
        return
    nets = {true[winner] - true[loser]}
    nets |= {one - other for one in right[winner] for other in right[loser]}
    if winner in totals and loser in totals:
        nets.add(totals[winner] - totals[loser])
    if event.winner == loser:
        nets |= {-net for net in nets}
    if event.net not in nets:
        yield Placed(
            deal.id,
            Finding(
                code="total-wrong",
                seq=event.seq,
                rule=deal.rules.cite("game_bonus"),
                recorded=event.net,
                expected=true[winner] - true[loser],
                data={"what": "net"},
            ),
        )
