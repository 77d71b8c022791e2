"""The sweeper: whatever is due is done, whether or not its wake-up came through."""

import time
from dataclasses import dataclass, field

from django.conf import settings
from django.db.models import Q
from django.db.models.functions import Now

from replays import cases, match_work, retention, throttle, wake, work
from replays.cases import by_policy
from replays.models import AuditJob, MatchRow, ShadowPart, Upload
from replays.models.matches import DIRTY
from replays.sessions import SessionStore

# A worker that leaves the same work lying for so long (seconds) does not hear its wake-ups.
_DEAF_SECONDS = 20.0
# How often hands that a club no longer keeps are looked for (seconds), and how many of a club go
# at once: the years before a club said so are many hands, and nobody is woken meanwhile.
_RETAIN_SECONDS = 3600.0
_PURGED_AT_ONCE = 50
# How often cases are opened for findings that a club wants one for (seconds).
_OPEN_SECONDS = 10.0
# No more wake-ups at once than this: each worker looks again until nothing is left.
_MOST = 8


def give_up_exhausted() -> None:
    """Fail what was claimed as often as may be and that nobody finished."""
    for job in work.exhausted(AuditJob, only=Q()):
        work.fail_audit(job, job.reason or "judging it stopped its worker three times")
    for match in work.exhausted(MatchRow, only=DIRTY):
        match_work.give_up(match, match.reason or "judging it stopped its worker three times")
    for part in work.exhausted(ShadowPart, only=Q(finished_at=None)):
        work.give_up(part, part.reason or "judging these hands stopped the worker three times")
    for upload in work.exhausted(Upload, only=Q(finished_at=None)):
        reason = upload.reason or "reading this file stopped its worker three times"
        work.give_up(upload, reason)


@dataclass
class Sweeper:
    """Looks after work that is due. ``is_deaf`` says that nobody does it."""

    is_deaf: bool = False
    _oldest: tuple[int | None, int | None] = (None, None)
    _since: float = field(default_factory=time.monotonic)
    _retained_at: float = field(default_factory=time.monotonic)
    _opened_at: float = 0.0

    def sweep(self) -> None:
        """Give up on what was tried too often, end what is over, wake workers for the rest."""
        give_up_exhausted()
        cases.tend()
        self._open_cases()
        self._let_go()
        hands = AuditJob.objects.filter(failed=False, due__lte=Now())
        files = Upload.objects.filter(failed=False, finished_at=None, due__lte=Now())
        span = _MOST * settings.AUDIT_BATCH
        some = list(hands.order_by("due", "pk").values_list("pk", flat=True)[:span])
        file = files.order_by("due", "pk").values_list("pk", flat=True).first()
        if some:
            wake.wake(wake.AUDIT, times=min(_MOST, 1 + len(some) // settings.AUDIT_BATCH))
        matches = MatchRow.objects.filter(DIRTY & match_work.ready(), failed=False, due__lte=Now())
        if matches.exists():
            wake.wake(wake.AUDIT_MATCHES)
        if file is not None:
            wake.wake(wake.READ_UPLOADS)
        if ShadowPart.objects.filter(failed=False, finished_at=None, due__lte=Now()).exists():
            wake.wake(wake.SHADOW)
        self._listen((some[0] if some else None, file))

    def _open_cases(self) -> None:
        """Now and then open the cases that clubs want for findings."""
        now = time.monotonic()
        if now - self._opened_at > _OPEN_SECONDS:
            self._opened_at = now
            by_policy.open_due()

    def _let_go(self) -> None:
        """Let go of what is over, and purge some of what clubs no longer keep.

        While there is more of that, go on at the next look.
        """
        now = time.monotonic()
        if now - self._retained_at > _RETAIN_SECONDS:
            self._retained_at = now
            throttle.forget()
            SessionStore.clear_expired()
            if retention.retain_all(most=_PURGED_AT_ONCE):
                self._retained_at -= _RETAIN_SECONDS

    def _listen(self, oldest: tuple[int | None, int | None]) -> None:
        """Notice when the same work lies there for long and no other is being done."""
        now = time.monotonic()
        if oldest != self._oldest or oldest == (None, None):
            self._oldest, self._since = oldest, now
        elif now - self._since > _DEAF_SECONDS:
            self._since = now
            self.is_deaf = not work.anything_claimed()

    def heard(self) -> None:
        """Begin to listen anew, after the worker was started again."""
        self._since, self.is_deaf = time.monotonic(), False
