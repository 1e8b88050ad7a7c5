"""The peer: django-allauth with its own pages, sessions and SQLite; one account, `ada`."""

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
    ACCOUNT_EMAIL_VERIFICATION="none",
    ACCOUNT_RATE_LIMITS=False,
    LOGIN_REDIRECT_URL="/accounts/email/",
    EMAIL_BACKEND="django.core.mail.backends.dummy.EmailBackend",
)
django.setup()

from django.core.wsgi import get_wsgi_application  # noqa: E402
from django.urls import include, path  # noqa: E402

urlpatterns = [path("accounts/", include("allauth.urls"))]
application = get_wsgi_application()

if __name__ == "__main__":
    from django.contrib.auth.models import User
    from django.core.management import call_command
    from allauth.account.models import EmailAddress

    call_command("migrate", verbosity=0)
    ada = User.objects.create_user("ada", "ada@example.com", "walk-right-in-42")
    EmailAddress.objects.create(user=ada, email=ada.email, verified=True, primary=True)
