"""Logs that nobody should be able to hurt a reader with, each with what must be said of it.

Every case is one hand (or a whole file) with the place, what was found and what was
expected. ``HAND`` begins a good hand in JSON, ``TEXT`` in the text form.
"""

import json

HAND = (
    b'{"type":"hand","rhl":1,"id":"H","ruleset":"gin","detail":"full",'
    b'"players":[{"seat":1},{"seat":2}]}\n'
)
TEXT = b"hand T rhl=1 ruleset=gin detail=full\nplayer 1 Asha\nplayer 2 Bilal\n"
LONG = b",".join([b'"%s"' % (b"x" * 490)] * 80)
END = b'{"type":"end","status":"completed"}\n'


def line(seq=1, kind="discard", *, raw=False, **fields):
    """One event as a writer would write it, or worse; ``raw``: no letter is escaped."""
    said = {"seq": seq, "type": kind, **fields}
    return json.dumps(said, separators=(",", ":"), ensure_ascii=not raw).encode() + b"\n"


def nested(levels, sign=b"[]"):
    return sign[:1] * levels + sign[1:] * levels


DISCARD = b'{"seq":1,"type":"discard","seat":1,"card":"7H"'
# name: (the hand, hand id, line, column, found, expected)
IN_JSON = {
    "key-twice": HAND + DISCARD + b',"seat":2}\n' + END,
    "key-twice-in-nfc": HAND + DISCARD + ',"é":1,"e\u0301":2}\n'.encode() + END,
    "type-twice": HAND + b'{"type":"drop","seq":1,"seat":1,"type":"drop"}\n' + END,
    "player-key-twice": HAND.replace(b'{"seat":2}', b'{"seat":2,"seat":1}') + END,
    "float": HAND + b'{"seq":1.0,"type":"drop","seat":1}\n' + END,
    "exponent": HAND + b'{"seq":1,"type":"drop","seat":1e0}\n' + END,
    "float-in-the-writers-own": HAND + DISCARD + b',"_x":[1,2.5]}\n' + END,
    "nan": HAND + DISCARD + b',"_x":NaN}\n' + END,
    "infinity": HAND + DISCARD + b',"ms":-Infinity}\n' + END,
    "null": HAND + b'{"seq":1,"type":"draw","seat":1,"from":"stock","card":null}\n' + END,
    "nul-escaped": HAND + DISCARD + b',"note":"a\\u0000b"}\n' + END,
    "nul-raw": HAND + DISCARD + b',"note":"a\0b"}\n' + END,
    "nul-in-a-key": HAND + DISCARD + b',"a\\u0000":1}\n' + END,
    "surrogate": HAND + DISCARD + b',"note":"\\ud800"}\n' + END,
    "surrogates-the-wrong-way": HAND + DISCARD + b',"note":"\\udc00\\ud800"}\n' + END,
    "surrogate-in-utf-8": HAND + DISCARD + b',"note":"\xed\xa0\x80"}\n' + END,
    "overlong-utf-8": HAND + DISCARD + b',"note":"\xc0\x80"}\n' + END,
    "latin-1": HAND + DISCARD + b',"note":"caf\xe9"}\n' + END,
    "nine-levels": HAND + DISCARD + b',"_x":' + nested(8) + b"}\n" + END,
    "nine-levels-of-objects": HAND + DISCARD + b',"_x":' + b'{"a":' * 8 + b"1" + b"}" * 9 + b"\n",
    "thousand-levels": HAND + DISCARD + b',"_x":' + nested(1_000) + b"}\n" + END,
    "thirty-thousand-levels": HAND + DISCARD + b',"_x":' + nested(30_000) + b"}\n" + END,
    "levels-without-end": HAND + DISCARD + b',"_x":' + b'{"a":' * 12_000 + b"\n" + END,
    "two-to-the-53": HAND + DISCARD + b',"ms":9007199254740992}\n' + END,
    "two-to-the-53-in-the-writers-own": HAND + DISCARD + b',"_x":[9007199254740992]}\n' + END,
    "minus-two-to-the-53": HAND + line(kind="score", points={"1": -(2**53)}) + END,
    "five-thousand-digits": HAND + DISCARD + b',"_x":' + b"9" * 5_000 + b"}\n" + END,
    "text-of-501": HAND + line(seat=1, card="7H", note="x" * 501) + END,
    "key-of-501": HAND + line(seat=1, card="7H", **{"k" * 501: 1}) + END,
    "text-of-501-in-a-list": HAND + line(seat=1, card="7H", _x=["y" * 501]) + END,
    # NFC takes each of these letters apart: nobody could read the line as it is written.
    "a-line-that-grows": HAND + line(_x=["\u0958" * 250] * 80, seat=1, card="7H", raw=True) + END,
    "5001-events": HAND + b"".join(line(seq, "drop", seat=1) for seq in range(1, 5_002)) + END,
    "seq-gap": HAND + line(1, seat=1, card="7H") + line(3, seat=2, card="8H") + END,
    "seq-again": HAND + line(1, seat=1, card="7H") + line(1, seat=2, card="8H") + END,
    "seq-from-0": HAND + line(0, seat=1, card="7H") + END,
    "seq-missing": HAND + b'{"type":"drop","seat":1}\n' + END,
    "seq-is-text": HAND + b'{"seq":"1","type":"drop","seat":1}\n' + END,
    "version-2": HAND.replace(b'"rhl":1', b'"rhl":2') + END,
    "version-2-with-other-fields": b'{"type":"hand","rhl":2,"players":"Asha"}\n' + END,
    "version-is-text": HAND.replace(b'"rhl":1', b'"rhl":"1"') + END,
    "version-is-true": HAND.replace(b'"rhl":1', b'"rhl":true') + END,
    "version-missing": HAND.replace(b'"rhl":1,', b"") + END,
    "id-missing": HAND.replace(b'"id":"H",', b"") + END,
    "id-empty": HAND.replace(b'"id":"H"', b'"id":""') + END,
    "id-is-a-number": HAND.replace(b'"id":"H"', b'"id":17') + END,
    "players-missing": b'{"type":"hand","rhl":1,"id":"H","ruleset":"gin","detail":"full"}\n',
    "players-are-one": HAND.replace(b'[{"seat":1},{"seat":2}]', b'{"seat":1}') + END,
    "detail-unheard-of": HAND.replace(b'"full"', b'"everything"') + END,
    "seat-taken": HAND.replace(b'{"seat":2}', b'{"seat":1}') + END,
    "started-by-hand": HAND.replace(b'"rhl":1', b'"rhl":1,"started":"20 Nov, 18:30"') + END,
    "started-in-month-13": HAND.replace(b'"rhl":1', b'"rhl":1,"started":"2026-13-01T00:00:00Z"')
    + END,
    "rule-is-a-list": HAND.replace(b'"rhl":1', b'"rhl":1,"rules":{"set_max":[4]}') + END,
    "seat-0": HAND + line(seat=0, card="7H") + END,
    "seat-13": HAND + line(seat=13, card="7H") + END,
    "seat-is-text": HAND + line(seat="1", card="7H") + END,
    "seat-is-true": HAND + line(seat=True, card="7H") + END,
    "arabic-digits": HAND + b'{"seq":1,"type":"drop","seat":' + "\u0661".encode() + b"}\n" + END,
    "seat-with-a-leading-zero": HAND + b'{"seq":1,"type":"drop","seat":01}\n' + END,
    "seat-with-a-plus": HAND + b'{"seq":1,"type":"drop","seat":+1}\n' + END,
    "no-card": HAND + line(seat=1, card="7X") + END,
    "no-card-in-a-group": HAND + line(kind="show", seat=1, groups=[["4H", "5H", "HH"]]) + END,
    "card-is-a-number": HAND + line(seat=1, card=7) + END,
    "card-missing": HAND + line(seat=1) + END,
    "cards-are-text": HAND + line(kind="deal", seat=1, cards="4H 5H") + END,
    "groups-are-flat": HAND + line(kind="show", seat=1, groups=["4H", "5H"]) + END,
    "501-cards": HAND + line(kind="deck", cards=["7H"] * 501) + END,
    "501-groups": HAND + line(kind="play", seat=1, table=[[]] * 501) + END,
    "count-of-minus-1": HAND + line(kind="deal", seat=1, count=-1) + END,
    "count-of-a-billion": HAND + line(kind="penalty", seat=1, count=10**9) + END,
    "drawn-from-nowhere": HAND + line(kind="draw", seat=1, **{"from": "deck"}) + END,
    "facedown-is-1": HAND + line(seat=1, card="7H", facedown=1) + END,
    "score-of-seat-01": HAND + line(kind="score", points={"01": 3}) + END,
    "score-of-seat-13": HAND + line(kind="score", points={"2": 0, "13": 3}) + END,
    "score-of-an-empty-seat": HAND + line(kind="score", points={"": 3}) + END,
    "score-is-text": HAND + line(kind="score", points={"1": "3"}) + END,
    "score-is-a-list": HAND + line(kind="score", points=[3, 0]) + END,
    "bonus-is-text": HAND + line(kind="result", bonuses={"1": {"box": "5"}}) + END,
    "amend-of-an-amend": HAND + line(kind="amend", target=1, replace={"type": "amend"}) + END,
    "amend-by-an-end": HAND + line(kind="amend", target=1, replace={"type": "end"}) + END,
    "amend-with-a-seq": HAND
    + line(kind="amend", target=1, replace={"type": "drop", "seat": 1, "seq": 1})
    + END,
    "amend-of-the-hand-by-nothing": HAND + line(kind="amend", target=0) + END,
    "amend-of-the-hand-by-an-event": HAND
    + line(kind="amend", target=0, replace={"type": "drop", "seat": 1})
    + END,
    "amend-of-an-event-by-a-hand": HAND
    + line(kind="amend", target=1, replace={**json.loads(HAND)})
    + END,
    "amend-by-a-list-with-a-hand": HAND
    + line(kind="amend", target=1, replace=[json.loads(HAND)])
    + END,
    "amend-with-a-broken-event": HAND
    + line(kind="amend", target=1, replace=[{"type": "drop", "seat": 1}, {"type": "drop"}])
    + END,
    "amend-of-before-the-hand": HAND + line(kind="amend", target=-1) + END,
    "type-missing": HAND + b'{"seq":1,"seat":1}\n' + END,
    "type-is-a-number": HAND + b'{"seq":1,"type":7}\n' + END,
    "type-is-empty": HAND + b'{"seq":1,"type":""}\n' + END,
    "event-after-the-end": HAND + END + line(1, seat=1, card="7H"),
    "end-twice": HAND + END + END,
    "end-without-status": HAND + b'{"type":"end"}\n',
    "cut-off": HAND + b'{"seq":1,"type":"disc',
    "cut-off-after-the-colon": HAND + b'{"seq":1,"type":\n' + END,
    "comma-too-many": HAND + b'{"seq":1,"type":"drop","seat":1,}\n' + END,
    "comma-missing": HAND + b'{"seq":1 "type":"drop","seat":1}\n' + END,
    "colon-missing": HAND + b'{"seq" 1,"type":"drop","seat":1}\n' + END,
    "comma-in-a-list": HAND + b'{"seq":1,"type":"deck","cards":["7H",]}\n' + END,
    "single-quotes": HAND + b"{'seq':1,'type':'drop','seat':1}\n" + END,
    "something-behind": HAND + b'{"seq":1,"type":"drop","seat":1} x\n' + END,
    "two-on-a-line": HAND + b'{"seq":1,"type":"drop","seat":1}{"seq":2}\n' + END,
    "a-list": HAND + b'[{"seq":1,"type":"drop","seat":1}]\n' + END,
    "tab-in-text": HAND + DISCARD + b',"note":"a\tb"}\n' + END,
    "no-such-escape": HAND + DISCARD + b',"note":"a\\x41"}\n' + END,
    "undefined": HAND + DISCARD + b',"note":undefined}\n' + END,
    "a-quarter-of-a-megabyte": HAND + DISCARD + b',"_x":"' + b"x" * 250_000 + b'"}\n' + END,
    "text-in-json": HAND + b"discard 1 7H\n" + END,
    "before-any-hand": line(seat=1, card="7H") + line(2, seat=2, card="8H"),
    "pretty-printed": json.dumps(json.loads(HAND), indent=2).encode() + b"\n",
    "hand-cut-off": HAND[:40] + b"\n" + line(1, seat=1, card="7H") + END,
}
IN_TEXT = {
    "misspelt": TEXT + b"dicard 2 KS\nend\n",
    "no-event-at-all": TEXT + b"???\nend\n",
    "quote-left-open": TEXT + b'note "lights went out\nend\n',
    "quote-in-a-word": TEXT + b'drop 2 note="a"b\nend\n',
    "no-card": TEXT + b"meld 2 4H 5H 6X\nend\n",
    "no-card-in-a-claim": TEXT + b"declare 2 4H 5H 6H | 8S QQ TS / KC\nend\n",
    "seat-left-out": TEXT + b"drop\nend\n",
    "seat-is-a-name": TEXT + b"drop Asha\nend\n",
    "seat-13": TEXT + b"drop 13\nend\n",
    "field-twice": TEXT + b"discard 2 KS card=7H\nend\n",
    "a-word-too-many": TEXT + b"drop 2 KS\nend\n",
    "no-value": TEXT + b"drop 2 note=\nend\n",
    "bar-at-the-end": TEXT + b"show 2 4H 5H 6H |\nend\n",
    "slash-at-the-end": TEXT + b"declare 2 4H 5H 6H /\nend\n",
    "a-name-of-two-words": TEXT + b"player 3 Chitra K\ndrop 1\nend\n",
    "a-number-of-cards": TEXT + b"deal 2 13\nend\n",
    "two-slashes": TEXT + b"declare 2 4H 5H 6H / KC / KD\nend\n",
    "from-missing": TEXT + b"draw 2\nend\n",
    "from-is-a-card": TEXT + b"draw 2 9H\nend\n",
    "meld-missing": TEXT + b"layoff 2 7H\nend\n",
    "note-without-text": TEXT + b"note # nothing\nend\n",
    "player-too-late": TEXT + b"drop 1\nplayer 3 Chitra\nend\n",
    "player-without-a-seat": TEXT + b"player Chitra\ndrop 1\nend\n",
    "match-twice": TEXT + b"match M1\nmatch M2\nend\n",
    "version-missing": b"hand T ruleset=gin detail=full\nplayer 1 Asha\nend\n",
    "version-2": b"hand T rhl=2 ruleset=gin detail=full\nend\n",
    "seat-taken": TEXT + b"player 2 Chitra\nend\n",
    "dealer-is-a-name": b"hand T rhl=1 dealer=Asha ruleset=gin detail=full\nend\n",
    "field-of-the-hand-twice": b"hand T rhl=1 rhl=1 ruleset=gin detail=full\nend\n",
    "seq-is-wrong": TEXT + b"drop 1 seq=2\nend\n",
    "score-of-seat-13": TEXT + b"score 1=0 13=5\nend\n",
    "score-is-a-word": TEXT + b"score 1=0 2=many\nend\n",
    "score-twice": TEXT + b"score 1=0 2=5 1=3\nend\n",
    "score-of-a-word": TEXT + b"score 1=0 pints 2=5\nend\n",
    "nine-levels": TEXT + b"drop 1 _x=[[[[[[[[1]]]]]]]]\nend\n",
    "float": TEXT + b"drop 1 _x=[1.5]\nend\n",
    "null": TEXT + b'drop 1 _x={"a":null}\nend\n',
    "key-twice": TEXT + b'drop 1 _x={"a":1,"a":2}\nend\n',
    "too-big": TEXT + b"drop 1 _x=9007199254740992\nend\n",
    "text-of-501": TEXT + b"drop 1 note=" + b"x" * 501 + b"\nend\n",
    "note-of-501": TEXT + b"note " + b"x" * 501 + b"\nend\n",
    "nul": TEXT + b"note a\0b\nend\n",
    "not-utf-8": TEXT + b"note caf\xe9\nend\n",
    "amend-by-nothing": TEXT + b"drop 1\namend 1 :\nend\n",
    "amend-with-a-gap": TEXT + b"drop 1\namend 1 : drop 1 ; ; drop 2\nend\n",
    "amend-without-a-target": TEXT + b"drop 1\namend by=scorer : drop 2\nend\n",
    "amend-with-a-broken-event": TEXT + b"drop 1\namend 1 : drop 2 ; discard 2 7X ;\nend\n",
    "amend-of-the-hand-broken": TEXT + b"amend 0 : hand rhl=1 ruleset=gin ; player 1\nend\n",
    "draw-after-the-end": TEXT + b"end\ndraw 1 stock\n",
    "end-of-another-kind": TEXT + b"end soon\n",
    "json-in-text": TEXT + b'{"seq":1,"type":"drop","seat":1}\nend\n',
    # Typed as lines that are short enough, and one line in JSON.
    "a-long-head": (
        b"hand T rhl=1 ruleset=gin detail=full\n"
        + b"".join(b"player %d _x=[%s]\n" % (seat, LONG) for seat in (1, 2))
        + b"drop 1\nend\n"
    ),
    "a-long-line": TEXT + b"deck " + b"7H " * 30_000 + b"\nend\n",
    "hand-without-an-id": b"hand rhl=1 ruleset=gin detail=full\nend\n",
}
FILES = {
    "empty": b"",
    "blank": b"\n\n  \n",
    "comments": b"# a log\n# to come\n",
    "bom-alone": b"\xef\xbb\xbf",
    "utf-16": "hand T rhl=1 ruleset=gin detail=full\nend\n".encode("utf-16"),
    "utf-16-be": b"\xfe\xff" + HAND.decode().encode("utf-16-be"),
    "utf-16-without-a-mark": HAND.decode().encode("utf-16-le"),
    "utf-32": HAND.decode().encode("utf-32"),
    "gzip": b"\x1f\x8b\x08\x00" + bytes(range(256)),
    "zip": b"PK\x03\x04" + bytes(64),
    "png": b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + bytes(32),
    "pdf": b"%PDF-1.7\n",
    "zeros": bytes(5_000),
    "random": bytes((n * n * 31 + 7) % 256 for n in range(3_000)),
    "html": b"<!DOCTYPE html>\n<html><body>404</body></html>\n",
    "csv": b"player,points\nAsha,20\nBilal,0\n",
    "a-json-list": b"[" + HAND.strip() + b"," + END.strip() + b"]\n",
    "only-carriage-returns": (HAND + END).replace(b"\n", b"\r"),
}
