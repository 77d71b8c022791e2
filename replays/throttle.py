"""Limits that hold for all processes together, however many ask at once.

The generic cell rate algorithm: of a limit only one number is kept, the moment until which what
was asked for has used it up. Over any stretch of time at most ``rate`` times its minutes, and
``burst`` more, are let through.
"""

import functools
import time
from typing import Any

from django.conf import settings
from django.db.models import F
from django.db.models.functions import Greatest

from replays.models.throttles import Throttle

_SECONDS = 60.0
_PATIENCE = 0.25

# In one step on the server, by the server's clock. Numbers come back as text: Lua's are cut.
_SPEND = """
local clock = redis.call('TIME')
local now = clock[1] + clock[2] / 1000000
local step, burst = tonumber(ARGV[1]), tonumber(ARGV[2])
local used = math.max(now, tonumber(redis.call('GET', KEYS[1]) or '0'))
local wait = used - now - (burst - 1) * step
if wait > 0 then return string.format('%.6f', wait) end
redis.call('SET', KEYS[1], string.format('%.6f', used + step), 'EX', math.ceil(burst * step) + 1)
return '0'
"""


def spend(name: str, *, rate: int, burst: int) -> float:
    """Take one of ``rate`` a minute; return 0, or the seconds to wait where none is left."""
    step = _SECONDS / rate
    if (server := _server()) is not None:
        from redis import RedisError  # noqa: PLC0415 - loaded with the server

        try:
            return float(_asked(server, "EVAL", _SPEND, 1, f"throttle:{name}", step, burst))
        except RedisError:
            pass  # hints and limits are not worth refusing anybody for: the database counts on
    return _spend_in_database(name, step=step, burst=burst)


def _asked(server: Any, *words: Any) -> Any:
    """Ask the server in one exchange: what its client does around each takes longer than that."""
    one = server.get_connection()
    try:
        one.send_command(*words)
        return one.read_response()
    except BaseException:
        # An answer that comes after all is none to the next question.
        one.disconnect()
        raise
    finally:
        server.release(one)


def _spend_in_database(name: str, *, step: float, burst: int) -> float:
    now = time.time()
    most = now + (burst - 1) * step
    mine = Throttle.objects.filter(name=name)
    # One statement, so of many at once each sees what the one before it has used.
    spent = mine.filter(until__lte=most).update(until=Greatest(F("until"), now) + step)
    used = None if spent else mine.values_list("until", flat=True).first()
    if not spent and used is None:
        Throttle.objects.bulk_create([Throttle(name=name)], ignore_conflicts=True)
        spent = mine.filter(until__lte=most).update(until=Greatest(F("until"), now) + step)
        used = mine.values_list("until", flat=True).first() or now
    if spent or used is None:
        return 0.0
    if used - most <= time.time() - now:
        # Whoever waited long for the database is measured by the clock of before: once more.
        return _spend_in_database(name, step=step, burst=burst)
    return max(step / 10, used - most)


def forget() -> int:
    """Let go of limits of which nothing is used any more; each address has a row of its own."""
    return int(Throttle.objects.filter(until__lt=time.time()).delete()[0])


@functools.cache
def _server() -> Any:
    """Return the connections to the broker where it is one that can count, else nothing."""
    url = settings.BROKER_URL.replace("redis+socket://", "unix://", 1)
    if not url.startswith(("unix:", "redis:", "rediss:")):
        return None
    from redis import ConnectionPool  # noqa: PLC0415 - pages have no need of it
    from redis.backoff import NoBackoff  # noqa: PLC0415 - as above
    from redis.retry import Retry  # noqa: PLC0415 - as above

    retry = Retry(NoBackoff(), 0)
    return ConnectionPool.from_url(
        url, socket_timeout=_PATIENCE, socket_connect_timeout=_PATIENCE, retry=retry
    )
