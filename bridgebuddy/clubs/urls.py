"""The clubs' addresses."""

from django.urls import path

from . import views
from .account import allauth_views
from .membership import member_views

urlpatterns = [
    path("clubs/new/", views.new_club, name="new-club"),
    path("account/", views.account, name="account"),
    path("account/delete/", views.delete_account, name="delete-account"),
    path("accounts/login/", allauth_views.SignInView.as_view(), name="account_login"),
    path("accounts/signup/", allauth_views.SignUpView.as_view(), name="account_signup"),
    path(
        "accounts/password/reset/",
        allauth_views.ForgottenPasswordView.as_view(),
        name="account_reset_password",
    ),
    path("accounts/logout/", allauth_views.SignOutView.as_view(), name="account_logout"),
    path("accounts/inactive/", allauth_views.closed_account, name="account_inactive"),
    path("accounts/email/", allauth_views.EmailAddressesView.as_view(), name="account_email"),
    path(
        "accounts/password/change/",
        allauth_views.ChangePasswordView.as_view(),
        name="account_change_password",
    ),
    path("accounts/password/set/", allauth_views.open_password_form, name="account_set_password"),
    path("account/language/", views.own_language, name="own-language"),
    path("clubs/<int:pk>/members/", member_views.show_members, name="members"),
    path("clubs/<int:pk>/security/", member_views.security_log, name="security-log"),
    path("clubs/<int:pk>/members/invite/", member_views.invite, name="invite"),
    path("clubs/<int:pk>/members/<int:member>/role/", member_views.member_role, name="member-role"),
    path(
        "clubs/<int:pk>/members/<int:member>/remove/",
        member_views.remove_member,
        name="remove-member",
    ),
    path(
        "clubs/<int:pk>/invitations/<int:invitation>/withdraw/",
        member_views.withdraw_invitation,
        name="withdraw-invitation",
    ),
    path("clubs/<int:pk>/leave/", member_views.leave_club, name="leave-club"),
    path("clubs/<int:pk>/members/paper/", member_views.invite_on_paper, name="invite-on-paper"),
    path("join/", member_views.join_club, name="join"),
    path("invitations/<str:key>/", member_views.invitation, name="invitation"),
]
