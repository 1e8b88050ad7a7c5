"""The commit that a package is made of: its time, and a version that sorts by it.

A tagged release has the program's version. Any other commit sorts before that release, or after it once it is tagged, and
after every commit that is older: so a newer build is an upgrade, although the program calls itself the same.
"""

import datetime
import subprocess
from typing import NamedTuple


class Commit(NamedTuple):
    """What is packed, as git knows it."""

    # Seconds since 1970, UTC.
    moment: int
    # None without git; with `+` at its end where a tracked file differs.
    hash: str | None
    # By those tags that it follows or has itself.
    follows_release: bool
    is_release: bool

    @property
    def date(self):
        return datetime.datetime.fromtimestamp(self.moment, datetime.UTC)

    def version(self, version):
        """Of a package, by the program's: `0.1.0`, `0.1.0~20261129153811.b089d28b1d23`."""
        if self.is_release:
            return version
        sign = "+" if self.follows_release else "~"
        return f"{version}{sign}{self.date:%Y%m%d%H%M%S}" + (f".{short(self.hash)}" if self.hash else "")


def short(name):
    """As many digits as the program shows of its own commit."""
    return name[:12] + name[40:]


def commit_of(project, version, program):
    """Of a folder that may be somebody else's, as in a container; without git, what is packed is as old as its program."""
    def git(*command):
        return subprocess.run(["git", "-c", f"safe.directory={project}", *command], cwd=project, check=True,
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout.strip()

    built = int(program.stat().st_mtime)
    try:
        # No names of tags: they would depend on how it was cloned.
        name = git("describe", "--always", "--dirty=+", "--abbrev=40", "--exclude", "*")
        moment = int(git("log", "-1", "--format=%ct"))
        tags = {git("rev-list", "-1", tag) for tag in git("tag", "--merged", "HEAD", "--list", version, f"v{version}").split()}
    except (OSError, subprocess.CalledProcessError):
        return Commit(built, None, False, False)
    # What was changed since belongs to no commit, and is newer than that one: as new as the program.
    return Commit(max(moment, built) if name.endswith("+") else moment, name, bool(tags), name in tags)
