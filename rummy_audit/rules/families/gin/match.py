"""A match of gin: hands add up to games, games to a match.

003 Game, Match: the first to reach the target wins the game and has a bonus, another
where the loser won no hand; each hand won is a box. The winner takes the difference
of the totals, and the match goes to who first reaches its own target with those.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rummy_audit.rhl.records import Irregularity, Result
from rummy_audit.rules.families.gin.tally import Game, judge_result
from rummy_audit.rules.findings import Finding
from rummy_audit.rules.matches import Deal, Placed, Row, Standing, typical
from rummy_audit.rules.rulesets import Ruleset


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
    usual = typical(deals)
    rules, target = usual.rules, _target(usual)
    number = deals[0].match.game
    for deal in deals:
        if deal.match.game != number:
            champion = _close(game, won, rules, champion)
            game = Game(seats)
        number = deal.match.game
        found += _hand(deal, game, champion, target=target)
        rows.append(_row(deal, game))
    if number == deals[0].match.game:
        return Standing(tuple(found), game.final(rules), game.winner, tuple(rows))
    champion = _close(game, won, rules, champion)
    return Standing(tuple(found), won, champion, tuple(rows))


def _target(deal: Deal) -> int:
    """Return the points of a game; those named for the match come before the ruleset's."""
    named = None if "target" in deal.rules.house else deal.match.target
    return named or deal.rules.number("target")


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
    players = {seat for deal in deals for seat in _players(deal)}
    return sorted(entrants or players)


def _players(deal: Deal) -> set[int]:
    """Return who sat at a hand: all but those marked as absent on its sheet."""
    marks = (deal.score.marks if deal.score else None) or {}
    seats = {player.seat for player in deal.hand.record.players}
    return {seat for seat in seats if marks.get(seat) != "absent"} or seats


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


def _hand(deal: Deal, game: Game, champion: int | None, *, target: int) -> Iterator[Placed]:
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
    yield from _total(deal, game, target=target)
    game.last = deal
    for event in deal.hand.events:
        if isinstance(event, Result):
            yield from judge_result(deal, game, event)


def _follows_a_gap(deal: Deal, game: Game) -> bool:
    number = deal.number
    last = 0 if game.last is None else game.last.number
    return number is not None and last is not None and number > last + 1


def _dealer(deal: Deal, game: Game) -> Iterator[Placed]:
    """003 Scoring: the winner of a hand deals the next; after a dead hand the same dealer.

    A wrong dealer that the table noticed is said in the hand itself. After a wrong dealer
    the deal may go on from there, or as if the right one had dealt.
    """
    due, game.due = game.due, None
    dealer, last = deal.hand.record.dealer, game.last
    if dealer is None or last is None or last.hand.record.dealer is None:
        return
    before = {last.hand.record.dealer} | ({due} if due is not None else set())
    right = _next_dealers(deal, game, before)
    if dealer in right:
        return
    game.due = min(right)
    noticed = any(
        isinstance(event, Irregularity) and event.kind == "wrong-dealer"
        for event in deal.hand.events
    )
    if not noticed:
        yield Placed(
            deal.id,
            Finding(
                code="dealer-wrong",
                seat=dealer,
                rule=deal.rules.cite("dealer_moves"),
                recorded=dealer,
                expected=game.due,
                data={"previous": last.id},
            ),
        )


def _next_dealers(deal: Deal, game: Game, before: set[int]) -> set[int]:
    """Return who may deal now, after a hand that one of ``before`` dealt."""
    last, moves = game.last, deal.rules.choice("dealer_moves")
    if last is None or (moves == "free" and not _was_dead(last)):
        return set(game.seats)
    if _was_dead(last):
        return before
    if moves == "clockwise":
        right = {seat for seat in game.seats if before != {seat}}
        if last.replay.result.outcome == "undecided" and not any(_points(last).values()):
            right |= before  # on a sheet a hand of nothing for both may have been a dead one
        return right
    winners = {_winner(last), last.score.winner if last.score else None} - {None}
    right = {seat for seat in game.seats if (seat in winners) == (moves == "winner")}
    return right if winners and right else set(game.seats)


def _was_dead(deal: Deal) -> bool:
    return deal.annulled or deal.replay.result.outcome == "void"


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


def _total(deal: Deal, game: Game, *, target: int) -> Iterator[Placed]:
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
    reached = [seat for seat in game.seats if game.totals[seat] >= target]
    if reached and game.known:
        game.winner = max(reached, key=lambda seat: game.totals[seat])
