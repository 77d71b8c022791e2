"""What a club does about findings, by code: count them, or open a case."""

from django.db import transaction

from replays import trail
from replays.access import Viewer
from replays.models import Club, FindingPolicy
from replays.models.shadow import Act
from rummy_audit.rules.findings import codes


def acts_of(club: Club) -> dict[str, str]:
    """Return what a club does about each code, in the order of the register."""
    chosen = dict(FindingPolicy.objects.filter(club=club).values_list("code", "act"))
    return {code: chosen.get(code, Act.COUNT.value) for code in codes()}


@transaction.atomic
def choose(*, viewer: Viewer, code: str, act: str) -> None:
    """Say what a club does about a code. Raises KeyError for one that there is not."""
    codes()[code]
    row = FindingPolicy.objects.filter(club=viewer.club, code=code).first()
    before = row.act if row else Act.COUNT.value
    FindingPolicy.objects.update_or_create(
        club=viewer.club, code=code, defaults={"act": Act(act).value}
    )
    if before != act:
        trail.leave(viewer, "policy.choose", target=code, before=before, after=act)
