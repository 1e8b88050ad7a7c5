"""The commit that a package is made from: its time, and a version that sorts by it.

A tagged release has the program's version. Any other commit sorts before that release, or after it once it is tagged,
and after every older commit. So a newer build is an upgrade, although the program's version is the same.
"""

import datetime
import subprocess
from typing import NamedTuple


class Commit(NamedTuple):
    """The packed commit, as far as git knows it."""

    # Seconds since 1970, UTC.
    moment: int
    # None without git; with `+` at its end if a tracked file differs.
    hash: str | None
    # Whether a tag of the program's version is on an earlier commit or this one, and whether it is on this one.
    follows_release: bool
    is_release: bool

    @property
    def date(self):
        return datetime.datetime.fromtimestamp(self.moment, datetime.UTC)

    def version(self, version):
        """A package's version, from the program's: `0.1.0`, `0.1.0~20261129153811.b089d28b1d23`."""
        if self.is_release:
            return version
        sign = "+" if self.follows_release else "~"
        return f"{version}{sign}{self.date:%Y%m%d%H%M%S}" + (f".{short(self.hash)}" if self.hash else "")


def short(name):
    """The hash with as many digits as the program shows of its own commit."""
    return name[:12] + name[40:]


def commit_of(project, version, program):
    """The commit of a folder, which may belong to somebody else, as in a container.

    Without git, its time is that of the program.
    """
    def git(*command):
        return subprocess.run(["git", "-c", f"safe.directory={project}", *command], cwd=project, check=True,
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout.strip()

    built = int(program.stat().st_mtime)
    try:
        # Without names of tags, which would depend on how the folder was cloned.
        name = git("describe", "--always", "--dirty=+", "--abbrev=40", "--exclude", "*")
        moment = int(git("log", "-1", "--format=%ct"))
        tags = {git("rev-list", "-1", tag) for tag in git("tag", "--merged", "HEAD", "--list", version, f"v{version}").split()}
    except (OSError, subprocess.CalledProcessError):
        return Commit(built, None, False, False)
    # Changes since the commit belong to no commit, and are newer than this one: they count as of the program's time.
    return Commit(max(moment, built) if name.endswith("+") else moment, name, bool(tags), name in tags)
