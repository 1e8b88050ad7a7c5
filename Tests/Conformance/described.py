"""Compares the program's own description, /backstage/api/openapi.json, with the journeys.

Usage: python3 Tests/Conformance/described.py RECORDS PROGRAM

RECORDS is a folder of *.jsonl files that the journeys wrote (VESTIBULE_RECORD), PROGRAM the built
vestibule, which is asked for its description. That must be OpenAPI 3.1; every answer must match it, and
so must every request that is not refused; and every operation must occur. It ends with a line like

    9120 answers, 90 operations, 0 violations

Exit status: 0 without violations, 1 otherwise.
"""

import subprocess
import sys
from pathlib import Path

from conformance import FOLDER, HERE, CannotRun, prepared_python


def main() -> int:
    if len(sys.argv) != 3:
        print(__doc__)
        return 64
    try:
        FOLDER.mkdir(parents=True, exist_ok=True)
        python = prepared_python()
    except (CannotRun, OSError) as error:
        print(f"The program's description could not be checked: {error}", file=sys.stderr)
        return 1
    return subprocess.run([str(python), "-B", str(HERE / "answers.py"), *sys.argv[1:]]).returncode


if __name__ == "__main__":
    sys.exit(main())
