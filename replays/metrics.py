"""Figures for Prometheus: what is owed, what was done, how large the processes are.

Everything is read from the database when it is asked for, so that one address answers
for all web servers and workers.
"""

from collections.abc import Iterator

from django.db.models import Count, Min, Q
from django.db.models.functions import Now
from django.utils import timezone
from prometheus_client import CollectorRegistry, Metric, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily
from prometheus_client.registry import Collector

from replays.models import AuditJob, Upload
from replays.models.processes import ProcessBeat

_COUNTERS = {
    "hands": ("rummy_hands_ingested", "Hands taken in, by what became of them", "outcome"),
    "verdict": ("rummy_verdicts", "Verdicts stored", "verdict"),
    "code": ("rummy_findings", "Findings stored, by code", "code"),
    "claims": ("rummy_claims", "Pieces of work claimed", "kind"),
    "failed": ("rummy_jobs_failed", "Work given up", "kind"),
    "requests": ("rummy_requests", "Requests answered, by class of status", "status"),
}


def exposition() -> bytes:
    """Return all figures in Prometheus' text form."""
    registry = CollectorRegistry(auto_describe=False)
    registry.register(_Figures())
    return generate_latest(registry)


class _Figures(Collector):
    def collect(self) -> Iterator[Metric]:
        yield from _owed()
        yield from _done()


def _owed() -> Iterator[Metric]:
    now = timezone.now()
    waiting = GaugeMetricFamily("rummy_backlog", "Work that is owed", labels=["kind", "state"])
    age = GaugeMetricFamily(
        "rummy_backlog_age_seconds", "For how long the oldest due work has waited", labels=["kind"]
    )
    for kind, rows in (
        ("audit", AuditJob.objects.all()),
        ("upload", Upload.objects.filter(finished_at=None)),
    ):
        claimed = ~Q(lease="") & Q(failed=False, due__gt=Now())
        found = rows.aggregate(
            owed=Count("pk", filter=Q(failed=False) & ~claimed),
            claimed=Count("pk", filter=claimed),
            given_up=Count("pk", filter=Q(failed=True)),
            oldest=Min("due", filter=Q(failed=False, due__lte=Now())),
        )
        for state in ("owed", "claimed", "given_up"):
            waiting.add_metric([kind, state], found[state])
        oldest = found["oldest"]
        age.add_metric([kind], max(0.0, (now - oldest).total_seconds()) if oldest else 0.0)
    yield waiting
    yield age


def _done() -> Iterator[Metric]:
    size = GaugeMetricFamily(
        "rummy_process_memory_bytes", "Memory of a process", labels=["kind", "host", "pid"]
    )
    silent = GaugeMetricFamily(
        "rummy_process_silent_seconds",
        "Since when a process has not told of itself",
        labels=["kind", "host", "pid"],
    )
    counters = {
        group: CounterMetricFamily(name, words, labels=["host", "pid", label])
        for group, (name, words, label) in _COUNTERS.items()
    }
    now = timezone.now()
    for beat in ProcessBeat.objects.order_by("pk"):
        who = [beat.host, str(beat.pid)]
        size.add_metric([beat.kind, *who], beat.memory)
        silent.add_metric([beat.kind, *who], (now - beat.at).total_seconds())
        for name, number in sorted(beat.counts.items()):
            group, _, label = name.partition(":")
            if group in counters:
                counters[group].add_metric([*who, label], number)
    yield size
    yield silent
    yield from counters.values()
