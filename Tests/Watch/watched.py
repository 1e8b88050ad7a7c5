"""Runs a command; if it does not end, prints where each of its processes is, and ends them.

Usage: python3 -B Tests/Watch/watched.py MINUTES COMMAND [ARGUMENT ...]

Exits as the command does, with 128 plus the number of the signal that ended it, or with 124 once the time is over, as
timeout(1) does. The stacks of the programs that were built here are printed if elfutils is installed.
"""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

STACK_SECONDS = 60


def main() -> int:
    minutes, command = float(sys.argv[1]), sys.argv[2:]
    process = subprocess.Popen(command)
    # A signal that is typed at the terminal also reaches the command; one that is sent reaches only us.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, lambda number, _: process.send_signal(number))
    try:
        status = process.wait(minutes * 60)
        return status if status >= 0 else 128 - status
    except subprocess.TimeoutExpired:
        print(f"\n{' '.join(command)}\nhas not ended within {minutes:g} minutes. Still running:", flush=True)
        running = with_descendants(process.pid)
        for identifier in running:
            tell(identifier)
        for identifier in running:
            end(identifier)
        process.wait()
        return 124


def with_descendants(identifier: int) -> list[int]:
    parents = {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            # Its name, which comes before in brackets, may have blanks and brackets.
            parent = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
        except OSError:
            continue
        parents.setdefault(parent, []).append(int(folder.name))
    found = [identifier]
    for one in found:
        found += parents.get(one, [])
    return found


def tell(identifier: int):
    folder = Path(f"/proc/{identifier}")
    try:
        age = time.clock_gettime(time.CLOCK_BOOTTIME) - started(folder)
        words = (folder / "cmdline").read_bytes().decode(errors="replace").split("\0")
        print(f"\n{identifier}, for {age:.0f} s: {' '.join(words)}", flush=True)
        is_ours = Path.cwd() in Path(os.readlink(folder / "exe")).parents
    except OSError:
        return
    if is_ours:
        try:
            subprocess.run(["eu-stack", "-p", str(identifier)], timeout=STACK_SECONDS, stderr=subprocess.STDOUT)
        except FileNotFoundError:
            print("eu-stack would tell where its threads are (elfutils).", flush=True)
        except subprocess.TimeoutExpired:
            print("eu-stack did not find out in time where its threads are.", flush=True)


def started(folder: Path) -> float:
    """In seconds since the machine was started."""
    ticks = int((folder / "stat").read_text().rpartition(")")[2].split()[19])
    return ticks / os.sysconf("SC_CLK_TCK")


def end(identifier: int):
    try:
        os.kill(identifier, signal.SIGKILL)
    except ProcessLookupError:
        pass


if __name__ == "__main__":
    sys.exit(main())
