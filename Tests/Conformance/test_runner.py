"""Tries each way in which the conformance suite cannot run: what it says, and how it exits.

Usage: python3 Tests/Conformance/test_runner.py
"""

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

sys.dont_write_bytecode = True

import description

HERE = Path(__file__).resolve().parent
NOTHING_COMPARED = "The conformance suite did not run, nothing was compared: "
COULD_NOT_RUN = "The conformance suite could not run: "


class RunnerTests(unittest.TestCase):
    """The runner as a program, in its own copy of the project."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.project = Path(folder.name) / "project"
        shutil.copytree(HERE, self.project / "Tests" / "Conformance",
                        ignore=shutil.ignore_patterns("__pycache__"))

    def run_suite(self, **environment):
        """Without a network: every request goes to a proxy that is not there."""
        inherited = {name: value for name, value in os.environ.items()
                     if name in ("PATH", "HOME", "LANG", "TMPDIR")}
        nowhere = "http://127.0.0.1:9"
        return subprocess.run(
            [sys.executable, "Tests/Conformance/conformance.py", "records", "vestibule"],
            cwd=self.project, capture_output=True, text=True, timeout=120,
            env=inherited | {"https_proxy": nowhere, "http_proxy": nowhere} | environment,
        )

    def describe_beside(self, text: str) -> Path:
        path = self.project.parent / "shared" / "conformance" / description.NAME
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def assert_fails(self, done, *words: str):
        self.assertEqual(done.returncode, 1, done)
        lines = done.stderr.strip().splitlines()
        self.assertEqual(len(lines), 1, done.stderr)
        self.assertTrue(lines[0].startswith(COULD_NOT_RUN), lines[0])
        for word in words:
            self.assertIn(word, lines[0])

    def test_no_description_and_no_network(self):
        done = self.run_suite()
        self.assertEqual(done.returncode, 0, done)
        self.assertTrue(done.stdout.startswith(NOTHING_COMPARED + description.URL), done.stdout)
        self.assertIn("CLERK_OPENAPI", done.stdout)
        self.assertEqual(done.stderr, "")

    def test_required_without_a_description(self):
        done = self.run_suite(VESTIBULE_CONFORMANCE="required")
        self.assert_fails(done, description.URL, "cannot be read")

    def test_named_file_is_missing(self):
        done = self.run_suite(CLERK_OPENAPI="/nowhere/clerk.yml")
        self.assert_fails(done, "CLERK_OPENAPI names no file: /nowhere/clerk.yml")

    def test_shared_folder_of_something_else(self):
        (self.project.parent / "shared" / "conformance").mkdir(parents=True)
        done = self.run_suite()
        self.assertEqual(done.returncode, 0, done)
        self.assertTrue(done.stdout.startswith(NOTHING_COMPARED + description.URL), done.stdout)

    def test_another_file_beside_the_project(self):
        self.describe_beside("openapi: 3.0.3\n")
        self.assert_fails(self.run_suite(), description.NAME, "SHA-256 differs")

    def test_no_virtual_environment(self):
        # A module that hides Python's own, as if python3-venv were missing.
        broken = self.project.parent / "broken"
        broken.mkdir()
        (broken / "venv.py").write_text('import sys\nsys.exit("ensurepip is not available")\n')
        named = self.project / "description.yml"
        named.write_text("openapi: 3.0.3\n")
        done = self.run_suite(CLERK_OPENAPI=str(named), PYTHONPATH=str(broken))
        self.assert_fails(done, "the virtual environment cannot be made", "ensurepip is not available")

    def test_packages_cannot_be_had(self):
        named = self.project / "description.yml"
        named.write_text("openapi: 3.0.3\n")
        done = self.run_suite(CLERK_OPENAPI=str(named), PIP_NO_INDEX="1", PIP_CONFIG_FILE=os.devnull)
        self.assert_fails(done, "the packages of Tests/Conformance/requirements.txt cannot be made")

    def test_usage(self):
        done = subprocess.run(
            [sys.executable, "Tests/Conformance/conformance.py"],
            cwd=self.project, capture_output=True, text=True,
        )
        self.assertEqual(done.returncode, 64)
        self.assertIn("Usage: ", done.stdout)


class DescriptionTests(unittest.TestCase):
    """Where the description is taken from."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name) / "project"
        self.cache = self.root / "cache"

    def find(self, data: bytes = b"", environment=None):
        return description.find(self.root, self.cache, environment or {}, lambda: data)

    def test_download_with_another_sum(self):
        with self.assertRaisesRegex(description.Missing, "SHA-256 differs"):
            self.find(b"openapi: 3.0.3")
        self.assertFalse((self.cache / description.NAME).exists())

    def test_download_is_kept(self):
        data = b"the pinned file"
        with mock.patch.object(description, "SHA256", hashlib.sha256(data).hexdigest()):
            path, origin = self.find(data)
            self.assertEqual(path.read_bytes(), data)
            self.assertIn(description.COMMIT[:12], origin)
            # It is not downloaded again, unless it was damaged.
            self.assertEqual(self.find(b"another")[0].read_bytes(), data)
            path.write_bytes(b"spoilt")
            self.assertEqual(self.find(data)[0].read_bytes(), data)

    def test_named_file_may_be_another_version(self):
        self.root.mkdir()
        named = self.root / "other.yml"
        named.write_text("openapi: 3.1.0\n")
        path, origin = self.find(environment={"CLERK_OPENAPI": str(named)})
        self.assertEqual(path, named.resolve())
        self.assertIn("not the pinned version", origin)


if __name__ == "__main__":
    unittest.main()
