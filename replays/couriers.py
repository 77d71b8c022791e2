"""Couriers take messages from the outbox to those who want to be told.

The database owns the work: a courier claims messages, tries to deliver them, and writes down
how it went. One that is killed leaves its messages to fall due again. Each endpoint has a few
places of its own, so that one that is slow keeps nobody else waiting.
"""

from __future__ import annotations

import datetime
import logging
import secrets
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures import wait as wait_for
from dataclasses import dataclass, field

import requests
from django.conf import settings
from django.db import transaction
from django.db.models import F, Q
from django.db.models.functions import Now
from django.utils import timezone
from standardwebhooks import Webhook

from replays import outgoing, stopping, storage, webhooks
from replays.models import WebhookAttempt, WebhookDelivery, WebhookEndpoint

log = logging.getLogger(__name__)

_SECOND, _MINUTE, _HOUR = 1, 60, 3600
# From one try to the next, as the Standard Webhooks spec has it: ten tries in 75 hours.
DELAYS = (
    0,
    5 * _SECOND,
    5 * _MINUTE,
    30 * _MINUTE,
    2 * _HOUR,
    5 * _HOUR,
    10 * _HOUR,
    14 * _HOUR,
    20 * _HOUR,
    24 * _HOUR,
)
# Each wait is up to this much shorter or longer, so that not all come back at once.
JITTER = 0.1
# Answers that ask for less.
_SLOW_DOWN = (429, 502, 503, 504)
_SLOW_SECONDS = 30
_LONGEST_SLOW = 3600

_LEASE = datetime.timedelta(seconds=120)
_PLACES = 16
_PLACES_EACH = 4
_AT_ONCE = 20
# No new message is begun after so long (seconds): all ends before the lease does.
_TIME_IS_UP = 15.0
# One that is not back by then is held up by its receiver, byte by byte.
_LOST = 90.0
_KEPT = datetime.timedelta(days=30)


@dataclass(frozen=True, slots=True)
class Tried:
    """What became of a try: the answer's status or why there was none."""

    delivery: WebhookDelivery
    at: datetime.datetime
    milliseconds: int
    status: int | None
    why: str = ""
    # How long the answer asks to be left alone (seconds).
    wait: int = 0

    @property
    def is_delivered(self) -> bool:
        """Whether the receiver took it."""
        return self.status is not None and 200 <= self.status < 300  # noqa: PLR2004 - 2xx

    @property
    def asks_for_less(self) -> bool:
        """Whether the receiver is overloaded, or does not answer at all."""
        return self.status is None or self.status in _SLOW_DOWN


def headers_of(
    endpoint: WebhookEndpoint, delivery: WebhookDelivery, *, at: datetime.datetime
) -> dict[str, str]:
    """Return the headers of a try: the message's id, the time, and a signature by each secret."""
    name = f"msg_{delivery.public_id}"
    kept = [endpoint.secret]
    if endpoint.old_secret and endpoint.old_secret_until and at < endpoint.old_secret_until:
        kept.append(endpoint.old_secret)
    body = bytes(delivery.body).decode()
    return {
        "webhook-id": name,
        "webhook-timestamp": str(int(at.timestamp())),
        "webhook-signature": " ".join(Webhook(each).sign(name, at, body) for each in kept),
    }


def deliver(endpoint: WebhookEndpoint, deliveries: Sequence[WebhookDelivery]) -> list[Tried]:
    """Try messages of one endpoint one after another; asks no database.

    Ends early where the time is up or the endpoint asks for less: what was not tried is not
    in the answer.
    """
    begun, tried = time.monotonic(), list[Tried]()
    with outgoing.session(private=settings.WEBHOOKS_PRIVATE) as through:
        for delivery in deliveries:
            if stopping.asked() or time.monotonic() - begun > _TIME_IS_UP:
                break
            tried.append(_try(through, endpoint, delivery))
            if tried[-1].asks_for_less or tried[-1].status == requests.codes.gone:
                break
    return tried


