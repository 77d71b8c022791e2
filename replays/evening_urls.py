"""Addresses of evenings, and of a table: by its link, and for members of the club."""

from django.urls import path

from replays.views import club_rules, deal_corrections, deal_shows, deals, evenings
from replays.views.tables import by_link, by_member

# What there is at a table: below its link and, for members, below its id.
_AT_TABLE = [
    ("", deals.deal_page, ""),
    ("deals", deals.enter, "-deals"),
    ("deals/<slug:match>/<int:place>", deal_corrections.correct, "-deal"),
    ("confirm", deals.confirm, "-confirm"),
    ("lock", deals.lock, "-lock"),
    ("match", deals.start, "-match"),
    ("match/drop", deals.drop, "-match-drop"),
    ("show", deal_shows.show_pad, "-show"),
]

urlpatterns = [
    path("club/rules", club_rules.club_rules, name="club-rules"),
    path("club/money", club_rules.club_money, name="club-money"),
    path("club/rules/new", club_rules.club_rules_edit, name="club-rules-new"),
    path("club/rules/<slug:slug>/next", club_rules.club_rules_edit, name="club-rules-next"),
    path(
        "club/rules/<slug:slug>/<int:version>",
        club_rules.club_rules_version,
        name="club-rules-version",
    ),
    path(
        "club/rules/<slug:slug>/<int:version>/activate",
        club_rules.club_rules_activate,
        name="club-rules-activate",
    ),
    path("evenings", evenings.evening_list, name="evenings"),
    path("evenings/new", evenings.evening_new, name="evening-new"),
    path("evenings/<slug:public_id>", evenings.evening, name="evening"),
    path("evenings/<slug:public_id>/players", evenings.players, name="evening-players"),
    path("evenings/<slug:public_id>/tables", evenings.tables, name="evening-tables"),
    path("tables/<slug:public_id>/link", evenings.table_qr, name="table-qr"),
    path("tables/<slug:public_id>/link/end", evenings.table_link_end, name="table-link-end"),
    *(
        path(f"t/<slug:token>/{way}", by_link(view), name=f"table-link{name}")
        for way, view, name in _AT_TABLE
    ),
    *(
        path(f"tables/<slug:public_id>/{way}", by_member(view), name=f"table{name}")
        for way, view, name in _AT_TABLE
    ),
]
