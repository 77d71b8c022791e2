"""Addresses of the pages of cases."""

from django.urls import path

from replays.views import case_acts, cases

urlpatterns = [
    path("cases", cases.case_list, name="cases"),
    path("cases/new", cases.case_new, name="case-new"),
    path("cases/precedents", cases.precedents, name="precedents"),
    path("cases/desk", cases.desk_settings, name="desk"),
    path("cases/decisions/<int:number>", cases.decision_sheet, name="decision-sheet"),
    path("cases/<int:number>", cases.case, name="case"),
    path("cases/<int:number>/evidence/<int:event>", cases.evidence, name="case-evidence"),
    path("cases/<int:number>/claim", case_acts.claim, name="case-claim"),
    path("cases/<int:number>/release", case_acts.release, name="case-release"),
    path("cases/<int:number>/send", case_acts.send, name="case-send"),
    path("cases/<int:number>/say", case_acts.say, name="case-say"),
    path("cases/<int:number>/pin", case_acts.pin, name="case-pin"),
    path("cases/<int:number>/decide", case_acts.decide, name="case-decide"),
    path("cases/<int:number>/dismiss", case_acts.dismiss, name="case-dismiss"),
    path("cases/<int:number>/join", case_acts.join, name="case-join"),
    path("cases/<int:number>/appeal", case_acts.appeal, name="case-appeal"),
    path("cases/<int:number>/withdraw", case_acts.withdraw, name="case-withdraw"),
    path("cases/<int:number>/reopen", case_acts.reopen, name="case-reopen"),
]