def _try(through: requests.Session, endpoint: WebhookEndpoint, delivery: WebhookDelivery) -> Tried:
    at, begun = timezone.now(), time.monotonic()
    status, why, wait = None, "", 0
    try:
        answer = outgoing.post(
            through,
            endpoint.url,
            bytes(delivery.body),
            headers_of(endpoint, delivery, at=at),
            private=settings.WEBHOOKS_PRIVATE,
        )
        status, wait = answer.status_code, _asked(answer)
        if answer.is_redirect or 300 <= status < 400:  # noqa: PLR2004 - 3xx
            why = "it answered with another address; redirects are not followed"
    except outgoing.AddressError as error:
        why = f"nothing is sent there: expected {error}"
    except requests.Timeout:
        why = "no answer in time"
    except requests.exceptions.SSLError:
        why = "its certificate could not be checked"
    except requests.RequestException:
        why = "no connection"
    except Exception as error:
        # One message that cannot be sent must not end the courier.
        log.exception("a webhook could not be sent")
        why = f"it could not be sent: {type(error).__name__}"
    return Tried(delivery, at, int(1000 * (time.monotonic() - begun)), status, why, wait)


def _asked(answer: requests.Response) -> int:
    """Return how many seconds an answer asks to be left alone."""
    said = answer.headers.get("Retry-After", "")
    # Python reads no number of thousands of digits, and an answer may hold any.
    return min(int(said[:9]), _LONGEST_SLOW) if said.isascii() and said.isdigit() else 0


def wait_after(attempts: int) -> datetime.timedelta | None:
    """Return how long to wait after so many tries, with jitter; None when it was the last."""
    if attempts >= len(DELAYS):
        return None
    factor = secrets.SystemRandom().uniform(1 - JITTER, 1 + JITTER)
    return datetime.timedelta(seconds=DELAYS[attempts] * factor)


# --- writing down how it went ------------------------------------------------------------------


def record(endpoint: WebhookEndpoint, tried: Iterable[Tried]) -> None:
    """Write down tries; plan the next one of what was not taken."""
    for each in tried:
        with transaction.atomic():
            _record(endpoint, each)


def _record(endpoint: WebhookEndpoint, tried: Tried) -> None:
    delivery = tried.delivery
    if not storage.locked(WebhookDelivery.objects.filter(pk=delivery.pk)).exists():
        return  # the endpoint has been deleted meanwhile
    WebhookAttempt.objects.create(
        delivery=delivery,
        at=tried.at,
        milliseconds=tried.milliseconds,
        status=tried.status,
        why=tried.why[:200],
    )
    mine = WebhookDelivery.objects.filter(pk=delivery.pk, lease=delivery.lease)
    if tried.is_delivered:
        mine.update(delivered_at=timezone.now(), lease="", reason="")
        return
    reason = (tried.why or f"it answered {tried.status}")[:500]
    wait = wait_after(delivery.attempts)
    if tried.status == requests.codes.gone:
        mine.update(failed=True, lease="", reason=reason)
        webhooks.disable(endpoint, why="it answered 410: it is gone for good")
    elif wait is None:
        mine.update(failed=True, lease="", reason=reason)
    else:
        pause = max(wait, datetime.timedelta(seconds=tried.wait))
        mine.update(due=Now() + pause, lease="", reason=reason)
    if tried.asks_for_less:
        factor = secrets.SystemRandom().uniform(1 - JITTER, 1 + JITTER)
        # The first tries come soon: a receiver that is just starting is not left for long.
        least = min(_SLOW_SECONDS, 5 * delivery.attempts)
        pause = datetime.timedelta(seconds=max(least, tried.wait) * factor)
        WebhookEndpoint.objects.filter(pk=endpoint.pk).update(slow_until=Now() + pause)


