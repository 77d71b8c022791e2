"""Addresses of the API for what a club follows, manages and takes out."""

from django.urls import path

from api import cases, codes, export, feed, matches, rulesets, shadow, webhooks
from api.operations import route

_reading = [
    path("verdicts", route(get=feed.verdicts), name="verdicts"),
    path("findings", route(get=codes.code_list), name="codes"),
    path("findings/<slug:name>", route(get=codes.code), name="code"),
    path("matches", route(get=matches.match_list), name="matches"),
    path("matches/<slug:public_id>", route(get=matches.match), name="match"),
]

_HOOK = "webhooks/<slug:public_id>"
_webhooks = [
    path("webhooks", route(get=webhooks.webhook_list, post=webhooks.webhook_new), name="webhooks"),
    path(
        _HOOK,
        route(get=webhooks.webhook, patch=webhooks.webhook_change, delete=webhooks.webhook_delete),
        name="webhook",
    ),
    path(f"{_HOOK}/rotate", route(post=webhooks.webhook_rotate), name="webhook-rotate"),
    path(f"{_HOOK}/try", route(post=webhooks.webhook_try), name="webhook-try"),
    path(f"{_HOOK}/deliveries", route(get=webhooks.delivery_list), name="deliveries"),
    path(
        f"{_HOOK}/deliveries/<slug:delivery_id>/resend",
        route(post=webhooks.delivery_resend),
        name="delivery-resend",
    ),
]

_RULES = "rulesets/<slug:name>/<int:version>"
_rulesets = [
    path("rulesets", route(get=rulesets.ruleset_list, post=rulesets.ruleset_new), name="rulesets"),
    path("rulesets/check", route(post=rulesets.ruleset_check), name="ruleset-check"),
    path("rulesets/dry-run", route(post=rulesets.dry_run), name="dry-run"),
    path(_RULES, route(get=rulesets.ruleset), name="ruleset"),
    path(f"{_RULES}/activate", route(post=rulesets.ruleset_activate), name="ruleset-activate"),
]

_export = [
    path("export", route(get=export.everything), name="export"),
    path("export/hands.csv", route(get=export.hands_table), name="hands-table"),
    path("export/findings.csv", route(get=export.findings_table), name="findings-table"),
]

_RUN = "shadow/<slug:public_id>"
_shadow = [
    path("shadow", route(get=shadow.run_list, post=shadow.run_new), name="shadow"),
    path(_RUN, route(get=shadow.run), name="shadow-run"),
    path(f"{_RUN}/hands", route(post=shadow.run_hands), name="shadow-hands"),
    path(f"{_RUN}/adopt", route(post=shadow.run_adopt), name="shadow-adopt"),
    path("policies", route(get=shadow.policy_list), name="policies"),
    path("policies/<slug:name>", route(put=shadow.policy_change), name="policy"),
]

_CASE = "cases/<int:number>"
_cases = [
    path("cases", route(get=cases.case_list, post=cases.case_new), name="cases"),
    path(_CASE, route(get=cases.case), name="case"),
    path(f"{_CASE}/statements", route(post=cases.case_say), name="case-say"),
    path(f"{_CASE}/claim", route(post=cases.case_claim), name="case-claim"),
    path(f"{_CASE}/release", route(post=cases.case_release), name="case-release"),
    path(f"{_CASE}/dismiss", route(post=cases.case_dismiss), name="case-dismiss"),
    path(f"{_CASE}/join", route(post=cases.case_join), name="case-join"),
    path(f"{_CASE}/evidence", route(post=cases.case_pin), name="case-pin"),
    path(f"{_CASE}/reopen", route(post=cases.case_reopen), name="case-reopen"),
    path(f"{_CASE}/decisions", route(post=cases.case_decide), name="case-decide"),
    path(f"{_CASE}/appeal", route(post=cases.case_appeal), name="case-appeal"),
    path(f"{_CASE}/withdraw", route(post=cases.case_withdraw), name="case-withdraw"),
]

routes = [*_reading, *_webhooks, *_rulesets, *_export, *_shadow, *_cases]
