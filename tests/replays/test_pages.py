"""Pages: what they say, that they cost the same for one hand or three, and that nothing is lost."""

import io
import json
import re
from html import unescape
from pathlib import Path

import pytest
from django.urls import reverse

from replays import audit, uploads
from replays.models import HandLog, default_club
from tests.replays.hands import SHOWN, hand

CORPUS = Path(__file__).parents[1] / "corpus"
# Asked for every page: the session, then whose it is and what they are in the club.
WHO = 2
WRONG = SHOWN.replace("2=80", "2=45")

FIVE = """\
wild QD
declare 1 2H 3H 4H 5H | 5C 6C 7C 8C | 5D 5C JK QH QS / KS
show 2 4H 5H 6H | 8C 9C TC | 9S 9D 9H + KS KD 9D 7D
score 1=0 2=36 winner=1
end
"""

AMENDED = (
    "amend 0 by=Dev : hand ruleset=indian-13 detail=shown ; "
    "player 1 Asha ; player 2 Bilal ; rules set_max=99\n"
)


@pytest.fixture
def judged(send):
    def judged(content, **fields):
        upload = send(content, **fields)
        while audit.audit_due():
            pass
        return upload

    return judged


def text_of(response):
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", response.content.decode()))


def test_home_says_what_to_do_first(client, db):
    said = text_of(client.get("/"))

    assert "Upload logs" in said
    assert "Judge a hand" in said
    assert "New verdicts" not in said


@pytest.mark.parametrize("count", [1, 3])
def test_the_list_costs_the_same_for_one_hand_or_three(
    client, judged, count, django_assert_num_queries
):
    judged(b"\n".join(hand(f"H-{number}", lines=WRONG) for number in range(count)))

    with django_assert_num_queries(WHO + 1):
        said = text_of(client.get("/hands"))
    assert said.count("● flagged") + said.count(" flagged ") >= count
    with django_assert_num_queries(WHO + 3):
        assert text_of(client.get("/hands?code=score-wrong")).count("H-") == count


def test_a_filter_that_nothing_answers_says_so(client, judged):
    judged(hand())

    assert "No hand here has that." in text_of(client.get("/hands?verdict=impossible"))


@pytest.mark.parametrize(
    "query", ["before=%00", "before=9999999999999999999", "code=%00", "seat=x"]
)
def test_a_filter_of_nonsense_shows_the_list(client, judged, query):
    judged(hand())

    assert "T4-17" in text_of(client.get(f"/hands?{query}"))


def test_an_upload_answers_each_hand_with_line_and_column(client, db):
    text = hand("good").decode() + "hand bad rhl=1 ruleset=indian-13 detail=shown\nwild 77\nend\n"
    response = client.post("/upload", {"text": text}, follow=True)

    said = text_of(response)
    assert "1 of 2 could not be taken." in said
    assert re.search(r"bad · line \d+, column \d+", said)
    assert "Found" in said
    assert "Expected" in said
    # Nothing is lost: the refused text is shown as it came, and first the place itself.
    assert "wild <mark>77</mark>" in response.content.decode()
    assert "wild 77 end" in said


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("deals.csv", b"deal,Asha\n1,0\n", "Send a score sheet"),
        ("photo.jpg", b"\xff\xd8\xff\xe0\x00\x10JFIF", "A picture cannot be read. Type what"),
        ("logs.zip", b"PK\x03\x04\x00\x00", "Unpack it, and send the logs"),
        ("letter.txt", b"Dear referee,\n", "A log begins with a line like this one: hand T4-17"),
    ],
)
def test_a_file_that_is_no_log_says_what_to_do_with_it(client, db, name, content, said):
    file = io.BytesIO(content)
    file.name = name
    page = client.post("/upload", {"files": [file], "text": ""}, follow=True)

    assert f"{name} Nothing of this could be taken." in text_of(page)
    assert said in text_of(page)


def test_an_empty_upload_says_what_to_do(client, db):
    response = client.post("/upload", {"text": "  "})

    assert response.status_code == 400
    assert "Choose a file or paste a log" in text_of(response)


def test_several_files_are_answered_each_by_itself(client, db):
    files = [io.BytesIO(hand("one")), io.BytesIO(b"\x00\x01 not a log")]
    for number, file in enumerate(files):
        file.name = f"table-{number}.rhl"
    response = client.post("/upload", {"files": files, "text": ""}, follow=True)

    said = text_of(response)
    assert "table-0.rhl" in said
    assert "table-1.rhl" in said
    assert HandLog.objects.get().name == "one"


def named(name, content):
    file = io.BytesIO(content)
    file.name = name
    return file


