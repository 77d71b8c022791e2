"""Addresses of the pages."""

from django.urls import include, path

from replays.views import account, comparing, hands, home, judge, matches, reference, sheets, uploads

urlpatterns = [
    path("", home.home, name="home"),
    path("demo/sign-in", account.demo_sign_in, name="demo-sign-in"),
    path("account", account.account, name="account"),
    path("account/club", account.choose_club, name="choose-club"),
    path("", include("replays.people_urls")),
    path("upload", uploads.upload, name="upload"),
    path("uploads/<str:ids>", uploads.uploaded, name="uploaded"),
    path("hands", hands.hand_list, name="hands"),
    path("hands/<slug:public_id>", hands.hand, name="hand"),
    path("hands/<slug:public_id>/<int:seq>", hands.hand, name="hand-at"),
    path("hands/<slug:public_id>/steps", hands.hand_steps, name="hand-steps"),
    path("hands/<slug:public_id>/report", hands.hand_report_page, name="hand-report"),
    path("hands/<slug:public_id>/log.<str:form>", hands.hand_log, name="hand-log"),
    path("hands/<slug:public_id>/under", comparing.under_ruleset, name="under"),
    path("hands/<slug:public_id>/match", matches.hand_match, name="hand-match"),
    path("matches", matches.match_list, name="matches"),
    path("matches/<slug:public_id>", matches.match, name="match"),
    path("matches/<slug:public_id>/report", matches.match_report, name="match-report"),
    path("sheets", sheets.sheet_list, name="sheets"),
    path("sheets/template.<str:form>", sheets.sheet_template, name="sheet-template"),
    path("sheets/<slug:public_id>", sheets.sheet, name="sheet"),
    path("sheets/<slug:public_id>/amend", sheets.sheet_amend, name="sheet-amend"),
    path("", include("replays.case_urls")),
    path("sheets", sheets.sheet_list, name="sheets"),
    path("sheets/template.<str:form>", sheets.sheet_template, name="sheet-template"),
    path("sheets/<slug:public_id>", sheets.sheet, name="sheet"),
    path("sheets/<slug:public_id>/amend", sheets.sheet_amend, name="sheet-amend"),
    path("judge", judge.judge_page, name="judge"),
    path("findings", reference.code_list, name="codes"),
    path("findings/<slug:code>", reference.code_page, name="code"),
    path("rules", reference.ruleset_list, name="rulesets"),
    path("rules/<slug:family>", reference.family_page, name="family"),
    path("rules/<slug:family>/<slug:name>", reference.parameter_page, name="parameter"),
    path("", include("replays.evening_urls")),
    path("", include("replays.webhook_urls")),
]
