"""How hard hypothesis tries here: the whole suite shares a few minutes."""

from hypothesis import HealthCheck, Phase, settings

from tests.effort import tries

quick = settings(
    max_examples=tries(40),
    deadline=None,
    suppress_health_check=list(HealthCheck),
    phases=[Phase.explicit, Phase.reuse, Phase.generate, Phase.shrink],
)
