"""The suite itself; conformance.py starts it with the packages that it needs."""

import json
import sys
from collections import Counter
from pathlib import Path

import exercise
import operations
from checks import Checker
from endpoints import ENDPOINTS
from openapi import Description

SHOWN_VIOLATIONS = 40


def main() -> int:
    path, records_folder, program = (Path(argument) for argument in sys.argv[1:4])
    api = Description(path.read_text(encoding="utf-8"))
    checker = Checker(api)
    records = read(records_folder)
    if not records:
        print(f"The journeys left no record in {records_folder}", file=sys.stderr)
        return 1
    for record in records:
        checker.check(record)
    played, unplayed = exercise.records(program)
    for record in played:
        checker.check(record)
    failures = checker.violations + unplayed
    failures += checker.planted_faults_that_were_missed(records)
    missing = [name for name in ENDPOINTS if name not in checker.endpoints]
    failures += [f"never answered: {name}" for name in missing]
    failures += operations.brought_up_to_date(api.document)
    report(failures, checker)
    return 1 if failures else 0


def read(folder: Path) -> list[dict]:
    return [
        json.loads(line)
        for path in sorted(folder.glob("*.jsonl"))
        for line in path.read_text(encoding="utf-8").splitlines()
    ]


def report(failures: list[str], checker: Checker) -> None:
    counts = Counter(failures)
    for failure, count in list(counts.items())[:SHOWN_VIOLATIONS]:
        print(f"  {failure}" + (f" ({count} times)" if count > 1 else ""))
    if len(counts) > SHOWN_VIOLATIONS:
        print(f"  … and {len(counts) - SHOWN_VIOLATIONS} more")
    for quirk, count in checker.quirk_counts.items():
        print(f"  quirk, {count} times: {quirk}")
    print(
        f"{checker.answer_count} answers, {len(checker.endpoints)} endpoints,"
        f" {len(checker.schema_names)} schemas, {len(failures)} violations"
    )


if __name__ == "__main__":
    sys.exit(main())
