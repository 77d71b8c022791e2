"""Addresses of people, keys, the trail, and what is shared."""

from django.urls import path

from replays.views import keys, people, privacy, sharing, trail

urlpatterns = [
    path("people", people.people, name="people"),
    path("people/invite", people.invite, name="invite"),
    path("people/open-hands", people.open_hands, name="open-hands"),
    path("people/names", people.names, name="names"),
    path("people/names/confirm", people.confirm_name, name="name-confirm"),
    path("people/members/<int:pk>/role", people.change_role, name="member-role"),
    path("people/members/<int:pk>/remove", people.remove, name="member-remove"),
    path("people/roster/<int:pk>/account", people.link_account, name="player-account"),
    path("people/invitations/<slug:public_id>/end", people.end_invitation, name="invitation-end"),
    path("join/<str:token>", people.join, name="join"),
    path("keys", keys.key_list, name="keys"),
    path("keys/<slug:prefix>/rotate", keys.rotate, name="key-rotate"),
    path("keys/<slug:prefix>/revoke", keys.revoke, name="key-revoke"),
    path("privacy", privacy.page, name="privacy"),
    path("privacy/holds", privacy.hold_named, name="hold"),
    path("privacy/people/<int:pk>", privacy.person, name="person"),
    path("privacy/people/<int:pk>/export", privacy.person_export, name="person-export"),
    path("privacy/people/<int:pk>/forget", privacy.forget, name="person-forget"),
    path("hands/<slug:public_id>/hold", privacy.hold, name="hand-hold"),
    path("trail", trail.trail_page, name="trail"),
    path("trail.ndjson", trail.trail_export, name="trail-export"),
    path("hands/<slug:public_id>/shares", sharing.shares, name="shares"),
    path("shares/<slug:public_id>/end", sharing.end_share, name="share-end"),
    path("s/<str:token>", sharing.shared, name="shared"),
    path("s/<str:token>/<int:seq>", sharing.shared, name="shared-at"),
]
