"""What a log holds beyond the fields that are known may be anything: it is shown to nobody else."""

from replays import sight
from replays.sight import PUBLIC, Sight
from rummy_audit.rhl import write
from rummy_audit.rhl.read import read


def one(text):
    return next(iter(read(text.encode())))


HAND = """\
hand x rhl=1 ruleset=basic detail=full
player 1
player 2
deck AS 2S 3S
deal 1 4H 5H
deal 2 6H 7H
upcard KS
draw 1 stock 9H
discard 1 9H facedown
draw 2 discard KS
penalty 1 2C 3C reason=timer
reshuffle 9H AD
reshuffle turned 9H AD
irregularity exposed-card 2 7H
irregularity saw-card 2 8D
end
"""
TO_THE_TABLE = """\
hand x rhl=1 ruleset=basic detail=table
player 1
player 2
note Hidden until the hand is open to all.
deal 1 x2
deal 2 x2
upcard KS
draw 1 stock
discard 1 ?? facedown
draw 2 discard KS
penalty 1 x2
reshuffle
reshuffle turned 9H AD
irregularity exposed-card 2 7H
irregularity saw-card 2
end
"""


def test_the_table_sees_what_lay_open_and_a_seat_its_own_cards_too():
    assert write.to_text(sight.redacted(one(HAND), PUBLIC)) == TO_THE_TABLE
    assert write.to_text(sight.redacted(one(HAND), Sight(whole=False, seats=frozenset({1})))) == (
        TO_THE_TABLE.replace("deal 1 x2", "deal 1 4H 5H")
        .replace("draw 1 stock", "draw 1 stock 9H")
        .replace("discard 1 ??", "discard 1 9H")
        .replace("penalty 1 x2", "penalty 1 2C 3C")
    )


def test_unknown_fields_stay_hidden_wherever_they_stand():
    told = """\
{"type":"hand","rhl":1,"id":"x","ruleset":"gin","detail":"full","_a":"SECRET",\
"players":[{"seat":1,"held":["SECRET"]},{"seat":2,"name":"Bilal"}],\
"match":{"id":"m","_b":"SECRET"},"writer":{"name":"w","_c":"SECRET"}}
{"type":"deal","seq":1,"seat":1,"count":10,"_d":"SECRET"}
{"type":"result","seq":2,"winner":1,"bonuses":{"1":{"game":100,"_e":"SECRET"}}}
"""
    seen = [
        sight.redacted(one(told), each)
        for each in (PUBLIC, Sight(whole=False, seats=frozenset({1})))
    ]

    assert ["SECRET" in write.to_json(each).decode() for each in seen] == [False, False]
    kept = seen[0]
    assert (kept.record.match.id, kept.record.writer.name) == ("m", "w")
    assert (kept.record.players[1].name, kept.events[1].bonuses[1].game) == ("Bilal", 100)
