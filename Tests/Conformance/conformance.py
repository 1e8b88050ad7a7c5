"""Compares the emulated Frontend API, and the client that asks it, with Clerk's own description.

Usage: python3 Tests/Conformance/conformance.py RECORDS PROGRAM

RECORDS is a folder of *.jsonl files that the journeys wrote (VESTIBULE_RECORD), PROGRAM the built
vestibule. The suite adds scripts for the endpoints that no journey reaches, validates every answer
and every request, and ends with a line like

    412 answers, 61 endpoints, 38 schemas, 0 violations

Exit status: 0 without violations, or if no description is available and none is required; 1 otherwise.
With VESTIBULE_CONFORMANCE=required, as in .ci/run, a comparison that could not be made is a failure.
Tests/Conformance/test_runner.py tries each reason why it cannot run.
"""

import hashlib
import os
import subprocess
import sys
from pathlib import Path

import description

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
FOLDER = ROOT / ".build" / "conformance"


class CannotRun(Exception):
    """The suite cannot be set up: a fault of the environment, reported in one line."""


def prepared_python() -> Path:
    """The interpreter of a virtual environment that has what requirements.txt names."""
    requirements = HERE / "requirements.txt"
    wanted = hashlib.sha256(requirements.read_bytes() + sys.version.encode()).hexdigest()
    folder = FOLDER / "python"
    python = folder / "bin" / "python3"
    mark = folder / "requirements.sha256"
    if python.exists() and mark.exists() and mark.read_text() == wanted:
        return python
    print("Preparing Python for the conformance suite", flush=True)
    run([sys.executable, "-m", "venv", "--clear", str(folder)], "the virtual environment")
    run(
        [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check",
         "--requirement", str(requirements)],
        "the packages of Tests/Conformance/requirements.txt",
    )
    mark.write_text(wanted)
    return python


def run(command: list[str], what: str) -> None:
    try:
        done = subprocess.run(command, capture_output=True, text=True)
    except OSError as error:
        raise CannotRun(f"{what} cannot be made: {error}") from None
    if done.returncode != 0:
        said = (done.stderr.strip() or done.stdout.strip() or "no reason given").splitlines()
        raise CannotRun(f"{what} cannot be made: " + " / ".join(said[-3:]))


def main() -> int:
    if len(sys.argv) != 3:
        print(__doc__)
        return 64
    try:
        # First of all: without it, nothing else is needed.
        path, origin = description.find(ROOT, FOLDER, os.environ)
    except description.Unavailable as reason:
        if os.environ.get("VESTIBULE_CONFORMANCE") == "required":
            print(f"The conformance suite could not run: {reason}", file=sys.stderr)
            return 1
        print(f"The conformance suite did not run, nothing was compared: {reason}.")
        print("Name Clerk's description with CLERK_OPENAPI, or allow the download.")
        return 0
    except (description.Missing, OSError) as reason:
        print(f"The conformance suite could not run: {reason}", file=sys.stderr)
        return 1
    try:
        FOLDER.mkdir(parents=True, exist_ok=True)
        python = prepared_python()
    except (CannotRun, OSError) as error:
        print(f"The conformance suite could not run: {error}", file=sys.stderr)
        return 1
    print(f"Comparing with {origin}", flush=True)
    suite = [str(python), str(HERE / "suite.py"), str(path), *sys.argv[1:]]
    return subprocess.run(suite, env=dict(os.environ, PYTHONDONTWRITEBYTECODE="1")).returncode


if __name__ == "__main__":
    sys.exit(main())