@pytest.mark.parametrize("nothing", [b"", b"\n \n", b"# only a comment\n"])
def test_a_file_with_nothing_in_it_is_said_beside_those_that_are_taken(client, db, nothing):
    files = [named("empty.rhl", nothing), named("good.rhl", hand("one"))]

    said = text_of(client.post("/upload", {"files": files, "text": ""}, follow=True))

    assert "empty.rhl Nothing of this could be taken. A log begins with" in said
    assert HandLog.objects.get().name == "one"


def test_twenty_files_and_a_text_are_all_answered(client, db):
    files = [named(f"table-{number:02}.rhl", hand(f"one-{number}")) for number in range(20)]
    sent = {"files": files, "text": hand("pasted").decode()}

    said = text_of(client.post("/upload", sent, follow=True))

    names = [*(file.name for file in files), "pasted text"]
    assert [name for name in names if name not in said] == []


def test_a_file_that_is_too_large_is_said_though_another_was_taken(client, db, settings):
    settings.UPLOAD_AT_ONCE_BYTES, settings.UPLOAD_MOST_BYTES = 2_000, 3_000
    files = [named("small.rhl", hand("one")), named("large.rhl", b"x" * 4_000)]

    said = text_of(client.post("/upload", {"files": files, "text": ""}, follow=True))

    assert ("small.rhl" in said, "large.rhl is larger than 0 MB" in said) == (True, True)
    assert HandLog.objects.get().name == "one"


def test_a_hand_opens_at_what_is_wrong_and_every_step_is_a_link(client, judged):
    judged(hand(lines=WRONG))
    log = HandLog.objects.get()

    page = client.get(reverse("hand", args=[log.public_id]))
    said = text_of(page)
    assert "Event 4: score: Asha 0, Bilal 45" in said
    assert "flagged" in said
    shown = text_of(client.get(reverse("hand-at", args=[log.public_id, 2])))
    assert "Event 2: Asha declares" in shown
    assert client.get(reverse("hand-at", args=[log.public_id, 99])).status_code == 404


def test_steps_and_page_show_the_same_fragments(client, judged):
    judged(hand(lines=WRONG))
    log = HandLog.objects.get()
    steps = client.get(reverse("hand-steps", args=[log.public_id])).json()

    for step in steps["steps"]:
        page = client.get(reverse("hand-at", args=[log.public_id, step["seq"]])).content.decode()
        for region, number in zip(steps["names"], step["regions"], strict=True):
            shown = re.sub(
                r"<li (\d+)>",
                lambda place: steps["drawn"][int(place[1])],
                steps["regions"][region][number],
            )
            assert shown in page


def test_a_hand_costs_the_same_queries_whatever_its_length(
    client, judged, django_assert_num_queries
):
    judged(hand("short") + b"\n" + hand("long", lines="note one\nnote two\n" + SHOWN))

    costs = []
    for log in HandLog.objects.order_by("pk"):
        with django_assert_num_queries(WHO + 4):
            client.get(reverse("hand", args=[log.public_id]))
        costs.append(log.name)
    assert costs == ["short", "long"]


@pytest.mark.parametrize("family", ["indian", "basic", "gin", "tile"])
def test_every_family_has_its_pages(client, judged, family):
    lines = (CORPUS / family / "clean.rhl.jsonl").read_bytes().splitlines(keepends=True)
    ends = [number for number, line in enumerate(lines) if b'"type":"end"' in line]
    judged(b"".join(lines[: ends[4] + 1]))

    assert HandLog.objects.count() == 5
    for log in HandLog.objects.all():
        assert log.verdict == "clean"
        said = text_of(client.get(reverse("hand", args=[log.public_id])))
        assert log.name in said
        steps = client.get(reverse("hand-steps", args=[log.public_id])).json()
        assert [step["seq"] for step in steps["steps"]] == list(range(1, log.seq + 1))
        taken = client.get(reverse("hand-log", args=[log.public_id, "rhl"]))
        again = uploads.receive(io.BytesIO(taken.content), club=default_club())
        assert (again.created, again.rejected, again.conflict) == (0, 0, 0)
    assert client.get(f"/rules/{family}").status_code == 200


def test_a_seat_sees_only_what_it_could_see(client, judged):
    cards = ["4H", "5H", "6H", "7H", "8S", "9S", "TS", "9H", "9D", "9C", "KD", "KS", "KH"]
    other = ["2H", "3H", "4H", "9S", "JD", "QD", "KD", "2C", "8H", "9C", "3S", "TD", "4C"]
    lines = (
        f"deal 1 {' '.join(cards)}\ndeal 2 {' '.join(other)}\nupcard QC\nwild 7D\n"
        "draw 1 stock AS\ndiscard 1 AS\nend abandoned\n"
    )
    judged(hand(lines=lines).replace(b"detail=shown", b"detail=full"))
    log = HandLog.objects.get()
    whole = client.get(reverse("hand-steps", args=[log.public_id])).content.decode()
    seen = client.get(reverse("hand-steps", args=[log.public_id]) + "?seat=2").content.decode()

    assert "10 of spades" in whole
    assert "10 of spades" not in seen
    assert "ace of spades" in seen  # it was discarded for all to see


