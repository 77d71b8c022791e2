"""Deals entered at a table: kept once, corrected by amendment, confirmed, locked."""

import datetime
import io

import pytest
from django.utils import timezone

from replays import deals, evenings, live, uploads
from replays.deals import (
    AlreadyEnteredError,
    ChangedMeanwhileError,
    DealProblemsError,
    Typed,
)
from replays.evenings import NotPossibleError
from replays.matches_at_tables import state_of
from replays.models import Club, DealEntry, HandLog, Seat, TableMatch, TrailEntry
from replays.queries import hand_of
from rummy_audit.rhl import canonical, write
from tests.replays.tables import DAY

pytestmark = pytest.mark.django_db


@pytest.fixture
def start(bob, evening, table):
    def start(match_format="pool-101", **stakes):
        refs = [player.ref for player in evenings.roster(evening)]
        return evenings.start_match(
            viewer=bob, table=table, match_format=match_format, refs=refs, stakes=stakes
        )

    return start


@pytest.fixture
def phone(bob, table):
    """The table as its link's holder sees it."""
    _link, token = evenings.make_table_link(viewer=bob, table=table)
    return evenings.table_of_link(token)[0]


@pytest.fixture
def enter(phone):
    def enter(match, number, winner, points=None, marks=None, *, key=None, device="one", **more):
        typed = Typed(winner, points or {}, marks or {}, **more)
        return deals.enter_deal(
            viewer=phone,
            match=match,
            key=key or f"key-{number}",
            number=number,
            typed=typed,
            device=device,
        )

    return enter


def test_a_deal_is_a_hand_of_scores_with_its_marks(start, enter):
    match = start()

    entry = enter(match, 1, 1, {2: 34}, {3: "wrong"})

    assert write.to_text(hand_of(entry.log)) == (
        'hand "Table 4 · 1-1" rhl=1 ruleset=indian-13@1 detail=scores source=table'
        ' event="2026-11-28 Saturday" table="Table 4"\n'
        f"player 1 Asha ref={match.seats.get(seat=1).player.ref}\n"
        f"player 2 Bilal ref={match.seats.get(seat=2).player.ref}\n"
        f"player 3 Chitra ref={match.seats.get(seat=3).player.ref}\n"
        'match "Table 4 · 1" format=pool-101 deal=1 seats=1,2,3\n'
        "score 1=0 2=34 3=80 winner=1 marks 1=won 3=wrong\n"
        "end count=1\n"
    )
    assert entry.log.match == "Table 4 · 1"
    # The seats are the roster's people, so a season can add them up.
    assert Seat.objects.filter(log=entry.log, player=None).count() == 0


@pytest.mark.storage
def test_a_match_is_removed_once_and_who_still_looks_at_it_is_told(bob, start, enter):
    match, stale = start(), TableMatch.objects.get()
    evenings.drop_match(viewer=bob, match=match)

    evenings.drop_match(viewer=bob, match=stale)
    with pytest.raises(NotPossibleError, match=r"^This match was removed"):
        enter(stale, 1, 1, {2: 34, 3: 20})
    with pytest.raises(NotPossibleError, match=r"^This match was removed"):
        deals.lock_match(viewer=bob, match=stale)

    match = start()
    enter(match, 1, 1, {2: 34, 3: 20})
    with pytest.raises(NotPossibleError, match=r"entered already: it stays"):
        evenings.drop_match(viewer=bob, match=match)


@pytest.mark.storage
def test_an_upload_that_took_the_name_of_a_deal_does_not_block_its_table(club, start, enter):
    match = start()
    taken = (
        'hand "Table 4 · 1-1" rhl=1 ruleset=indian-13@1 detail=scores source=table'
        ' event="2026-11-28 Saturday"\nplayer 1 X\nplayer 2 Y\nscore 1=0 2=2 winner=1\nend\n'
    )
    uploads.receive(io.BytesIO(taken.encode()), club=club)

    entry = enter(match, 1, 1, {2: 34, 3: 20})

    assert entry.log.name.startswith("Table 4 · 1-1 ")
    assert HandLog.objects.exclude(pk=entry.log.pk).get().name == "Table 4 · 1-1"
    assert enter(match, 2, 1, {2: 3, 3: 2}).log.name == "Table 4 · 1-2"


