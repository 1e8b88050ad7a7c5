"""Finds Clerk's OpenAPI description of the Frontend API; it is not part of this repository."""

import hashlib
import http.client
import os
import urllib.error
import urllib.request
from collections.abc import Callable, Mapping
from pathlib import Path

NAME = "clerk-fapi-2026-05-12.yml"
COMMIT = "7987d1b776258d5ddd9163e1a03d256b5ac4d64a"
URL = f"https://raw.githubusercontent.com/clerk/openapi-specs/{COMMIT}/fapi/2026-05-12.yml"
SHA256 = "1b16fc8d2886210d8f23175bd3113e7c20c24fdb408347a1219994d413104c57"


class Missing(Exception):
    """There is no description, and there should be one."""


class Unavailable(Exception):
    """There is no description, and nobody promised one."""


def fetch() -> bytes:
    with urllib.request.urlopen(URL, timeout=30) as answer:
        return answer.read()


def find(
    root: Path,
    cache: Path,
    environment: Mapping[str, str],
    fetch: Callable[[], bytes] = fetch,
) -> tuple[Path, str]:
    """The description's file, and in words where it came from."""
    named = environment.get("CLERK_OPENAPI")
    if named:
        if not Path(named).is_file():
            raise Missing(f"CLERK_OPENAPI names no file: {named}")
        # Whoever names a file may mean another version on purpose.
        version = "" if is_pinned(Path(named).read_bytes()) else ", which is not the pinned version"
        return Path(named).resolve(), f"CLERK_OPENAPI, {named}{version}"
    path = root.parent / "shared" / "conformance" / NAME
    if path.is_file():
        if not is_pinned(path.read_bytes()):
            raise Missing(f"../shared/conformance/{NAME} is not the pinned file: its SHA-256 differs")
        return path, f"../shared/conformance/{NAME}"
    return downloaded(cache / NAME, fetch), f"commit {COMMIT[:12]} of clerk/openapi-specs"


def downloaded(path: Path, fetch: Callable[[], bytes]) -> Path:
    if path.is_file() and is_pinned(path.read_bytes()):
        return path
    try:
        data = fetch()
    except (urllib.error.URLError, http.client.HTTPException, OSError) as error:
        raise Unavailable(f"{URL} cannot be read: {error}") from None
    if not is_pinned(data):
        raise Missing(f"{URL} is not the pinned file: its SHA-256 differs")
    path.parent.mkdir(parents=True, exist_ok=True)
    # Never half a file under that name.
    partial = path.with_suffix(".part")
    partial.write_bytes(data)
    os.replace(partial, path)
    return path


def is_pinned(data: bytes) -> bool:
    return hashlib.sha256(data).hexdigest() == SHA256