def put_down(deliveries: Iterable[WebhookDelivery]) -> None:
    """Return messages that were claimed and not tried: due at once, no try counted."""
    for each in deliveries:
        mine = WebhookDelivery.objects.filter(pk=each.pk, lease=each.lease)
        mine.update(due=Now(), lease="", attempts=F("attempts") - 1)


def let_go() -> int:
    """Delete what was delivered or given up long ago; return how many."""
    old = WebhookDelivery.objects.filter(made_at__lt=timezone.now() - _KEPT)
    done = old.filter(Q(failed=True) | Q(delivered_at__isnull=False))
    picked = list(done.values_list("pk", flat=True)[:1000])
    return WebhookDelivery.objects.filter(pk__in=picked).delete()[0] if picked else 0


# --- the round ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Way:
    endpoint: WebhookEndpoint
    deliveries: list[WebhookDelivery]
    since: float


@dataclass
class Courier:
    """Goes round: takes up what is due as far as there are places, writes down what came back."""

    pool: ThreadPoolExecutor = field(
        default_factory=lambda: ThreadPoolExecutor(_PLACES, thread_name_prefix="courier")
    )
    _out: dict[Future[list[Tried]], _Way] = field(default_factory=dict)
    _lost: int = 0

    def round(self) -> int:
        """Write down what came back and take up what is due; return how many are on the way."""
        self._welcome()
        self._take_up()
        return sum(len(way.deliveries) for way in self._out.values())

    def end(self, *, seconds: float) -> None:
        """Wait so long for what is on the way, and put down what was not begun."""
        # What still runs then is left to its lease: a receiver may keep us waiting.
        running, give_up = list(self._out), time.monotonic() + seconds
        for future in running:
            if future.cancel():
                put_down(self._out.pop(future).deliveries)
        wait_for(self._out, timeout=max(0.0, give_up - time.monotonic()))
        self._welcome()

    @property
    def is_held_up(self) -> bool:
        """Whether half of the places are held by receivers that never end their answer."""
        return self._lost >= _PLACES // 2

    def _welcome(self) -> None:
        now = time.monotonic()
        for future, way in list(self._out.items()):
            if future.done():
                del self._out[future]
                tried = future.result()
                record(way.endpoint, tried)
                done = {each.delivery.pk for each in tried}
                put_down(each for each in way.deliveries if each.pk not in done)
            elif now - way.since > _LOST:
                # Its claims fall due by themselves, with a try counted.
                del self._out[future]
                self._lost += 1
                future.add_done_callback(self._found)

    def _found(self, _future: Future[list[Tried]]) -> None:
        self._lost -= 1

    def _take_up(self) -> None:
        free = _PLACES - self._lost - len(self._out)
        held = Counter(way.endpoint.pk for way in self._out.values())
        if free <= 0:
            return
        busy = {pk for pk, places in held.items() if places >= _PLACES_EACH}
        for endpoint in _with_something_due(busy):
            while free and held[endpoint.pk] < _PLACES_EACH:
                only = Q(endpoint=endpoint.pk, delivered_at=None)
                claimed = storage.claim(WebhookDelivery, only=only, most=_AT_ONCE, lease=_LEASE)
                if not claimed:
                    break
                way = _Way(endpoint, claimed, time.monotonic())
                self._out[self.pool.submit(deliver, endpoint, claimed)] = way
                free, held[endpoint.pk] = free - 1, held[endpoint.pk] + 1


def _with_something_due(busy: set[int]) -> list[WebhookEndpoint]:
    """Return endpoints that something is due for, in no order: so none comes first for ever."""
    due = WebhookDelivery.objects.filter(failed=False, delivered_at=None, due__lte=Now())
    ready = Q(disabled_at=None) & (Q(slow_until=None) | Q(slow_until__lte=Now()))
    some = WebhookEndpoint.objects.filter(ready, pk__in=due.values("endpoint")).exclude(pk__in=busy)
    return list(some.order_by("?")[: 4 * _PLACES])
