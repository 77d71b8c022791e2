"""Whatever a log says, the referee has an answer: no order of events breaks the program."""

from hypothesis import given, settings
from hypothesis import strategies as st

from rummy_audit.rhl import records
from rummy_audit.rhl.records import End, Hand, HandRecord, Player
from rummy_audit.rules.replay import replay
from tests.effort import tries

SEATS = st.integers(1, 4)  # seat 4 has nobody in it
CARDS = st.sampled_from(("4H", "5H", "6H", "7H", "KS", "QS", "AD", "JK", "??", "R9"))
MAYBE = st.none() | CARDS
LISTS = st.lists(CARDS, max_size=14).map(tuple)
GROUPS = st.lists(LISTS, max_size=4).map(tuple)
POINTS = st.dictionaries(SEATS, st.integers(-5, 90))
CAUSES = st.sampled_from((None, "wrong-count", "exposed-card", "agreed", "stock-exhausted"))

EVENTS = st.one_of(
    st.builds(records.Deck, cards=LISTS),
    st.builds(records.Shuffle, scheme=st.sampled_from((None, "rhl-shuffle-1")), nonce=st.just(1)),
    st.builds(records.Reveal, seed=st.just("s")),
    st.builds(records.Deal, seat=SEATS, cards=st.none() | LISTS, count=st.none() | st.just(13)),
    st.builds(records.Upcard, card=CARDS),
    st.builds(records.Wild, card=CARDS),
    st.builds(
        records.Draw,
        seat=SEATS,
        from_=st.sampled_from(("stock", "discard", "exposed")),
        card=MAYBE,
        cards=st.none() | LISTS,
    ),
    st.builds(records.Discard, seat=SEATS, card=CARDS),
    st.builds(records.Reshuffle, cards=st.none() | LISTS),
    st.builds(records.Drop, seat=SEATS),
    st.builds(records.Miss, seat=SEATS),
    st.builds(records.Leave, seat=SEATS),
    st.builds(records.Declare, seat=SEATS, groups=GROUPS, discard=MAYBE, loose=st.none() | LISTS),
    st.builds(records.Show, seat=SEATS, groups=st.none() | GROUPS, loose=st.none() | LISTS),
    st.builds(
        records.Irregularity,
        kind=st.sampled_from(("wrong-count", "exposed-card", "not-shuffled", "other")),
        seat=st.none() | SEATS,
        card=MAYBE,
    ),
    st.builds(
        records.Ruling,
        by=st.just("ref1"),
        target=st.integers(0, 30),
        outcome=st.sampled_from(("declaration-right", "declaration-wrong", "score-corrected")),
    ),
    st.builds(records.Misdeal, cause=CAUSES),
    st.builds(records.Void, cause=CAUSES),
    st.builds(
        records.Score,
        points=st.none() | POINTS,
        winner=st.none() | SEATS,
        amounts=st.none() | POINTS,
        marks=st.none() | st.dictionaries(SEATS, st.sampled_from(("won", "first-drop", "full"))),
    ),
    st.builds(records.Knock, seat=SEATS, groups=GROUPS),
)
HOUSE = st.sampled_from(
    (
        *({}, {"wild_if_printed": "redraw"}, {"stock_exhausted": "lowest-wins"}),
        *({"wrong_declaration": "end"}, {"stock_exhausted": "void"}, {"drops": False}),
        *({"discard_just_taken": False}, {"misses_to_drop": 1}, {"judge_declarer": "best"}),
        *({"cap": "none"}, {"decks": 1}, {"drop_after_draw": True}, {"deal_stands": False}),
    )
)


@given(
    events=st.lists(EVENTS, max_size=30),
    detail=st.sampled_from(("full", "table", "shown", "scores")),
    house=HOUSE,
    dealer=st.none() | SEATS,
    status=st.sampled_from((None, "completed", "misdeal", "void", "abandoned")),
)
@settings(max_examples=tries(150), deadline=None)
def test_any_order_of_events_gets_an_answer(events, detail, house, dealer, status):
    record = HandRecord(
        rhl=1,
        id="H1",
        ruleset="indian-13",
        detail=detail,
        dealer=dealer,
        players=tuple(Player(seat=seat) for seat in (1, 2, 3)),
        rules=house or None,
    )
    numbered = tuple(
        type(event)(**{name: getattr(event, name) for name in event.__struct_fields__} | {"seq": n})
        for n, event in enumerate(events, start=1)
    )
    hand = Hand(
        record=record,
        events=numbered,
        end=End(status=status) if status else None,
        ended_after=len(numbered) if status else None,
    )
    result = replay(hand, keep_steps=True)

    assert result.verdict in ("clean", "flagged", "irregular", "unfinished", "impossible")
    assert len(result.steps) == (
        len(numbered) if result.verdict != "impossible" else result.steps[-1].number
    )
    assert all(0 <= finding.seq <= len(numbered) for finding in result.findings)
    assert replay(hand).findings == result.findings
