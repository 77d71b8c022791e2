"""A club forgets a person: their name is taken out of everything, and every head stays valid.

Logs are stored in signing form, so nothing of them has to change: names stand on seats and the
roster, and what people wrote stands beside the log. Whatever names the person goes too, and
is not put back. docs/privacy.md says what is stored where.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

import msgspec
from axes.models import AccessAttempt, AccessFailureLog, AccessLog
from django.contrib.auth import get_user_model
from django.db import models, transaction
from django.db.models import Q

from replays import storage, trail
from replays.access import Viewer
from replays.members import LastOwnerError
from replays.models import (
    ApiKey,
    CaseText,
    Evening,
    Evidence,
    FreeText,
    HandLog,
    Hold,
    Link,
    Membership,
    Outcome,
    Player,
    ScoreSheet,
    Seat,
    ShadowRun,
    Table,
    Upload,
    UploadChunk,
    WebhookEndpoint,
)
from replays.models.keys import LinkKind
from replays.models.people import Role

# A part of a name that is shorter stands in too many words to mean anybody.
_LEAST_PART = 3
_LEAST_NAME = 2
_ESCAPED = re.compile(r"\\u([0-9a-fA-F]{4})")
_decode, _encode = msgspec.json.decode, msgspec.json.Encoder().encode


class Names:
    """The names of one person, to be found in a text whole or in part.

    >>> names = Names(["Chitra Kumar"])
    >>> names.stand_in("typed wrong by CHITRA"), names.stand_in("a kumara bird")
    (True, False)
    """

    def __init__(self, names: Iterable[str]) -> None:
        """Take the names as they were written anywhere; parts of under three letters are left."""
        whole = {_plain(name) for name in names}
        self.whole = {name for name in whole if len(name) >= _LEAST_NAME}
        parts = {part for name in self.whole for part in re.split(r"\W+", name)}
        words = self.whole | {part for part in parts if len(part) >= _LEAST_PART}
        said = "|".join(re.escape(word) for word in sorted(words, key=lambda w: (-len(w), w)))
        self._pattern = re.compile(rf"(?<!\w)(?:{said})(?!\w)") if said else None

    def stand_in(self, value: Any) -> bool:
        """Whether a text, or anything for JSON, names this person."""
        if self._pattern is None or value is None:
            return False
        if isinstance(value, bytes | memoryview):
            value = bytes(value).decode(errors="replace")
        elif not isinstance(value, str):
            value = _encode(value).decode()
        text = _plain(_ESCAPED.sub(lambda found: chr(int(found[1], 16)), value))
        return self._pattern.search(text) is not None


def _plain(text: str) -> str:
    return unicodedata.normalize("NFC", text).casefold().strip()


@dataclass(slots=True)
class Forgotten:
    """What was taken out, counted; ``left``: hands whose very identity holds the name."""

    seats: int = 0
    texts: int = 0
    files: int = 0
    titles: int = 0
    left: list[str] = field(default_factory=list)


# Whatever else keeps words of a club adds itself here: it is given the club and the names.
also_forget: list[Callable[[int, Names], int]] = []


def forget(viewer: Viewer, player: Player) -> Forgotten:
    """Forget a person of the viewer's roster, with their account if this is its only club.

    Their hands stay, with seats that have no name. Raises LastOwnerError.
    """
    with transaction.atomic():
        storage.wipe_what_is_deleted()
        user = player.user
        seats = Seat.objects.of_club(viewer).filter(Q(player=player) | Q(ref=player.ref))
        found = [player.name, *player.aliases, *seats.values_list("name", flat=True)]
        names = Names([*found, *_names_of_account(user)])
        done = _take_out(viewer, names, seats)
        if user is not None:
            _let_go(viewer, user)
        target = str(player.pk)
        player.delete()
        _leave(viewer, "person.forget", target, done)
    return done


def forget_name(viewer: Viewer, name: str) -> Forgotten:
    """Forget somebody who is on no roster, by the name that hands give them."""
    with transaction.atomic():
        storage.wipe_what_is_deleted()
        done = _take_out(viewer, Names([name]), Seat.objects.none())
        _leave(viewer, "name.forget", "", done)
    return done


def _leave(viewer: Viewer, verb: str, target: str, done: Forgotten) -> None:
    counts = {"seats": done.seats, "texts": done.texts, "files": done.files, "titles": done.titles}
    trail.leave(viewer, verb, target=target, after=counts)


def _names_of_account(user: Any) -> list[str]:
    if user is None:
        return []
    return [user.get_full_name(), user.first_name, user.last_name, user.email, user.username]


def _take_out(viewer: Viewer, names: Names, seats: models.QuerySet[Seat]) -> Forgotten:
    done = Forgotten(seats=seats.update(name="", player=None))
    # Nobody's yet, and by the same name: whether they are the same person, nobody can say.
    unclaimed = Seat.objects.of_club(viewer).filter(player=None).exclude(name="")
    same = [pk for pk, name in unclaimed.values_list("pk", "name") if _plain(name) in names.whole]
    done.seats += Seat.objects.filter(pk__in=same).update(name="")
    done.texts = _texts(viewer, names) + sum(each(viewer.club.pk, names) for each in also_forget)
    done.files = _files(viewer, names)
    done.titles = _titles(viewer, names)
    done.left = list(_identities(viewer, names))
    return done


def _texts(viewer: Viewer, names: Names) -> int:
    """Take out what people wrote that names them: in logs, in cases, in what was refused."""
    count = 0
    for row in FreeText.objects.filter(batch__log__club=viewer.club).iterator():
        entries = _decode(bytes(row.body))
        kept = [entry for entry in entries if not names.stand_in(entry[2])]
        if len(kept) < len(entries):
            count += len(entries) - len(kept)
            row.body = _encode(kept)
            row.save(update_fields=["body"])
    said = CaseText.objects.filter(event__case__club=viewer.club)
    found = [row.pk for row in said.iterator() if names.stand_in(row.body)]
    count += CaseText.objects.filter(pk__in=found).delete()[0]
    refused = Outcome.objects.filter(upload__club=viewer.club).exclude(raw=None, found="", name="")
    for row in refused.iterator():
        if any(names.stand_in(each) for each in (row.raw, row.found, row.expected, row.name)):
            name = "" if names.stand_in(row.name) else row.name
            Outcome.objects.filter(pk=row.pk).update(raw=None, found="", expected="", name=name)
            count += 1
    return count


def _files(viewer: Viewer, names: Names) -> int:
    """Let go of files as they came, where they name them; their hands are stored long since."""
    count = 0
    for upload in Upload.objects.of_club(viewer).exclude(finished_at=None):
        if names.stand_in(upload.file):
            Upload.objects.filter(pk=upload.pk).update(file="")
        if _in_pieces(upload, names):
            count += 1
            UploadChunk.objects.filter(upload=upload).delete()
    # They wait for somebody to look at them, a week at most, and a workbook hides its words.
    return count + ScoreSheet.objects.of_club(viewer).delete()[0]


def _in_pieces(upload: Upload, names: Names) -> bool:
    before = b""
    rows = UploadChunk.objects.filter(upload=upload).order_by("number")
    for piece in rows.values_list("body", flat=True).iterator():
        # A name may stand across two pieces, or just at the cut.
        if names.stand_in(before + bytes(piece)):
            return True
        before = bytes(piece)[-4096:]
    return False


_TITLES: tuple[tuple[type[models.Model], str], ...] = (
    (HandLog, "table"),
    (ApiKey, "name"),
    (Evening, "name"),
    (Table, "name"),
    (WebhookEndpoint, "words"),
    (ShadowRun, "words"),
    (Hold, "why"),
)


def _titles(viewer: Viewer, names: Names) -> int:
    count = 0
    for model, column in _TITLES:
        rows: Any = model.objects.of_club(viewer)  # type: ignore[attr-defined]
        found = [pk for pk, said in rows.values_list("pk", column) if names.stand_in(said)]
        for pk in found:
            # Table names differ within an evening: so do what stands in their place.
            said = "" if model is HandLog else f"…{pk}"
            count += model._default_manager.filter(pk=pk).update(**{column: said})  # noqa: SLF001 - Django's public name for it
    invited = Link.objects.of_club(viewer).filter(kind=LinkKind.INVITATION)
    for link in invited:
        if names.stand_in(link.scope.get("email", "")):
            link.scope = {"role": link.scope["role"]}
            link.save(update_fields=["scope"])
            count += 1
    return count


def _identities(viewer: Viewer, names: Names) -> Iterator[str]:
    """Find hands that are called by the name: only purging them takes it out."""
    told = HandLog.objects.of_club(viewer).values_list("public_id", "source", "event", "name")
    for public_id, *identity in told.iterator():
        if names.stand_in(" ".join(identity)):
            yield public_id


def _let_go(viewer: Viewer, user: Any) -> None:
    """End an account's part in the club: what it said in cases, its membership, itself."""
    said = CaseText.objects.filter(event__case__club=viewer.club, event__user=user)
    said.delete()
    pictures = Evidence.objects.filter(case__club=viewer.club, event__user=user)
    pictures.update(body=None, media_type="")
    mine = storage.locked(Membership.objects.of_club(viewer))
    member = next((each for each in mine if each.user_id == user.pk), None)
    if member is not None:
        owners = Membership.objects.of_club(viewer).filter(role=Role.OWNER)
        if member.role == Role.OWNER and not owners.exclude(pk=member.pk).exists():
            raise LastOwnerError
        member.delete()
    elsewhere = Membership.objects.filter(user=user).exists()
    if elsewhere or Player.objects.filter(user=user).exclude(club=viewer.club).exists():
        return
    _forget_attempts(user)
    get_user_model().objects.filter(pk=user.pk).delete()


def _forget_attempts(user: Any) -> None:
    """What was noted of their signing in names the account."""
    names = [each for each in (user.username, user.email) if each]
    for model in (AccessAttempt, AccessFailureLog, AccessLog):
        model.objects.filter(username__in=names).delete()
