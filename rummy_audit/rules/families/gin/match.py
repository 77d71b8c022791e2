"""A match of gin: hands add up to games, games to a match.

003 Game, Match: the first to reach the target wins the game and has a bonus, another
where the loser won no hand; each hand won is a box. The winner takes the difference
of the totals, and the match goes to who first reaches its own target with those.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rummy_audit.rhl.records import Bonuses, Irregularity, Result
from rummy_audit.rules.findings import Finding
from rummy_audit.rules.matches import Deal, Placed, Row, Standing
from rummy_audit.rules.rulesets import Ruleset

_FIELDS = ("game", "shutout", "box")


class Game:
    """The hands of one game as they add up.

    ``totals`` are the running points by the rules, ``recorded`` those that were
    written down, ``boxes`` the hands won. After a missing deal neither totals nor
    boxes are known (``known``, ``boxed``) until totals are written down again.
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


def audit(deals: Sequence[Deal], *, whole: bool) -> Standing:
    """Add the hands up, in order, game by game.

    ``whole`` is false where deals are missing; which ones is seen here by their
    numbers. Of one game the totals are its own, with bonuses; of several they are
    the differences that were won.
    """
    del whole
    seats = _seats(deals)
    found: list[Placed] = []
    rows: list[Row] = []
    won = dict.fromkeys(seats, 0)
    game = Game(seats)
    champion: int | None = None
    number = deals[0].match.game
    for deal in deals:
        if deal.match.game != number:
            champion = _close(game, won, deal.rules, champion)
            game = Game(seats)
        number = deal.match.game
        found += _hand(deal, game, champion)
        rows.append(_row(deal, game))
    rules = deals[-1].rules
    if number == deals[0].match.game:
        return Standing(tuple(found), game.final(rules), game.winner, tuple(rows))
    champion = _close(game, won, rules, champion)
    return Standing(tuple(found), won, champion, tuple(rows))


def _row(deal: Deal, game: Game) -> Row:
    return Row(
        hand=deal.id,
        deal=deal.match.deal,
        points=_points(deal),
        totals=dict(game.totals),
        recorded_totals=(deal.score.totals if deal.score else None) or {},
    )


def _seats(deals: Sequence[Deal]) -> list[int]:
    entrants = {seat for deal in deals for seat in deal.match.seats or ()}
    players = {player.seat for deal in deals for player in deal.hand.record.players}
    return sorted(entrants or players)


def _close(game: Game, won: dict[int, int], rules: Ruleset, champion: int | None) -> int | None:
    """Credit a game that was won with the difference, and return who has won the match."""
    if game.winner is not None and game.loser is not None:
        totals = game.final(rules)
        won[game.winner] += totals[game.winner] - totals[game.loser]
    target = rules.limit("match_target")
    if champion is None and target is not None:
        reached = [seat for seat, points in won.items() if points >= target]
        champion = reached[0] if reached else None
    return champion


# One hand


def _hand(deal: Deal, game: Game, champion: int | None) -> Iterator[Placed]:
    """Judge one hand as part of its game, and add it up."""
    if champion is not None or game.winner is not None:
        winner = champion if champion is not None else game.winner
        yield Placed(
            deal.id,
            Finding(
                code="match-over",
                rule=deal.rules.cite("target" if champion is None else "match_target"),
                data={"winner": winner},
            ),
        )
        return
    gap = _follows_a_gap(deal, game)
    if not gap:
        yield from _dealer(deal, game)
    else:
        game.known = game.boxed = False
    yield from _total(deal, game)
    game.last = deal
    for event in deal.hand.events:
        if isinstance(event, Result):
            yield from _result(deal, game, event)


def _follows_a_gap(deal: Deal, game: Game) -> bool:
    number = deal.match.deal
    last = 0 if game.last is None else game.last.match.deal
    return number is not None and last is not None and number > last + 1


def _dealer(deal: Deal, game: Game) -> Iterator[Placed]:
    """003 Scoring: the winner of a hand deals the next; after a dead hand the same dealer.

    A wrong dealer that the table noticed is said in the hand itself.
    """
    dealer, last = deal.hand.record.dealer, game.last
    noticed = any(
        isinstance(event, Irregularity) and event.kind == "wrong-dealer"
        for event in deal.hand.events
    )
    if dealer is None or last is None or noticed or last.hand.record.dealer is None:
        return
    before = last.hand.record.dealer
    moves = deal.rules.choice("dealer_moves")
    if last.annulled or last.replay.result.outcome == "void":
        right = {before}
    elif moves == "free":
        return
    elif moves == "clockwise":
        right = {seat for seat in game.seats if seat != before}
    else:
        winners = {_winner(last), last.score.winner if last.score else None} - {None}
        if not winners:
            return
        right = {seat for seat in game.seats if (seat in winners) == (moves == "winner")} or {
            dealer
        }
    if dealer not in right:
        expected = min(right)
        yield Placed(
            deal.id,
            Finding(
                code="dealer-wrong",
                seat=dealer,
                rule=deal.rules.cite("dealer_moves"),
                recorded=dealer,
                expected=expected,
                data={"previous": last.id},
            ),
        )


