"""Signing in, by invitation only; passwords, guessing, and the demo club's one click."""

import fcntl
import re

import pytest
from django.contrib.auth import get_user_model
from django.core import mail
from django.core.management import call_command
from django.db import connection
from django.test import Client
from django.utils import timezone

from replays import members, running
from replays.models import Club, Link, Membership, TrailEntry
from replays.models.people import Role
from tests.replays.hands import hand

PASSWORD = "four-aces-and-a-joker"
AT_HOME = {"REMOTE_ADDR": "127.0.0.1", "HTTP_HOST": "localhost:8000"}


def text_of(response):
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", response.content.decode()))


@pytest.fixture
def erin(alice):
    """A member with an account of her own making."""
    link, _token = members.invite(alice, role=Role.PLAYER)
    user = members.make_account(email="erin@club.example", password=PASSWORD, name="Erin")
    members.take_up(link, user)
    return user


def sign_in(client, *, password=PASSWORD, email="erin@club.example", **more):
    return client.post("/account/login/", {"login": email, "password": password}, **more)


def test_without_an_account_there_is_the_judge_and_what_to_read(stranger):
    for path in ("/", "/judge", "/findings", "/rules", "/rules/indian"):
        assert stranger.get(path).status_code == 200
    for path in ("/upload", "/hands", "/people", "/keys", "/trail", "/account"):
        response = stranger.get(path)
        assert (response.status_code, response["Location"]) == (302, f"/account/login/?next={path}")


def test_nobody_makes_an_account_without_an_invitation(stranger):
    said = stranger.post("/account/signup/", {"email": "x@y.example", "password1": PASSWORD})

    assert "Accounts come with an invitation" in text_of(said)
    assert get_user_model().objects.count() == 0


def test_an_invitation_makes_one_member_with_its_role_once(alice, stranger):
    _link, token = members.invite(alice, role=Role.SCOREKEEPER, email="frank@club.example")
    page = stranger.get(f"/join/{token}")
    assert "frank@club.example" in page.content.decode()
    sent = {"name": "Frank F", "email": "frank@club.example", "password": PASSWORD}
    stranger.post(f"/join/{token}", sent)

    frank = Membership.objects.get(user__email="frank@club.example")
    assert (frank.club, frank.role) == (alice.club, Role.SCOREKEEPER)
    assert stranger.get("/upload").status_code == 200
    again = Client().post(f"/join/{token}", {**sent, "email": "g@club.example"})
    assert "does not open anything any more" in text_of(again)
    assert Membership.objects.filter(role=Role.SCOREKEEPER).count() == 1
    # Nobody's name or address stays with the link or stands on the trail.
    assert "frank" not in repr([*Link.objects.values(), *TrailEntry.objects.values()]).lower()


def test_who_comes_a_moment_too_late_has_no_account_that_belongs_nowhere(alice, stranger):
    link, token = members.invite(alice, role=Role.SCOREKEEPER)

    def taken_up_meanwhile(execute, sql, params, many, context):
        if sql.startswith('INSERT INTO "auth_user"'):
            Link.objects.filter(pk=link.pk).update(used_at=timezone.now())
        return execute(sql, params, many, context)

    sent = {"name": "Frank F", "email": "frank@club.example", "password": PASSWORD}
    with connection.execute_wrapper(taken_up_meanwhile):
        late = stranger.post(f"/join/{token}", sent)

    assert (late.status_code, "does not open anything any more" in text_of(late)) == (404, True)
    assert list(get_user_model().objects.all()) == [alice.user]


def test_an_invitation_that_is_taken_back_in_that_moment_makes_nobody_a_member(alice, erin):
    link, _token = members.invite(alice, role=Role.OWNER)
    Membership.objects.filter(user=erin).delete()
    Link.objects.filter(pk=link.pk).update(revoked_at=timezone.now())

    assert members.take_up(link, erin) is None
    assert not Membership.objects.filter(user=erin).exists()


def test_who_belongs_to_the_club_stays_what_they_are_and_uses_no_invitation_up(alice):
    link, token = members.invite(alice, role=Role.VIEWER)

    assert members.take_up(link, alice.user).role == Role.OWNER
    assert members.invitation(token) == link


