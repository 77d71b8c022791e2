"""A fixed corpus of hostile requests, made anew each time and always the same.

JSON that is none, logs that are none, addresses that are none: each is refused, and in the
same words on every route that takes such a thing.
"""

from dataclasses import dataclass, field

HAND = b'{"type":"hand","rhl":1,"id":"x","ruleset":"gin","detail":"scores","players":[]}\n'
SOMEWHERE = "2" * 16

JSON_ROUTES = ("hands", "audit", "judge", f"hands/{SOMEWHERE}/events")
LOG_ROUTES = ("hands", "audit")
LIST_ROUTES = ("hands", f"uploads/{SOMEWHERE}")
LOG_TYPES = ("text/plain", "application/vnd.rhl+jsonl", "application/x-ndjson")

NO_JSON = {
    "empty": b"",
    "space": b" \n\t",
    "bare word": b"hand",
    "cut object": b'{"a":',
    "cut string": b'{"a":"b',
    "cut escape": b'{"a":"\\u12',
    "bad escape": b'{"a":"\\x41"}',
    "single quotes": b"{'a':1}",
    "trailing comma": b'{"a":1,}',
    "comment": b'{"a":1 /* b */}',
    "two values": b"{}{}",
    "value behind": b"{} x",
    "duplicate key": b'{"a":1,"a":1}',
    "duplicate key deep": b'{"b":{"a":1,"a":2}}',
    "duplicate key by escape": b'{"a":1,"\\u0061":2}',
    "float": b'{"a":1.0}',
    "exponent": b'{"a":1e2}',
    "NaN": b'{"a":NaN}',
    "Infinity": b'{"a":Infinity}',
    "minus Infinity": b'{"a":-Infinity}',
    "underscore": b'{"a":1_000}',
    "leading zero": b'{"a":01}',
    "plus": b'{"a":+1}',
    "hex": b'{"a":0x10}',
    "arabic digits": '{"a":١٢}'.encode(),
    "full-width digits": b'{"a":\xef\xbc\x91}',
    "2^53": b'{"a":9007199254740992}',
    "-2^53": b'{"a":-9007199254740992}',
    "5,000 digits": b'{"a":' + b"9" * 5000 + b"}",
    "NUL raw": b'{"a":"\x00"}',
    "NUL escaped": b'{"a":"\\u0000"}',
    "NUL in a key": b'{"\\u0000":1}',
    "high surrogate": b'{"a":"\\ud800"}',
    "low surrogate": b'{"a":"\\udc00"}',
    "surrogates turned": b'{"a":"\\udc00\\ud800"}',
    "surrogate in a key": b'{"\\ud800":1}',
    "surrogate in UTF-8": b'{"a":"\xed\xa0\x80"}',
    "control character": b'{"a":"\x1f"}',
    "line break in text": b'{"a":"b\nc"}',
    "Latin-1": b'{"a":"\xe9"}',
    "overlong": b'{"a":"\xc0\xaf"}',
    "beyond Unicode": b'{"a":"\xf4\x90\x80\x80"}',
    "cut character": b'{"a":"\xe2\x82"}',
    "UTF-16": '{"a":1}'.encode("utf-16"),
    "UTF-32": '{"a":1}'.encode("utf-32"),
    "33 levels": b'{"a":' + b"[" * 32 + b"]" * 32 + b"}",
    "33 objects": b'{"a":' * 33 + b"1" + b"}" * 33,
    "100,000 levels": b"[" * 100_000,
    "100,000 objects": b'{"a":' * 100_000,
    "XML": b'<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>',
    "YAML": b"a: &b [*b, *b]",
    "pickle": b"\x80\x04\x95\x0b\x00\x00\x00.",
    "form": b"a=1&b=2",
}

NO_BODY = {  # JSON, and still nothing that is taken anywhere
    "null": b"null",
    "true": b"true",
    "number": b"7",
    "text": b'"hand"',
    "list": b"[]",
    "list of lists": b"[[]]",
    "unknown key": b'{"__proto__":{"admin":true}}',
    "another unknown key": b'{"$where":"1"}',
}

