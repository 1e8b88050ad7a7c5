"""The table of all operations of Clerk's description, and which of them the emulator answers."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
ROUTES = ROOT / "Sources/Emulators/Clerk/ClerkRoute.swift"
TABLE = ROOT / "Sources/Emulators/Emulators.docc/ClerkOperations.md"
METHODS = ("get", "post", "put", "patch", "delete")

HEAD = """\
# Emulated operations of Clerk's Frontend API

Which operations of Clerk's own description the emulator answers; every other one answers 501
`emulator_not_implemented`.

## Overview

`make conformance` writes this page anew from Clerk's OpenAPI description of version 2026-05-12 and from the
emulator's table of routes, and fails where it was not up to date.

"""


def emulated(text: str) -> list[str]:
    """The operations in the emulator's table of routes."""
    return [f"{method} {path}" for method, path in re.findall(r'"([A-Z]+) (/[^" ]+)"', text)]


def described(document: dict) -> list[str]:
    return [
        f"{method.upper()} {path}"
        for path, node in document["paths"].items()
        for method in METHODS
        if method in node
    ]


def shape(operation: str) -> str:
    """The operation whatever its parameters are called, and without a slash at the end."""
    return re.sub(r"\{[^}]+\}", "{}", operation).rstrip("/")


def page(document: dict, routes: str) -> str:
    answered = {shape(operation): operation for operation in emulated(routes)}
    known = {shape(operation) for operation in described(document)}
    rows = []
    count = 0
    for operation in sorted(described(document), key=lambda text: text.split(" ")[::-1]):
        is_emulated = shape(operation) in answered
        count += is_emulated
        rows.append(f"| `{operation}` | {'emulated' if is_emulated else '501'} |")
    others = [f"- `{operation}`" for key, operation in sorted(answered.items()) if key not in known]
    return (
        HEAD
        + f"{count} of {len(rows)} operations are emulated.\n\n"
        + "| operation | |\n|---|---|\n" + "\n".join(rows)
        + "\n\n## Beside the description\n\n"
        + "What SDKs and servers ask besides, and the emulator answers:\n\n"
        + "\n".join(others) + "\n"
    )


def brought_up_to_date(document: dict) -> list[str]:
    """Writes the page if it is stale, and says so."""
    text = page(document, ROUTES.read_text(encoding="utf-8"))
    if TABLE.is_file() and TABLE.read_text(encoding="utf-8") == text:
        return []
    TABLE.write_text(text, encoding="utf-8")
    return [f"{TABLE.relative_to(ROOT)} was not up to date: it has been written again, commit it"]
