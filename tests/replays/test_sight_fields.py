"""What a log holds beyond the fields that are known may be anything: it is shown to nobody else."""

from replays import sight
from replays.sight import PUBLIC, Sight
from rummy_audit.rhl import write
from rummy_audit.rhl.read import read


def one(text):
    return next(iter(read(text.encode())))


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