def test_an_invitation_ends_when_it_is_taken_back(alice, signed_in, stranger):
    link, token = members.invite(alice, role=Role.OWNER)
    signed_in(alice).post(f"/people/invitations/{link.public_id}/end")

    assert "does not open anything any more" in text_of(stranger.get(f"/join/{token}"))


def test_with_an_account_one_joins_a_second_club_and_looks_at_either(erin, mallory):
    _link, token = members.invite(mallory, role=Role.REFEREE)
    client = Client()
    client.force_login(erin)
    client.post(f"/join/{token}")

    assert "The other club · referee" in text_of(client.get("/account"))
    assert 'href="/account">The other club' in client.get("/").content.decode()
    client.post("/account/club", {"club": "club"})
    assert 'href="/account">Our club' in client.get("/").content.decode()
    assert client.post("/account/club", {"club": "nowhere"}).status_code == 404


def test_one_signs_in_with_address_and_password(erin):
    client = Client()
    assert sign_in(client).status_code == 302
    assert "Our club" in client.get("/account").content.decode()


def test_row_29_guessing_a_password_ends_soon_whatever_address_is_claimed(erin):
    client = Client()
    tried = [
        sign_in(client, password=f"guess-{n}", HTTP_X_FORWARDED_FOR=f"10.0.0.{n}").status_code
        for n in range(12)
    ]

    assert tried[0] == 200
    assert tried[-1] == 429
    assert tried.index(429) <= 10
    assert sign_in(client).status_code == 429
    assert sign_in(Client(), REMOTE_ADDR="192.0.2.9").status_code == 302


def test_a_forgotten_password_is_set_anew_by_mail(erin):
    client = Client()
    client.post("/account/password/reset/", {"email": "erin@club.example"})
    address = re.search(r"https?://[^/]+(/account/password/reset/key/\S+)", mail.outbox[0].body)[1]
    onward = client.get(address)["Location"]
    client.post(onward, {"password1": "another-long-one", "password2": "another-long-one"})

    assert sign_in(Client(), password="another-long-one").status_code == 302
    # Whoever asks for an unknown address learns nothing, and nobody is written to.
    before = list(mail.outbox)
    said = client.post("/account/password/reset/", {"email": "nobody@club.example"})
    assert (said.status_code, mail.outbox) == (302, before)


def test_two_steps_ask_for_the_second(erin):
    from allauth.mfa.totp.internal import auth

    client = Client()
    sign_in(client)
    client.post("/account/reauthenticate/", {"password": PASSWORD})
    assert "data:image/svg" in client.get("/account/two-steps/totp/activate/").content.decode()
    secret = client.session[auth.SECRET_SESSION_KEY]
    code = auth.format_hotp_value(
        auth.hotp_value(secret, next(auth.yield_hotp_counters_from_time()))
    )
    client.post("/account/two-steps/totp/activate/", {"code": code})

    other = Client()
    assert sign_in(other)["Location"] == "/account/two-steps/authenticate/"
    assert other.get("/account").status_code == 302


def test_the_club_command_prints_the_first_owners_invitation(db, capsys):
    call_command("club", "Tuesday Club", owner="gina@club.example", at="https://rummy.example")
    address = capsys.readouterr().out.splitlines()[-1]

    assert address.startswith("https://rummy.example/join/")
    club = Club.objects.get(slug="tuesday-club")
    sent = {"name": "Gina", "email": "gina@club.example", "password": PASSWORD}
    Client().post(address.removeprefix("https://rummy.example"), sent)
    assert Membership.objects.get(club=club).role == Role.OWNER


@pytest.mark.usefixtures("db")
@pytest.mark.parametrize(
    ("told", "address"),
    [
        ({"PRODUCTION": True, "ALLOWED_HOSTS": ["rummy.example"]}, "https://rummy.example/join/"),
        (
            {"PRODUCTION": True, "CSRF_TRUSTED_ORIGINS": ["https://cards.example"]},
            "https://cards.example/join/",
        ),
        ({}, "http://127.0.0.1:8000/join/"),
    ],
    ids=["by its host", "by its origin", "on this machine"],
)
def test_an_invitation_leads_where_the_settings_say_the_pages_are(
    settings, tmp_path, capsys, told, address
):
    settings.VAR = tmp_path
    for name, value in told.items():
        setattr(settings, name, value)

    call_command("club", "Tuesday Club", owner="gina@club.example")

    assert capsys.readouterr().out.splitlines()[-1].startswith(address)


