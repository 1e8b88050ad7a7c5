"""The peer: django-allauth with its own pages, sessions and SQLite; `ada` to sign in, `rosa0` and on to reset.

Addresses are verified by code, as in the emulators, and every code is the emulators' code for tests.
"""

import os

import django
from django.conf import settings

settings.configure(
    SECRET_KEY="a benchmark's own",
    ALLOWED_HOSTS=["*"],
    ROOT_URLCONF="peer_allauth",
    DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": os.environ["ALLAUTH_DATABASE"],
                           "OPTIONS": {"timeout": 20}}},
    DEFAULT_AUTO_FIELD="django.db.models.AutoField",
    INSTALLED_APPS=["django.contrib.auth", "django.contrib.contenttypes", "django.contrib.sessions",
                    "django.contrib.messages", "allauth", "allauth.account"],
    MIDDLEWARE=["django.contrib.sessions.middleware.SessionMiddleware",
                "django.middleware.csrf.CsrfViewMiddleware",
                "django.contrib.auth.middleware.AuthenticationMiddleware",
                "django.contrib.messages.middleware.MessageMiddleware",
                "allauth.account.middleware.AccountMiddleware"],
    TEMPLATES=[{"BACKEND": "django.template.backends.django.DjangoTemplates", "APP_DIRS": True,
                "OPTIONS": {"context_processors": ["django.template.context_processors.request",
                                                   "django.contrib.auth.context_processors.auth",
                                                   "django.contrib.messages.context_processors.messages"]}}],
    AUTHENTICATION_BACKENDS=["allauth.account.auth_backends.AuthenticationBackend"],
    PASSWORD_HASHERS=["django.contrib.auth.hashers." + {
        "cheapest": "MD5PasswordHasher", "default": "PBKDF2PasswordHasher"}[os.environ["ALLAUTH_HASHER"]]],
    ACCOUNT_LOGIN_METHODS={"email"},
    ACCOUNT_SIGNUP_FIELDS=["email*", "password1*"],
    ACCOUNT_ADAPTER="peer_allauth.Adapter",
    ACCOUNT_EMAIL_VERIFICATION="mandatory",
    ACCOUNT_EMAIL_VERIFICATION_BY_CODE_ENABLED=True,
    ACCOUNT_PASSWORD_RESET_BY_CODE_ENABLED=True,
    ACCOUNT_LOGIN_ON_PASSWORD_RESET=True,
    ACCOUNT_RATE_LIMITS=False,
    LOGIN_REDIRECT_URL="/accounts/email/",
    EMAIL_BACKEND="django.core.mail.backends.dummy.EmailBackend",
)
django.setup()

from allauth.account.adapter import DefaultAccountAdapter  # noqa: E402
from django.core.wsgi import get_wsgi_application  # noqa: E402
from django.urls import include, path  # noqa: E402


class Adapter(DefaultAccountAdapter):
    def generate_email_verification_code(self) -> str:
        return "424242"

    def generate_password_reset_code(self) -> str:
        return "424242"


urlpatterns = [path("accounts/", include("allauth.urls"))]
application = get_wsgi_application()

if __name__ == "__main__":
    from django.contrib.auth.models import User
    from django.core.management import call_command
    from allauth.account.models import EmailAddress

    call_command("migrate", verbosity=0)
    for name, address in [("ada", "ada@example.com")] + [
        (f"rosa{browser}", f"rosa{browser}+clerk_test@example.com") for browser in range(8)
    ]:
        user = User.objects.create_user(name, address, "walk-right-in-42")
        EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