def at_table(name, match):
    """A deal of a table as somebody would upload it."""
    return (
        f'hand "{name}" rhl=1 ruleset=indian-13@1 detail=scores source=table'
        ' event="2026-11-28 Saturday"\nplayer 1 X\nplayer 2 Y\nplayer 3 Z\n'
        f'match "{match}" format=pool-101 deal=9\nscore 1=90 2=0 3=90 winner=2\nend\n'
    ).encode()


@pytest.mark.storage
def test_an_upload_joins_no_match_of_a_table_past_its_lock(club, bob, start, enter):
    # Here before the match begins, it keeps its name to itself.
    uploads.receive(io.BytesIO(at_table("early", "Table 4 · 1")), club=club)
    match = start()
    assert match.name.startswith("Table 4 · 1 ")
    entry = enter(match, 1, 1, {2: 34, 3: 20})
    deals.lock_match(viewer=bob, match=match)

    sent = uploads.receive(io.BytesIO(at_table("late", match.name)), club=club)

    told = sent.outcomes.get()
    assert (told.kind, told.found, told.expected) == (
        "rejected",
        "a hand for a match that is played at a table",
        "its deals on the page of that table",
    )
    assert list(HandLog.objects.filter(match=match.name)) == [entry.log]
    # Another club's table is nothing to it, nor is another source.
    other = at_table("other", match.name).replace(b"source=table", b"source=platform")
    assert uploads.receive(io.BytesIO(other), club=club).created == 1
    elsewhere = Club.objects.create(slug="other", name="The other club")
    copied = uploads.receive(io.BytesIO(at_table("late", match.name)), club=elsewhere)
    assert copied.created == 1


@pytest.mark.storage
def test_sent_twice_is_one_hand(start, enter):
    match = start()

    first = enter(match, 1, 1, {2: 34, 3: 20}, key="k")
    again = enter(match, 1, 1, {2: 34, 3: 20}, key="k")

    assert again == first
    assert HandLog.objects.count() == 1
    match.upload.refresh_from_db()
    assert (match.upload.created, match.upload.duplicate, match.upload.seen) == (1, 0, 1)


def test_a_form_gone_back_to_and_changed_is_no_second_sending(phone, start, enter):
    match = start()
    entry = enter(match, 1, 1, {2: 34, 3: 20}, key="k")

    with pytest.raises(AlreadyEnteredError) as changed:
        enter(match, 1, 1, {2: 43, 3: 20}, key="k")
    assert (changed.value.entry, changed.value.same) == (entry, False)
    # What was sent is known again, also when it has been corrected since.
    typed = Typed(1, {2: 43, 3: 20})
    deals.correct(viewer=phone, entry=entry, typed=typed, reason="43", version=1)
    assert enter(match, 1, 1, {2: 34, 3: 20}, key="k") == entry


def test_a_key_stands_for_its_own_deal_as_long_as_that_counts(phone, start, enter):
    match = start()
    enter(match, 1, 1, {2: 34, 3: 20}, key="k")
    # The next deal has the same numbers: under the old key nobody may be told that it is kept.
    with pytest.raises(AlreadyEnteredError):
        enter(match, 2, 1, {2: 34, 3: 20}, key="k")
    last = enter(match, 2, 1, {2: 5, 3: 5}, key="l")
    deals.correct(viewer=phone, entry=last, typed=None, reason="twice", version=1)

    with pytest.raises(NotPossibleError, match="Deal 2 was taken back"):
        enter(match, 2, 1, {2: 5, 3: 5}, key="l")
    assert state_of(match).next_number == 2


def test_a_match_that_is_over_goes_on_only_for_somebody_who_was_out(start, enter):
    match = start()
    enter(match, 1, 1, {2: 101, 3: 101})
    assert state_of(match).winner == 1

    for nobody in ({99}, {1}):
        with pytest.raises(NotPossibleError, match="This match is over"):
            enter(match, 2, 1, back=frozenset(nobody))
    assert HandLog.objects.count() == 1


