"""Where Chromium is."""

import shutil

# The one without a window is faster, and draws the same.
NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")


def executable():
    return found(NAMES)


def with_developer_tools():
    """The whole browser: the one without a window lacks them."""
    return found(NAMES[1:])


def found(names):
    path = next(filter(None, map(shutil.which, names)), None)
    assert path, f"Chromium is missing: apt-get install {names[0]}"
    return path
