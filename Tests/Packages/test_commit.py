"""Versions of packages: by their commit, and as apt understands them."""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from roots import AS_ROOT, PROGRAM, PROJECT, add_libraries, run

from commit import commit_of

NOON = 1_795_953_600
FORGED = ("-c", "user.name=Ada", "-c", "user.email=ada@example.com", "-c", "commit.gpgsign=false")


def commit(project, moment):
    """Commits everything as it is, with that second as the time."""
    run("git", "-C", project, "add", "--all")
    run("env", f"GIT_COMMITTER_DATE={moment} +0900", "git", "-C", project, *FORGED, "commit", "--quiet", "--allow-empty",
        "--message", "Go on")
    return run("git", "-C", project, "rev-parse", "HEAD").strip()


def sorted_by_dpkg(*versions):
    return all(subprocess.run(["dpkg", "--compare-versions", before, "lt", after]).returncode == 0
               for before, after in zip(versions, versions[1:]))


class VersionTests(unittest.TestCase):
    """The versions of packages of a small project, whose program has the version 0.1.0."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.project, self.program = Path(folder.name, "project"), Path(folder.name, "program")
        self.project.mkdir()
        Path(self.project, "file").write_text("as it was\n")
        self.program.touch()
        self.built(NOON - 60)

    def built(self, moment):
        os.utime(self.program, (moment, moment))

    def begin(self):
        run("git", "init", "--quiet", self.project)
        return commit(self.project, NOON)

    def version(self):
        return commit_of(self.project, "0.1.0", self.program).version("0.1.0")

    def test_a_commit_sorts_after_its_parent_and_before_the_release(self):
        first = self.begin()
        before = self.version()
        self.assertEqual(before, f"0.1.0~20261129120000.{first[:12]}")
        commit(self.project, NOON + 1)
        self.assertTrue(sorted_by_dpkg("0.0.9", before, self.version(), "0.1.0~rc1", "0.1.0"))

    def test_names_the_commit_whenever_it_is_packed(self):
        name = self.begin()
        before = commit_of(self.project, "0.1.0", self.program)
        self.built(NOON + 3600)
        self.assertEqual(commit_of(self.project, "0.1.0", self.program), before)
        self.assertEqual((before.hash, before.moment), (name, NOON))

    def test_a_tagged_commit_is_the_release(self):
        self.begin()
        for tag in ("0.1.0", "v0.1.0"):
            run("git", "-C", self.project, *FORGED, "tag", "--annotate", "--message", tag, tag)
            self.assertEqual(self.version(), "0.1.0")
            run("git", "-C", self.project, "tag", "--delete", tag)
        run("git", "-C", self.project, "tag", "v0.0.9")
        self.assertRegex(self.version(), "^0.1.0~")

    def test_what_follows_a_release_sorts_after_it_until_the_next_is_named(self):
        self.begin()
        run("git", "-C", self.project, "tag", "v0.1.0")
        Path(self.project, "file").write_text("changed\n")
        changed = self.version()
        commit(self.project, NOON + 1)
        self.assertTrue(sorted_by_dpkg("0.1.0", changed, self.version(), "0.1.1~20261129120002"))

    def test_changed_files_sort_after_their_commit_by_the_time_of_the_program(self):
        name = self.begin()
        before = self.version()
        Path(self.project, "file").write_text("changed\n")
        early = self.version()
        self.assertEqual(early, f"0.1.0~20261129120000.{name[:12]}+")
        self.built(NOON + 1)
        self.assertTrue(sorted_by_dpkg(before, early, self.version(), "0.1.0"))
        self.assertEqual(commit_of(self.project, "0.1.0", self.program).hash, f"{name}+")

    def test_without_git_the_time_is_the_programs(self):
        self.assertEqual(self.version(), "0.1.0~20261129115900")
        self.assertIsNone(commit_of(self.project, "0.1.0", self.program).hash)


class UpgradeTests(unittest.TestCase):
    """Packages of two commits, installed by apt one over the other, on a system that has this one's packages."""

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = Path(folder.name)
        cls.root = cls.folder / "root"
        database = cls.root / "var/lib/dpkg"
        for name in ("info", "updates", "triggers"):
            (database / name).mkdir(parents=True)
        installed = Path("/var/lib/dpkg/status").read_text().split("\n\n")
        (database / "status").write_text("\n\n".join(each for each in installed if "Package: vestibule\n" not in each))
        add_libraries(cls.root)
        # Without this system's own settings, and without the network.
        (cls.folder / "apt.conf").write_text(f"""
            Dir "{cls.folder}/apt"; Dir::Etc::parts "none"; Dir::State::status "{database}/status";
            APT::Sandbox::User "root"; DPkg::Options {{ "--root={cls.root}"; "--force-script-chrootless"; }};
            """)
        for name in ("apt/etc/apt/preferences.d", "apt/var/lib/apt/lists/partial", "apt/var/cache/apt/archives/partial", "apt/var/log/apt"):
            (cls.folder / name).mkdir(parents=True)
        cls.project = cls.folder / "project"
        shutil.copytree(PROJECT, cls.project, symlinks=True, ignore=shutil.ignore_patterns(".git", ".build*", "__pycache__"))
        run("git", "init", "--quiet", cls.project)

    def packed(self):
        said = run(sys.executable, "-B", self.project / ".packaging/make.py", "deb",
                   "--program", PROGRAM, "--out", self.folder / "made", "--quick")
        return Path(re.match(r"(.+) \(", said)[1])

    def apt_install(self, package):
        """As README says, with every question answered by yes."""
        return run(*AS_ROOT, "env", f"APT_CONFIG={self.folder}/apt.conf", "apt-get", "--yes", "install",
                   f"./{package.name}", cwd=package.parent)

    def installed(self):
        return run("dpkg-query", f"--admindir={self.root}/var/lib/dpkg", "--show", "--showformat", "${Version}", "vestibule")

    def test_apt_installs_a_newer_commit_over_an_older_one(self):
        version = run(PROGRAM, "--version").split()[1]
        first = commit(self.project, NOON)
        self.apt_install(self.packed())
        self.assertEqual(self.installed(), f"{version}~20261129120000.{first[:12]}-1")
        (self.project / ".packaging/debian/description").write_text(" Changed.\n")
        second = commit(self.project, NOON + 1)
        said = self.apt_install(self.packed())
        self.assertIn("1 upgraded", said)
        self.assertEqual(self.installed(), f"{version}~20261129120001.{second[:12]}-1")
        self.assertIn("Changed.", (self.root / "var/lib/dpkg/status").read_text())
        run("git", "-C", self.project, "tag", f"v{version}")
        self.assertIn("1 upgraded", self.apt_install(self.packed()))
        self.assertEqual(self.installed(), f"{version}-1")


if __name__ == "__main__":
    unittest.main()