def test_a_deal_of_a_table_is_corrected_at_the_table_alone(bob, start, enter):
    match = start()
    entry = enter(match, 1, 1, {2: 34, 3: 20})
    deals.lock_match(viewer=bob, match=match)
    amended = canonical.dumps(
        {
            "type": "amend",
            "seq": 2,
            "target": 1,
            "replace": {"type": "score", "winner": 1, "points": {"1": 0, "2": 2, "3": 2}},
        }
    )

    with pytest.raises(live.MisfitError) as refused:
        live.append(bob, entry.log.public_id, after=1, lines=[amended])

    assert refused.value.expected == "its correction on the page of that table"
    log = write.to_json(hand_of(entry.log)) + amended + b"\n"
    sent = uploads.receive(io.BytesIO(log), club=bob.club, viewer=bob)
    assert (sent.conflict, sent.appended, sent.created) == (1, 0, 0)
    assert state_of(match).total(2) == 34


def test_two_phones_with_the_same_deal_are_told_so(start, enter):
    match = start()
    first = enter(match, 1, 1, {2: 34, 3: 20}, key="a")

    with pytest.raises(AlreadyEnteredError) as same:
        enter(match, 1, 1, {2: 34, 3: 20}, key="b", device="two")
    with pytest.raises(AlreadyEnteredError) as other:
        enter(match, 1, 1, {2: 43, 3: 20}, key="c", device="two")

    assert (same.value.entry, same.value.same) == (first, True)
    assert (other.value.entry, other.value.same) == (first, False)
    assert HandLog.objects.count() == 1


def test_what_is_missing_is_named_and_nothing_is_kept(start, enter):
    match = start()

    with pytest.raises(DealProblemsError) as refused:
        enter(match, 1, None, {2: 34})

    assert refused.value.problems == [
        "Tap who won the deal.",
        "Enter a number or a mark for Asha.",
        "Enter a number or a mark for Chitra.",
    ]
    assert HandLog.objects.count() == 0


def test_a_deal_out_of_order_is_refused(start, enter):
    with pytest.raises(NotPossibleError, match="next deal of this match is 1"):
        enter(start(), 3, 1, {2: 2, 3: 4})


def test_totals_add_up_and_who_is_out_does_not_play(start, enter):
    match = start()
    enter(match, 1, 1, {2: 21, 3: 40})
    enter(match, 2, 1, marks={2: "wrong", 3: "first-drop"})

    state = state_of(match)

    assert [state.total(seat) for seat in (1, 2, 3)] == [0, 101, 60]
    assert state.out == {2}
    assert state.playing() == [1, 3]
    entry = enter(match, 3, 3, {1: 30})
    assert [player.seat for player in hand_of(entry.log).record.players] == [1, 3]
    assert state_of(match).report.findings == ()
    enter(match, 4, 1, {3: 41})
    assert state_of(match).winner == 1
    with pytest.raises(NotPossibleError, match="This match is over"):
        enter(match, 5, 1, {3: 2})


def test_rejoining_as_the_rules_allow(bob, evening, table, enter, settings):
    from replays import rulesets_of_clubs as own

    made = own.make_ruleset_version(
        viewer=bob, slug="ours", name="Ours", base="indian-13", settings={"rejoin_max": 79}
    )
    own.activate_ruleset(viewer=bob, version=made, valid_from=DAY)
    evening.ruleset = "ours@1"
    evening.save()
    refs = [player.ref for player in evenings.roster(evening)]
    match = evenings.start_match(viewer=bob, table=table, match_format="pool-101", refs=refs)
    enter(match, 1, 1, {2: 80, 3: 40})
    enter(match, 2, 1, {2: 30, 3: 20})
    assert state_of(match).may_rejoin == 61

    entry = enter(match, 3, 1, {2: 5, 3: 2}, back=frozenset({2}))

    assert hand_of(entry.log).record.match.rejoined == (2,)
    state = state_of(match)
    assert (state.total(2), state.out, state.report.findings) == (66, frozenset(), ())