def test_an_invitation_leads_to_the_pages_as_they_run(db, settings, tmp_path, capsys):
    settings.VAR = tmp_path
    with running.lock_of_up().open("w") as lock:
        lock.write("http://192.168.1.20:8017/")
        lock.flush()
        fcntl.flock(lock, fcntl.LOCK_EX)
        call_command("club", "Tuesday Club", owner="gina@club.example")
    # Of one that has ended the address still stands there.
    call_command("club", "Tuesday Club", owner="hugo@club.example")

    _, running_there, _, nothing_runs = capsys.readouterr().out.splitlines()
    assert running_there.startswith("http://192.168.1.20:8017/join/")
    assert nothing_runs.startswith("http://127.0.0.1:8000/join/")


# --- the demo club -----------------------------------------------------------------------------


@pytest.fixture
def demo(settings, db):
    settings.DEMO_SIGN_IN = True


@pytest.mark.parametrize("role", ["scorekeeper", "referee", "player", "owner"])
def test_the_demo_club_is_one_click_away(demo, stranger, role):
    assert "Sign in as scorekeeper" in text_of(stranger.get("/", **AT_HOME))
    stranger.post("/demo/sign-in", {"role": role, "next": "/account"}, **AT_HOME)

    assert f"Our club · {role}" in text_of(stranger.get("/account"))


def test_the_demo_player_has_hands_of_their_own(demo, stranger, send):
    send(hand("mine"), source="demo")
    send(hand("not-mine", names=("Chitra", "Bilal")), source="demo")
    stranger.post("/demo/sign-in", {"role": "player"}, **AT_HOME)

    said = text_of(stranger.get("/hands", **AT_HOME))
    assert ("not-mine" in said, " mine " in said) == (False, True)


@pytest.mark.parametrize(
    "request_line",
    [
        {"REMOTE_ADDR": "192.0.2.7"},
        {"REMOTE_ADDR": ""},
        {"HTTP_X_FORWARDED_FOR": "127.0.0.1"},
        {"HTTP_X_FORWARDED_PROTO": "http"},
        {"HTTP_FORWARDED": "for=127.0.0.1"},
        {"HTTP_X_REAL_IP": "127.0.0.1"},
        {"HTTP_VIA": "1.1 proxy"},
        {"HTTP_ORIGIN": "https://rummy.example"},
        {"HTTP_REFERER": "https://rummy.example/"},
        {"HTTP_HOST": "rummy.example"},
    ],
    ids=lambda line: "=".join(*line.items()),
)
def test_the_one_click_is_for_this_machine_only(demo, settings, stranger, request_line):
    settings.ALLOWED_HOSTS = ["*"]
    said = stranger.get("/", **AT_HOME | request_line)
    done = stranger.post("/demo/sign-in", {"role": "owner"}, **AT_HOME | request_line)

    assert "Sign in as" not in text_of(said)
    assert (done.status_code, "_auth_user_id" in stranger.session) == (404, False)


def test_the_one_click_is_off_unless_it_is_switched_on(settings, stranger):
    assert settings.DEMO_SIGN_IN is False
    assert stranger.post("/demo/sign-in", {"role": "owner"}, **AT_HOME).status_code == 404


def test_the_one_click_leads_nowhere_else(demo, stranger):
    for onward in ("https://evil.example/", "//evil.example/"):
        sent = {"role": "player", "next": onward}
        assert stranger.post("/demo/sign-in", sent, **AT_HOME)["Location"] == "/"


def test_a_host_that_is_none_of_ours_is_refused_also_where_the_demo_is_offered(demo, stranger):
    refused = stranger.get("/", headers={"host": "evil.example"})

    assert (refused.status_code, "That could not be read" in text_of(refused)) == (400, True)
