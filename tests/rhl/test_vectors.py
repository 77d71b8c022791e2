"""The published test vectors hold, also by nothing but SHA-256 and HMAC."""

import hashlib
import json
from pathlib import Path

import pytest

from rummy_audit.rhl import digests, shuffle, write
from rummy_audit.rhl.read import read

VECTORS = Path(__file__).resolve().parents[2] / "docs" / "rhl" / "vectors"
LOGS = sorted(VECTORS.glob("[0-9]*.json"))
SHUFFLES = json.loads((VECTORS / "shuffle.json").read_text(encoding="utf-8"))


def load(path):
    vector = json.loads(path.read_text(encoding="utf-8"))
    (hand,) = read((VECTORS / vector["file"]).read_bytes())
    return vector, hand


@pytest.mark.parametrize("path", LOGS, ids=lambda path: path.stem)
def test_a_log_has_the_bytes_and_digests_of_its_vector(path):
    vector, hand = load(path)
    chain = digests.chain(hand)

    assert vector == {
        "file": vector["file"],
        "canonical": [line.decode() for line in hand.lines],
        "signing": [line.decode() for line in digests.signing_lines(hand)],
        "core": [digests.core_form(record).decode() for record in write.in_order(hand)],
        "chain": list(chain.heads),
        "head": chain.head,
        "core_digest": chain.core_digest,
    }


@pytest.mark.parametrize("path", LOGS, ids=lambda path: path.stem)
def test_digests_of_a_vector_follow_from_its_lines(path):
    vector, _ = load(path)
    lines = [line.encode() for line in vector["signing"]]
    ends = [line for line in lines if json.loads(line)["type"] == "end"]
    link = hashlib.sha256(b"rhl:1\n" + lines[0]).digest()
    links, head = [link], ""
    for line in lines[1:]:
        if line in ends:
            head = hashlib.sha256(link + line).hexdigest()
        else:
            link = hashlib.sha256(link + line).digest()
            links.append(link)

    assert vector["chain"] == [each.hex() for each in links]
    assert vector["head"] == (head or links[-1].hex())
    assert vector["core_digest"] == hashlib.sha256("\n".join(vector["core"]).encode()).hexdigest()


@pytest.mark.parametrize("vector", SHUFFLES, ids=lambda vector: vector["seed"] or "empty")
def test_a_seed_gives_the_deck_of_its_vector(vector):
    pack = vector["pack"]
    order = (
        shuffle.tiles_pack(**pack["tiles"])
        if "tiles" in pack
        else shuffle.cards_pack(**pack["cards"])
    )
    deck = shuffle.deck_from(vector["seed"], vector["nonce"], vector["client"], order)

    assert " ".join(deck) == vector["deck"]
    assert vector["commit"] == hashlib.sha256(vector["seed"].encode()).hexdigest()


def test_there_is_a_vector_of_every_kind():
    assert [path.stem for path in LOGS] == ["1-plain", "2-everything", "3-open"]
    assert len(SHUFFLES) == 4