def test_who_left_is_gone_until_they_are_back(start, enter):
    match = start()
    enter(match, 1, 1, {2: 10}, {3: "left"})
    assert state_of(match).playing() == [1, 2]

    gone = enter(match, 2, 1, {2: 10})
    assert hand_of(gone.log).record.match.left == (3,)
    enter(match, 3, 2, {1: 10, 3: 12}, back=frozenset({3}))

    state = state_of(match)
    assert (state.left, state.report.findings) == (frozenset(), ())
    assert [state.total(seat) for seat in (1, 2, 3)] == [10, 20, 52]


def test_deals_are_chips_and_know_no_drops(start, enter):
    match = start("deals-2")
    assert [mark for mark, *_rest in state_of(match).marks] == ["wrong", "full", "left", "absent"]

    enter(match, 1, 1, {2: 30}, {3: "full"})
    enter(match, 2, 2, {1: 10, 3: 5})

    state = state_of(match)
    assert [state.total(seat) for seat in (1, 2, 3)] == [260, 145, 75]
    assert state.winner == 1


def test_an_absent_player_pays_nothing_unless_a_number_is_typed(start, enter):
    match = start()
    enter(match, 1, 1, {2: 30}, {3: "absent"})
    enter(match, 2, 1, {2: 30, 3: 20}, {3: "absent"})

    state = state_of(match)

    assert [state.total(seat) for seat in (1, 2, 3)] == [0, 60, 20]
    assert [state.findings_at(each) for each in state.deals] == [[], []]


def test_shown_cards_stay_with_the_deal_as_a_note(start, enter):
    entry = enter(start(), 1, 1, {2: 30, 3: 2}, shown={2: "Bilal showed 30 points: KS QS TH"})

    assert [event.text for event in hand_of(entry.log).events[1:]] == [
        "Bilal showed 30 points: KS QS TH"
    ]


@pytest.mark.storage
def test_a_correction_is_an_amendment_and_moves_every_total_after_it(phone, start, enter):
    match = start()
    entry = enter(match, 1, 1, {2: 62, 3: 20})
    enter(match, 2, 1, {2: 38, 3: 20})
    typed = Typed(1, {2: 26, 3: 20})

    found = deals.preview(viewer=phone, entry=entry, typed=typed)
    assert found.totals == [(2, 100, 64)]
    assert HandLog.objects.get(pk=entry.log_id).version == 1

    deals.correct(viewer=phone, entry=entry, typed=typed, reason="26, not 62", version=1)

    state = state_of(match)
    assert [state.total(seat) for seat in (1, 2, 3)] == [0, 64, 40]
    log = HandLog.objects.get(pk=entry.log_id)
    assert write.to_text(hand_of(log)).splitlines()[-3:] == [
        "score 1=0 2=62 3=20 winner=1 marks 1=won",
        "end count=1",
        'amend 1 by="the table" reason="26, not 62" : score 1=0 2=26 3=20 winner=1 marks 1=won',
    ]
    assert [each.reason for each in deals.amendments_of(entry)] == ["26, not 62"]
    assert TrailEntry.objects.filter(verb="deal.correct").count() == 1


def test_a_correction_needs_a_reason_and_the_version_that_was_looked_at(phone, start, enter):
    entry = enter(start(), 1, 1, {2: 62, 3: 20})
    typed = Typed(1, {2: 26, 3: 20})

    with pytest.raises(NotPossibleError, match="Say why"):
        deals.correct(viewer=phone, entry=entry, typed=typed, reason=" ", version=1)
    deals.correct(viewer=phone, entry=entry, typed=typed, reason="x", version=1)
    with pytest.raises(ChangedMeanwhileError):
        deals.correct(viewer=phone, entry=entry, typed=typed, reason="y", version=1)


def test_the_last_deal_is_taken_back_and_dealt_again(phone, start, enter):
    match = start()
    first = enter(match, 1, 1, {2: 62, 3: 20})
    last = enter(match, 2, 1, {2: 5, 3: 5})
    with pytest.raises(NotPossibleError, match="Only the last deal"):
        deals.correct(viewer=phone, entry=first, typed=None, reason="twice", version=1)

    deals.correct(viewer=phone, entry=last, typed=None, reason="entered twice", version=1)

    state = state_of(match)
    assert (state.next_number, state.total(2)) == (2, 62)
    again = enter(match, 2, 2, {1: 7, 3: 5}, key="again")
    assert again.log.name == "Table 4 · 1-2b"
    state = state_of(match)
    assert [state.total(seat) for seat in (1, 2, 3)] == [7, 62, 25]
    assert [state.findings_at(each) for each in state.deals] == [[], [], []]


