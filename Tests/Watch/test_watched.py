"""What is reported about a watched command, and how it ends.

Usage: python3 -B Tests/Watch/test_watched.py
"""

import os
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

WATCHED = Path(__file__).resolve().parent / "watched.py"


class WatchedTests(unittest.TestCase):
    def watch(self, minutes: str, *command: str, folder: str | None = None) -> subprocess.CompletedProcess:
        return subprocess.run([sys.executable, "-B", str(WATCHED), minutes, *command], cwd=folder,
                              capture_output=True, text=True, timeout=300)

    def test_the_command_s_output_and_end_are_its_own(self):
        done = self.watch("5", "bash", "-c", "echo said; exit 3")
        self.assertEqual((done.returncode, done.stdout, done.stderr), (3, "said\n", ""))
        self.assertEqual(self.watch("5", "bash", "-c", "kill -KILL $$").returncode, 128 + signal.SIGKILL)

    def test_what_does_not_end_is_told_and_ended(self):
        with tempfile.TemporaryDirectory() as folder:
            # Like what is built here: a program in the folder, started by another one.
            script = 'cp "$(command -v sleep)" waits; ./waits 600 & echo $! > id; wait'
            done = self.watch("0.02", "bash", "-euc", script, folder=folder)
            identifier = int((Path(folder) / "id").read_text())
        self.assertEqual(done.returncode, 124, done)
        self.assertIn("has not ended within 0.02 minutes", done.stdout)
        self.assertRegex(done.stdout, rf"\n{identifier}, for \d+ s: \./waits 600")
        self.assertRegex(done.stdout, r"TID \d+:\n|eu-stack would tell")
        end = time.monotonic() + 60
        while (is_running := runs(identifier)) and time.monotonic() < end:
            os.sched_yield()
        self.assertFalse(is_running)


def runs(identifier: int) -> bool:
    """Whether it is running; not if it has ended and only its status is still to be collected (`Z`)."""
    try:
        return Path(f"/proc/{identifier}/stat").read_text().rpartition(")")[2].split()[0] not in "XZ"
    except OSError:
        return False


if __name__ == "__main__":
    unittest.main()