def test_a_match_shows_its_deals_and_the_first_wrong_total(client, judged):
    lines = (CORPUS / "indian" / "matches-faulty.rhl.jsonl").read_bytes().splitlines(keepends=True)
    labels = [
        json.loads(line)
        for line in (CORPUS / "indian" / "matches-faulty.labels.jsonl").read_text().splitlines()
    ]
    label = next(each for each in labels if each["kind"] == "total-wrong")
    wanted, keep = [], False
    for line in lines:
        record = json.loads(line)
        if record["type"] == "hand":
            keep = record["match"]["id"] == label["match"]
        if keep:
            wanted.append(line)
    judged(b"".join(wanted))

    log = HandLog.objects.order_by("pk").first()
    page = client.get(reverse("hand-match", args=[log.public_id]), follow=True)
    said = text_of(page)
    assert "total-wrong" in said
    assert "written" in said
    report = client.get(f"{page.redirect_chain[-1][0]}/report").json()
    assert [each["hand"] for each in report["findings"]] == [label["hand"]]


def test_a_hand_of_no_match_has_no_match_page(client, judged):
    judged(hand())

    address = reverse("match", args=[HandLog.objects.get().public_id])
    assert "This page is not here" in text_of(client.get(address))


def test_a_hand_under_other_rules_names_the_setting_behind_each_difference(client, judged):
    judged(hand("five", lines=FIVE).replace(b"indian-13", b"indian-13-circle"))
    address = reverse("under", args=[HandLog.objects.get().public_id])

    said = text_of(client.get(address + "?ruleset=indian-13"))
    assert "Most cards of a set : none → 4" in said
    assert "set-too-long" in said
    assert "cannot be used here" in text_of(client.get(address + "?ruleset=gin"))


def test_an_amendment_that_breaks_the_rules_says_what_to_do(client, judged):
    judged(hand())
    log = HandLog.objects.get()
    amended = hand(lines=SHOWN + AMENDED)
    judged(amended)
    log.refresh_from_db()

    said = text_of(client.get(reverse("hand", args=[log.public_id])))
    assert log.verdict == "unreadable"
    assert "Most cards of a set is 99, expected" in said
    assert "Amend the hand record" in said


def test_a_shared_hand_opens_at_what_is_wrong_with_its_scores(client, stranger, judged, charlie):
    judged(hand(lines=FIVE))
    client.force_login(charlie.user)
    made = client.post(f"/hands/{HandLog.objects.get().public_id}/shares", {"seat": "", "seq": ""})
    address = re.search(r"/s/[\w-]+", made.content.decode())[0]

    said = text_of(stranger.get(address))
    assert "Event 2: Asha declares" in said
    assert "Asha won 0 80 ●" in said


def test_what_could_not_be_read_is_put_right_where_it_stands(client, judged):
    wrong = hand("W-1", event="").replace(b"wild 7D", b"wild 7X")
    refused = judged(b"\n".join([hand("R-1"), wrong]), event="Monday")

    said = client.get(f"/uploads/{refused.public_id}").content.decode()
    (again,) = re.findall(r'href="(/upload[?]again=\w+)"', said)
    page = client.get(again)

    form = page.context["form"]
    assert form["text"].value() == wrong.decode()
    assert form["event"].value() == "Monday"
    assert "Found" in text_of(page)
    # A file that is no log is not put right by hand.
    picture = judged(b"\x89PNG\x00\xff")
    assert "upload?again=" not in client.get(f"/uploads/{picture.public_id}").content.decode()
    assert client.get(f"/upload?again={picture.public_id}").context["form"]["text"].value() == ""


def test_a_hand_that_differs_from_the_stored_one_says_where_and_what_to_do(client, judged):
    judged(hand("C-1"))
    log = HandLog.objects.get()
    other = judged(hand("C-1").replace(b"2=80", b"2=45"))

    page = client.get(f"/uploads/{other.public_id}")
    said = text_of(page)
    assert "Event 4: here score 1=0 2=80 winner=1 , sent score 1=0 2=45 winner=1" in said
    (correct,) = re.findall(r'href="(/hands/[^"]*what-if[^"]*)"', page.content.decode())
    tried = client.get(unescape(correct))
    assert tried.context["asked"]["line"] == "score 1=0 2=45 winner=1"
    assert "Save it as a correction" in tried.content.decode()
    dealt = judged(hand("C-1", head="dealer=1"))
    said = text_of(client.get(f"/uploads/{dealt.public_id}"))
    assert "the players or the end differ" in said
    assert HandLog.objects.get().head == log.head