def test_after_the_correction_period_only_a_referee_amends(phone, bob, charlie, start, enter):
    match = start()
    entry = enter(match, 1, 1, {2: 62, 3: 20})
    typed = Typed(1, {2: 26, 3: 20})
    past = timezone.now() - datetime.timedelta(minutes=31)
    DealEntry.objects.update(entered_at=past)

    for viewer in (phone, bob):
        with pytest.raises(NotPossibleError, match="Ask the referee"):
            deals.correct(viewer=viewer, entry=entry, typed=typed, reason="26", version=1)
    deals.correct(viewer=charlie, entry=entry, typed=typed, reason="26", version=1)

    assert state_of(match).total(2) == 26


@pytest.mark.storage
def test_somebody_else_confirms_and_a_correction_undoes_it(phone, bob, start, enter):
    match = start()
    entry = enter(match, 1, 1, {2: 62, 3: 20}, device="one")

    with pytest.raises(NotPossibleError, match="another phone"):
        deals.confirm_deals(viewer=phone, match=match, places={1: 1}, device="one")
    with pytest.raises(NotPossibleError):
        deals.confirm_deals(viewer=phone, match=match, places={1: 1}, device="")
    assert deals.confirm_deals(viewer=phone, match=match, places={1: 1}, device="two", seat=3) == 1
    assert DealEntry.objects.get(pk=entry.pk).state == "confirmed"

    typed = Typed(1, {2: 26, 3: 20})
    deals.correct(viewer=phone, entry=entry, typed=typed, reason="26", version=1, device="two")
    assert DealEntry.objects.get(pk=entry.pk).state == "entered"
    # What was looked at is no longer what stands there.
    with pytest.raises(NotPossibleError):
        deals.confirm_deals(viewer=phone, match=match, places={1: 1}, device="one")
    assert deals.confirm_deals(viewer=bob, match=match, places={1: 2}) == 1


def test_a_member_confirms_what_others_entered_and_never_their_own(bob, alice, start):
    match = start()
    typed = Typed(1, {2: 62, 3: 20})
    deals.enter_deal(viewer=bob, match=match, key="1", number=1, typed=typed, device="")

    with pytest.raises(NotPossibleError, match="whoever entered a deal cannot confirm it"):
        deals.confirm_deals(viewer=bob, match=match, places={1: 1})
    assert deals.confirm_deals(viewer=alice, match=match, places={1: 1}) == 1


def test_a_table_locks_once_all_is_confirmed_and_then_takes_nothing_more(phone, bob, start, enter):
    match = start()
    entry = enter(match, 1, 1, {2: 62, 3: 20})
    with pytest.raises(NotPossibleError, match="1 deal is not confirmed"):
        deals.lock_match(viewer=phone, match=match)
    deals.confirm_deals(viewer=phone, match=match, places={1: 1}, device="two")

    deals.lock_match(viewer=phone, match=match)

    with pytest.raises(NotPossibleError, match="locked"):
        enter(match, 2, 1, {2: 2, 3: 2})
    with pytest.raises(NotPossibleError, match="Ask the referee"):
        deals.correct(viewer=phone, entry=entry, typed=Typed(1, {2: 1}), reason="x", version=1)


def test_stakes_stand_in_the_log_only_where_the_club_plays_for_money(club, start, enter, bob):
    dry = enter(start("points", point_value=400, fee=100), 1, 1, {2: 10, 3: 5})
    assert hand_of(dry.log).record.match.point_value is None

    club.money = True
    club.save()
    bob.club.money = True
    match = start("points", point_value=400, fee=100)
    entry = enter(match, 1, 1, {2: 10, 3: 5}, key="m")

    record = hand_of(entry.log).record
    assert (record.match.point_value, record.match.fee) == (400, 100)