NO_LOG = {
    "empty": b"",
    "line breaks": b"\n" * 1000,
    "NUL": b"hand \x00 rhl=1\n",
    "NULs": b"\x00" * 1000,
    "no UTF-8": b"hand \xff rhl=1\n",
    "long line": b"hand x " + b"y" * 70_000,
    "long word": b'{"type":"hand","id":"' + b"x" * 501 + b'"}',
    "9 levels": HAND.replace(b"[]", b"[" * 9 + b"]" * 9),
    "deep": b'{"type":' + b"[" * 50_000,
    "duplicate key": HAND.replace(b'"rhl":1', b'"rhl":1,"rhl":1'),
    "float": HAND.replace(b'"rhl":1', b'"rhl":1.0'),
    "NaN": HAND.replace(b'"rhl":1', b'"rhl":NaN'),
    "null": HAND.replace(b'"rhl":1', b'"rhl":null'),
    "another version": HAND.replace(b'"rhl":1', b'"rhl":2'),
    "huge version": HAND.replace(b'"rhl":1', b'"rhl":' + b"9" * 400),
    "underscore": HAND.replace(b'"rhl":1', b'"rhl":1_0'),
    "surrogate": HAND.replace(b'"id":"x"', b'"id":"\\ud800"'),
    "NUL in the id": HAND.replace(b'"id":"x"', b'"id":"\\u0000"'),
    "empty id": HAND.replace(b'"id":"x"', b'"id":""'),
    "no ruleset": HAND.replace(b'"ruleset":"gin"', b'"ruleset":"../../etc/passwd"'),
    "house rules of none": HAND.replace(b'"players":[]', b'"players":[],"rules":{"x":1}'),
    "house rules too large": HAND.replace(
        b'"players":[]', b'"players":[],"rules":{"deadwood_max":-5}'
    ),
    "seat 0": HAND.replace(b"[]", b'[{"seat":0}]'),
    "seat 13": HAND.replace(b"[]", b'[{"seat":13}]'),
    "a gap": HAND + b'{"type":"note","seq":2,"text":"x"}\n',
    "a repeat": HAND + b'{"type":"note","seq":1,"text":"x"}\n' * 2,
    "seq 0": HAND + b'{"type":"note","seq":0,"text":"x"}\n',
    "6,000 events": HAND
    + b"".join(b'{"type":"note","seq":%d,"text":"x"}\n' % seq for seq in range(1, 6001)),
    "events first": b'{"type":"draw","seq":1,"seat":1,"from":"stock"}\n',
    "a card of none": HAND + b'{"type":"upcard","seq":1,"card":"\\u0000"}\n',
    "501 cards": HAND + b'{"type":"deal","seq":1,"seat":1,"cards":[' + b'"AS",' * 501 + b'"AS"]}',
    "text that is none": b'hand x rhl=1 ruleset=gin detail="scores\n',
    "arabic digits": b"hand x rhl=\xd9\xa1 ruleset=gin detail=scores\n",
    "a page": b"<script>alert(1)</script>\n",
    "a formula": b"=cmd|' /C calc'!A0\n",
    "zip": b"PK\x03\x04" + b"\x00" * 100,
    "gzip unannounced": b"\x1f\x8b\x08\x00" + b"\x00" * 100,
}

NO_QUERY = {
    "unknown": "x=1",
    "model field": "club__slug=club",
    "ordering": "ordering=-head",
    "fields": "fields=chain",
    "NUL": "limit=%00",
    "no UTF-8": "cursor=%FF",
    "surrogate": "cursor=%ED%A0%80",
    "cut": "cursor=%E2%82",
    "twice": "limit=1&limit=2",
    "no number": "limit=x",
    "float": "limit=1.5",
    "underscore": "limit=1_0",
    "arabic digits": "limit=%D9%A1",
    "zero": "limit=0",
    "negative": "limit=-1",
    "too many": "limit=301",
    "huge": "limit=" + "9" * 400,
    "no cursor": "cursor=abc",
    "another cursor": "cursor=eyJ9:1abc:x",
    "long": "cursor=" + "x" * 5000,
    "line break": "cursor=a%0Ab",
    "long name": "x" * 5000 + "=1",
    "name of none": "%FF=1",
}

# These name the parameters that there are, which each route has its own of; a cursor belongs to
# a list, and is looked at when the list is there.
OWN_WORDS = ("unknown", "long name", "name of none", "no cursor", "another cursor", "long")

NO_TYPE = (
    "",
    "text/html",
    "application/xml",
    "multipart/form-data; boundary=x",
    "application/x-www-form-urlencoded",
    "application/json; charset=utf-16",
    "*/*",
    "x" * 3000,
    "application/json;;;",
)
NO_ENCODING = ("br", "deflate", "gzip, gzip", "x" * 3000, "gzip")
NO_KEY = (
    "",
    "Bearer",
    "Bearer x",
    "Bearer rma_x_y",
    "Basic eDp5",
    "Bearer \xe9",
    "Bearer " + "x" * 5000,
)
NO_ID = ("%00", "%FF", "..%2F..%2Fetc", "x" * 3000, "%ED%A0%80", "1;drop", "%7B%7D", "<svg>")


@dataclass(frozen=True)
class Sent:
    """A hostile request; those of one ``group`` are refused in the same words."""

    name: str
    path: str
    method: str = "POST"
    body: bytes = b""
    content_type: str = "application/json"
    headers: dict = field(default_factory=dict)
    group: str = ""


def corpus():
    return [*_json(), *_logs(), *_queries(), *_forms(), *_others()]


def _json():
    for name, body in (NO_JSON | NO_BODY).items():
        for path in JSON_ROUTES:
            # Each route has other keys: only for what is no JSON must the words be the same.
            group = f"JSON: {name}" if name in NO_JSON else ""
            yield Sent(f"{path}: {name}", path, body=body, group=group)


def _logs():
    for name, body in NO_LOG.items():
        for path in LOG_ROUTES:
            for kind in LOG_TYPES:
                yield Sent(f"{path} {kind}: {name}", path, body=body, content_type=kind)


def _queries():
    for name, query in NO_QUERY.items():
        for path in LIST_ROUTES:
            group = "" if name in OWN_WORDS else f"query: {name}"
            yield Sent(f"{path}: {name}", f"{path}?{query}", "GET", group=group)


def _forms():
    for path in JSON_ROUTES:
        for kind in NO_TYPE:
            yield Sent(f"{path} as {kind[:30]!r}", path, body=b"{}", content_type=kind)
        for encoding in NO_ENCODING:
            headers = {"content-encoding": encoding}
            yield Sent(f"{path} in {encoding[:30]}", path, body=b"{}", headers=headers)


def _others():
    for key in NO_KEY:
        yield Sent(f"key {key[:30]}", "hands", "GET", headers={"authorization": key})
    for strange in NO_ID:
        for rest in ("", "/log", "/steps"):
            yield Sent(f"hands/{strange[:30]}{rest}", f"hands/{strange}{rest}", "GET")
    for method in ("PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"):
        yield Sent(method, "hands", method)