def _winner(deal: Deal) -> int | None:
    """Return who won a hand by the rules, or by what was written down where they cannot tell."""
    result = deal.replay.result
    if deal.annulled or result.scores or result.outcome in ("void", "drawn"):
        return result.winner
    points = _points(deal)
    positive = [seat for seat, number in sorted(points.items()) if number > 0]
    return positive[0] if len(positive) == 1 else None


def _points(deal: Deal) -> dict[int, int]:
    """Return the points of a hand by the rules, or the recorded ones where they cannot tell."""
    if deal.annulled:
        return {}
    if deal.replay.result.scores:
        return deal.replay.result.scores
    return (deal.score.points if deal.score else None) or {}


def _total(deal: Deal, game: Game) -> Iterator[Placed]:
    """A running total is the one before and the points of the hand.

    It may continue the total by the rules or the recorded one, so that a mistake
    that is carried along is named once.
    """
    points = _points(deal)
    written = (deal.score.points if deal.score else None) or {}
    totals = (deal.score.totals if deal.score else None) or {}
    wrong: dict[int, int] = {}
    for seat in game.seats:
        due, noted = points.get(seat, 0), written.get(seat, points.get(seat, 0))
        bases = {game.totals[seat], game.recorded[seat]}
        if seat in totals and game.known:
            right = {base + added for base in bases for added in (due, noted)}
            if totals[seat] not in right:
                wrong[seat] = game.recorded[seat] + due
        game.totals[seat] += due
        game.recorded[seat] = totals.get(seat, game.recorded[seat] + noted)
        if not game.known and seat in totals:
            game.totals[seat] = totals[seat]
    if not game.known:
        game.known = set(game.seats) <= set(totals)
    if (winner := _winner(deal)) in game.boxes and winner is not None:
        game.boxes[winner] += 1
    if wrong and deal.score is not None:
        yield Placed(
            deal.id,
            Finding(
                code="total-wrong",
                seq=deal.score.seq,
                seat=next(iter(wrong)) if len(wrong) == 1 else None,
                recorded={seat: totals[seat] for seat in wrong},
                expected=wrong,
                data={"seats": sorted(wrong)},
            ),
        )
    target = deal.match.target or deal.rules.number("target")
    reached = [seat for seat in game.seats if game.totals[seat] >= target]
    if reached and game.known:
        game.winner = max(reached, key=lambda seat: game.totals[seat])


# The end of a game


def _result(deal: Deal, game: Game, event: Result) -> Iterator[Placed]:
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
        return
    due = game.bonuses(rules)
    written = _written(event, due)
    if game.boxed:
        yield from _bonuses(deal, game, event, due)
    final = {
        seat: {
            base + sum(bonuses[seat].values())
            for base in (game.totals[seat], game.recorded[seat])
            for bonuses in (due, written)
        }
        for seat in game.seats
    }
    yield from _final_totals(deal, game, event, final)


def _written(event: Result, due: dict[int, dict[str, int]]) -> dict[int, dict[str, int]]:
    """Return the bonuses as written down; due ones where none were."""
    if event.bonuses is None:
        return due
    return {seat: {name: _bonus(event.bonuses.get(seat), name) for name in _FIELDS} for seat in due}


def _bonus(bonuses: Bonuses | None, name: str) -> int:
    return (getattr(bonuses, name) or 0) if bonuses is not None else 0


def _bonuses(
    deal: Deal, game: Game, event: Result, due: dict[int, dict[str, int]]
) -> Iterator[Placed]:
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
            yield Placed(
                deal.id,
                Finding(
                    code="bonus-wrong",
                    seq=event.seq,
                    seat=seat,
                    rule=deal.rules.cite(f"{names[0]}_bonus"),
                    recorded={name: written[name] for name in names},
                    expected={name: due[seat][name] for name in names},
                    data={"boxes": game.boxes[seat]},
                ),
            )


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