def test_a_link_to_one_event_tells_what_was_found_at_it_and_no_more(client, stranger, judged):
    judged(hand(lines=FIVE))
    shares = f"/hands/{HandLog.objects.get().public_id}/shares"
    pages = []
    for seq in ("1", "2"):
        made = client.post(shares, {"seat": "", "seq": seq}).content.decode()
        pages.append(stranger.get(re.search(r"/s/[\w-]+", made)[0]))

    wild, declared = map(text_of, pages)
    assert "nothing found Nothing was found at this event." in wild
    assert "error Asha’s declaration does not stand" in declared
    assert "Nothing was found" not in declared
    # The verdict of the hand and its points tell of the events that the link leaves out.
    assert [word for word in ("flagged", "Scores", "Asha won") if word in wild + declared] == []
    # On a phone what was declared stands before what nobody saw.
    looks = re.findall(r'class="seat([^"]*)"', pages[1].content.decode())
    assert looks == ["", " unseen"]


def test_judging_tells_what_is_wrong_and_the_best(client, db):
    said = text_of(client.get("/judge", {"cards": "KH KS KD | 6H 7H JK | 9S TS JS JK | 5S 5H 5D"}))

    assert "does not stand" in said
    assert "declare-no-pure-sequence" in said
    best = said.partition("Grouped like this the same cards could be declared")[2]
    assert best.count("pure sequence") == 2


@pytest.mark.parametrize(
    ("query", "said"),
    [
        (
            {"ruleset": "gin", "cards": "3C 4C 5C 9H 9D 9S AD 2S 2D 7H 8H"},
            "No discard allows a knock.",
        ),
        (
            {"ruleset": "gin", "cards": "3C 4C 5C 9H 9D 9S AD 2S 2D AH KH"},
            "can knock What is left beside the melds is little enough. Best grouping",
        ),
        (
            {"ruleset": "gin", "cards": "3C 4C 5C 9H 9D 9S AD 2S 2D AH KH"},
            "A knock is allowed after discarding one of: K♥.",
        ),
        (
            {"ruleset": "gin", "cards": "3C 4C 5C KC AD", "lay_on": "9C TC JC QC | 2S 3S 4S"},
            "K♣ is laid off on meld 1.",
        ),
        ({"cards": "QH 5H 6H 7H QH QH"}, "Q♥ turns up 3 times, the pack has 2."),
        ({"ruleset": "tile-pup", "cards": "R5 R5 R5"}, "red 5 is there 3 times"),
        ({"cards": "|"}, "There are no cards yet: tap them"),
        (
            {"ruleset": "tile-pup", "cards": "R1 R2 R3 B5 B6 JK K9"},
            "At most 6 tiles can be laid, or tiles worth 24.",
        ),
    ],
    ids=[
        "gin-no-knock",
        "gin-can",
        "gin-knock",
        "gin-lay-off",
        "third",
        "third-tile",
        "none",
        "tiles",
    ],
)
def test_judging_answers_what_a_game_asks(client, db, query, said):
    assert said in text_of(client.get("/judge", query))


def test_judging_nonsense_says_what_was_expected(client, db):
    said = text_of(client.get("/judge", {"cards": "5H 6X"}))

    assert "6X" in said
    assert "expected a card like 7H" in said


def test_a_name_with_markup_stays_text(client, judged):
    judged(hand(names=("<script>alert(1)</script>", '"\'><img src=x onerror=alert(1)>"')))
    log = HandLog.objects.get()

    page = client.get(reverse("hand", args=[log.public_id])).content.decode()
    steps = client.get(reverse("hand-steps", args=[log.public_id])).json()
    for body in (page, *(each for states in steps["regions"].values() for each in states)):
        assert "<script>alert" not in body
        assert "<img src=x" not in body


def test_a_page_loads_one_module_of_its_own_that_needs_no_other():
    """No build puts modules together: what a page needs beside ``site.js`` is one file."""
    root = Path(__file__).parents[2]
    of_page = re.compile(r"<script [^>]*replays/(\w+[.]js)")
    loaded = {
        page.name: names
        for page in (root / "templates").rglob("*.html")
        if (names := of_page.findall(page.read_text()))
    }
    modules = {
        each.name: each.read_text() for each in (root / "replays/static/replays").glob("*.js")
    }

    assert loaded["base.html"] == ["site.js"]
    assert [page for page, names in loaded.items() if len(names) > 1] == []
    assert {name for names in loaded.values() for name in names} == set(modules)
    assert [name for name, text in modules.items() if "\nimport " in f"\n{text}"] == []
