"""Holds the program's own description, /backstage/api/openapi.json, against the journeys.

Usage: python3 Tests/Conformance/described.py RECORDS PROGRAM

RECORDS is a folder of *.jsonl files that the journeys wrote (VESTIBULE_RECORD), PROGRAM the built
vestibule, which is asked for its description. That has to be OpenAPI 3.1; every answer has to be what
it says, as has what was sent where the answer is no refusal; and every operation has to be among
them. It ends with a line like

    9120 answers, 90 operations, 0 violations

Exit status: 0 without violations, else 1.
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
