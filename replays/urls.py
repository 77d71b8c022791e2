"""Addresses of the pages."""

from django.urls import include, path, register_converter

from replays.views import (
    account,
    comparing,
    hands,
    home,
    judge,
    matches,
    pulse,
    reference,
    sheets,
    tables_out,
    uploads,
    what_if,
)


class LogForm:
    """The forms that a log is taken away in, as an address says them; they name the file too."""

    regex = r"rhl(?:\.jsonl)?"

    def to_python(self, value: str) -> str:
        """Return the form."""
        return value

    def to_url(self, value: str) -> str:
        """Return the form."""
        return value


register_converter(LogForm, "log_form")

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
    path("hands/<slug:public_id>/pulse", pulse.hand_pulse, name="hand-pulse"),
    path("hands/<slug:public_id>/log.<log_form:form>", hands.hand_log, name="hand-log"),
    path("hands/<slug:public_id>/under", comparing.under_ruleset, name="under"),
    path("hands/<slug:public_id>/what-if", what_if.page, name="what-if"),
    path("hands/<slug:public_id>/amend", what_if.amend, name="hand-amend"),
    path("hands/<slug:public_id>/match", matches.hand_match, name="hand-match"),
    path("matches", matches.match_list, name="matches"),
    path("matches.csv", tables_out.matches_csv, name="matches-csv"),
    path("hands.csv", tables_out.hands_csv, name="hands-csv"),
    path("season", tables_out.season, name="season"),
    path("season.csv", tables_out.season_csv, name="season-csv"),
    path("matches/<slug:public_id>/standings.csv", tables_out.standings_csv, name="standings-csv"),
    path("matches/<slug:public_id>", matches.match, name="match"),
    path("matches/<slug:public_id>/report", matches.match_report, name="match-report"),
    path("sheets", sheets.sheet_list, name="sheets"),
    path("sheets/template.<str:form>", sheets.sheet_template, name="sheet-template"),
    path("sheets/<slug:public_id>", sheets.sheet, name="sheet"),
    path("sheets/<slug:public_id>/amend", sheets.sheet_amend, name="sheet-amend"),
    path("", include("replays.case_urls")),
    path("judge", judge.judge_page, name="judge"),
    path("findings", reference.code_list, name="codes"),
    path("findings/<slug:code>", reference.code_page, name="code"),
    path("rules", reference.ruleset_list, name="rulesets"),
    path("rules/<slug:family>", reference.family_page, name="family"),
    path("rules/<slug:family>/<slug:name>", reference.parameter_page, name="parameter"),
    path("", include("replays.evening_urls")),
    path("", include("replays.webhook_urls")),
    path("", include("replays.shadow_urls")),
]
