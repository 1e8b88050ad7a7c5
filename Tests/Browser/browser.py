"""Where Chromium is."""

import shutil

# The one that has no window is the quicker; what it draws is the same.
NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")


def executable():
    path = next(filter(None, map(shutil.which, NAMES)), None)
    assert path, "Chromium is missing: apt-get install chromium-headless-shell"
    return path
