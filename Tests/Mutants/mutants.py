#!/usr/bin/env python3
"""Removes the guards of the requirements, one after another, and checks that the tests that name them notice (S36).

    make mutants                                            all of them: half an hour and more
    make mutants ARGS="--only S15"                          those of one requirement, or with a word in their guards
    python3 -B Tests/Mutants/mutants.py --small             no build: each text occurs once, and each test, as CI does

The sources are copied to `.build/mutants`, never changed in place. There the rooms are built with one text replaced by
another, and the test that names the requirement must fail, having passed before. A mutant that does not build proves
nothing and counts as not noticed. A table is printed at the end; exits with 1 if anything is wrong.
"""

import argparse
import filecmp
import os
import re
import shutil
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

MAIN = Path(__file__).resolve().parents[2]
# A copy elsewhere may have been built for something else before.
COPY = Path(os.environ.get("VESTIBULE_MUTANTS", MAIN / ".build/mutants"))
COPIED = ("Package.swift", "Package.resolved", "Sources", "Tests", "Public", "templates", ".packaging")
SECONDS = 1200


@dataclass(frozen=True)
class Mutant:
    requirement: str
    # What is no longer done.
    guard: str
    # The file below Sources, and the text there that is replaced.
    file: str
    text: str
    by: str
    # The file below Tests, its suite and function.
    test: str
    suite: str
    function: str

    @property
    def room(self):
        return self.test.split("/")[0].removesuffix("Tests")

    @property
    def filter(self):
        return rf"^{self.room}Tests\.{self.suite}/{self.function}\("

    @property
    def source(self):
        return COPY / "Sources" / self.file


FRAMING = ("MicroHTTPServer/RequestHead.swift",)
MALFORMED = ("MicroHTTPServerTests/MalformedRequestTests.swift", "MalformedRequestTests", "refused")
FORGED = ("SiteTests/Forgery/ForgedFormTests.swift", "ForgedFormTests", "forged")
FOREIGN = (*FORGED[:2], "foreignWorld")
RETURNED = ("SiteTests/Routing/ReturnAddressTests.swift", "ReturnAddressTests", "refuses")
UNLISTED = ("HTTPExchangeTests/AddressTests.swift", "AddressTests", "refuses")
INERT = ("PagesTests/EscapingTests.swift", "EscapingTests", "inert")
GUESSES = ("EmulatorsTests/Clerk/SignIn/CodeSignInTests.swift", "CodeSignInTests", "parallelGuesses")
WORLDS = ("EmulatorsTests/Worlds/WorldsTests.swift", "WorldsTests")
ESCAPING = "Pages/Rendering/Escaping.swift"
CODES = "Emulators/Clerk/ClerkTransaction.swift"

# Room by room, so that little is built anew; HTTPExchange, on which most depends, comes last.
MUTANTS = [
    Mutant(
        "S1", "length and encoding at once are refused", *FRAMING,
        "    guard lengths.isEmpty || encodings.isEmpty else { throw .lengthAndEncoding }\n", "", *MALFORMED,
    ),
    Mutant(
        "S1", "a second length is refused", *FRAMING,
        "    guard lengths.count <= 1 else { throw .contentLengthRepeated }\n", "", *MALFORMED,
    ),
    Mutant(
        "S1", "a second encoding is refused", *FRAMING,
        "    guard encodings.count <= 1 else { throw .transferEncodingRepeated }\n", "", *MALFORMED,
    ),
    Mutant(
        "S1", "an encoding other than chunked is refused", *FRAMING,
        '      guard encoding == "chunked" else { throw .transferEncodingUnknown }\n', "", *MALFORMED,
    ),
    Mutant(
        "S1", "a folded line is refused", *FRAMING,
        "      guard field.isOneLine else { throw .fieldLineFolded }\n", "", *MALFORMED,
    ),
    Mutant(
        "S2", "a second Host is refused", *FRAMING,
        "    guard self.fields.values(of: .host).count == 1 else { throw .hostNotExactlyOne }\n", "", *MALFORMED,
    ),
    Mutant(
        "S2", "a target that does not begin with one slash is refused", *FRAMING,
        "target.first == slash, target.dropFirst().first != slash", "target.first == slash", *MALFORMED,
    ),
    Mutant(
        "S17", "< is escaped", ESCAPING,
        """case UInt8(ascii: "<"): bytes.append("&lt;")""", """case UInt8(ascii: "<"): bytes.append("<")""", *INERT,
    ),
    Mutant(
        "S17", "a quote is escaped", ESCAPING,
        'bytes.append("&quot;")', 'bytes.append("\\"")', *INERT,
    ),
    Mutant(
        "S17", "a message is cut", "Pages/Messages/ReasonWords.swift",
        "return .english(Self.cut(sentences))", "return .english(sentences)", INERT[0], INERT[1], "cut",
    ),
    Mutant(
        "S2", "the page's listener looks at Host", "Site/Edge/Edge.swift",
        "guard hosts.admits(request) else", "guard request.target.hasPrefix(\"/\") else",
        "SiteTests/Answers/CheckOrderTests.swift", "CheckOrderTests", "host",
    ),
    Mutant(
        "S14", "a form of another origin is refused", "Site/Gate/Gate.swift",
        "    guard origins.admits(context.request) else { return .forged(.originRefused) }\n", "", *FORGED,
    ),
    Mutant(
        "S14", "a form without a token of ours is refused", "Site/Gate/Gate.swift",
        "case (.forged, _): return .forged(.formTokenInvalid)", "case (.forged, _): return .genuine(token: token)", *FORGED,
    ),
    Mutant(
        "S14", "Sec-Fetch-Site is looked at", "Site/Gate/OriginGuard.swift",
        '.allSatisfy { $0 == "same-origin" }', ".count < 2", *FORGED,
    ),
    Mutant(
        "S14", "a second Origin is refused", "HTTPExchange/RequestOrigin.swift", "guard origins.count == 1, let", "guard let", *FORGED,
    ),
    Mutant(
        "S32", "a form of another site makes no world", "Site/Gate/OriginGuard.swift",
        "request.isPartOfForeignPage || !own.admit(request)", "request.isPartOfForeignPage", *FOREIGN,
    ),
    Mutant(
        "S14", "a token is bound to the visit", "Site/Gate/FormTokens.swift",
        "text += visitID.utf8", "", *FORGED,
    ),
    Mutant(
        "S14", "a token is bound to its form", "Site/Gate/FormTokens.swift",
        "text += action.path.utf8", "", *FORGED,
    ),
    Mutant(
        "S15", "two slashes are not a path", "Site/Edge/ReturnAddresses.swift",
        'guard !address.hasPrefix("//") else', "guard !address.isEmpty else", *RETURNED,
    ),
    Mutant(
        "S15", "characters that parsers read in two ways are refused", "Site/Edge/ReturnAddresses.swift",
        "guard text.utf8.allSatisfy(isUnambiguous) else", "guard !text.isEmpty else", *RETURNED,
    ),
    Mutant(
        "S15", "another origin must be on the list", "Site/Edge/ReturnAddresses.swift",
        "guard allowedOrigins.contains(origin) else", "guard !origin.isEmpty else", *RETURNED,
    ),
    Mutant(
        "S28", "a person is logged as a keyed hash", "Site/EventLog.swift",
        "return Base64URL.text(of: Array(code).prefix(6))", "return identifier + Base64URL.text(of: Array(code).prefix(6))",
        "SiteTests/LogTests.swift", "LogTests", "canaries",
    ),
    Mutant(
        "S20", "no more tries than the instance allows", CODES,
        """      guard verification.status != .failed, verification.attemptCount < settings.codeAttempts
      else { throw ClerkRefusal.verificationFailed }
""", "", *GUESSES,
    ),
    Mutant(
        "S20", "a try is committed before the code is looked at", "Emulators/Calls/CallTransaction.swift",
        "    throw Interruption.tryCounted(verificationID: verificationID)\n", "", *WORLDS, "countedBeforeCompared",
    ),
    Mutant(
        "S20", "no more tries of Entra's codes than the instance allows", "Emulators/Entra/Flow/EntraTransaction+Codes.swift",
        "    if !hasCountedTry(of: code.id), code.tryCount >= settings.codeAttempts { return false }\n", "",
        "EmulatorsTests/Entra/Flow/EntraContinuationTests.swift", "EntraContinuationTests", "guesses",
    ),
    Mutant(
        "S25", "every commit is synced", "Emulators/Storage/Database.swift",
        '        try db.execute(sql: "PRAGMA synchronous = FULL")\n', "", *WORLDS, "pragmas",
    ),
    Mutant(
        "S25", "the database is checked at the start", "Emulators/Storage/Database.swift",
        'guard findings == ["ok"] else', "guard !findings.isEmpty else", *WORLDS, "garbled",
    ),
    Mutant(
        "S25", "a failed write is a 503", "Emulators/Clerk/ClerkEmulator.swift",
        "case .worldUnavailable, .storageFailed: .failed(503,", "case .worldUnavailable, .storageFailed: .failed(500,",
        *WORLDS, "writeError",
    ),
    Mutant(
        "S28", "a secret shows a mirror nothing", "AuthFlow/Vocabulary/Redacted.swift",
        "CustomDebugStringConvertible, CustomReflectable {", "CustomDebugStringConvertible {",
        "AuthFlowTests/Vocabulary/VocabularyTests.swift", "SecretTests", "placeholders",
    ),
    Mutant(
        "S17", "text outside templates is escaped", "HTTPExchange/HTMLText.swift",
        'bytes += "&lt;".utf8', 'bytes += "<".utf8', "HTTPExchangeTests/EncodingTests.swift", "EncodingTests", "html",
    ),
    Mutant(
        "S2", "a Host that comes twice is not on the list", "HTTPExchange/HostPolicy.swift",
        "return hosts.count == 1 ? hosts.first : nil", "return hosts.first", *UNLISTED,
    ),
    Mutant(
        "S2", "a world has a name", "HTTPExchange/HostPolicy.swift",
        "label(of: host).flatMap { WorldName($0) } != nil", "label(of: host) != nil", *UNLISTED,
    ),
]


def flaws(mutant):
    """What keeps a mutant from being made, or its test from being found."""
    path = MAIN / "Sources" / mutant.file
    count = path.read_text().count(mutant.text) if path.exists() else 0
    if count != 1:
        yield f"{mutant.requirement}, {mutant.guard}: its text occurs {count} times in Sources/{mutant.file}"
    test = MAIN / "Tests" / mutant.test
    text = test.read_text() if test.exists() else ""
    if not re.search(rf"^(@Suite )?struct {mutant.suite}\b", text, re.MULTILINE):
        yield f"{mutant.requirement}, {mutant.guard}: no {mutant.suite} in Tests/{mutant.test}"
        return
    declared = re.search(rf'@Test\(\s*"([^"]*)"(?:(?!@Test).)*?func {mutant.function}\(', text, re.DOTALL)
    named = re.search(rf'@Suite\("([^"]*)"\)\s+struct {mutant.suite}\b', text)
    names = " ".join(found[1] for found in (declared, named) if found)
    if not declared or not re.search(rf"\b{mutant.requirement}\b", names):
        yield f"{mutant.requirement}, {mutant.guard}: {mutant.suite}.{mutant.function} does not name the requirement"


def copy():
    """Brings the copy up to date, and leaves unchanged files alone, so that they are not built again."""
    COPY.mkdir(parents=True, exist_ok=True)
    for name in COPIED:
        source = MAIN / name
        if not source.exists():
            continue
        paths = [path for path in source.rglob("*") if path.is_file()] if source.is_dir() else [source]
        paths = [path for path in paths if "Examples" not in path.relative_to(MAIN).parts[:2] and "__pycache__" not in path.parts]
        for path in paths:
            target = COPY / path.relative_to(MAIN)
            if not target.exists() or not filecmp.cmp(path, target, shallow=False):
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(path, target)
        wanted = {COPY / path.relative_to(MAIN) for path in paths}
        for path in (COPY / name).rglob("*") if source.is_dir() else ():
            if path.is_file() and path not in wanted:
                path.unlink()


def swift(rooms, *arguments):
    environment = os.environ | {"VESTIBULE_ROOM": rooms}
    return subprocess.run(
        ["nice", "-n", "5", "swift", *arguments], cwd=COPY, env=environment, timeout=SECONDS,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
    )


def build(rooms):
    return swift(rooms, "build", "--build-tests")


def passes(rooms, mutants):
    """Whether the tests of all of them pass, and are there."""
    ran = swift(
        rooms, "test", "--skip-build", "--disable-xctest",
        "--filter", "|".join(sorted({mutant.filter for mutant in mutants})),
    )
    if "unexpected signal" in ran.stdout:
        return False
    counted = re.search(r"Test run with (\d+) tests?", ran.stdout)
    if not counted or int(counted[1]) < len({mutant.filter for mutant in mutants}):
        raise SystemExit(f"the tests could not be run:\n{ran.stdout[-2000:]}")
    return ran.returncode == 0


def noticed(rooms, mutant):
    original = mutant.source.read_text()
    mutant.source.write_text(original.replace(mutant.text, mutant.by))
    try:
        built = build(rooms)
        if built.returncode:
            print(built.stdout[-2000:])
            return "does not build"
        return "not noticed" if passes(rooms, [mutant]) else "noticed"
    except subprocess.TimeoutExpired:
        return "took too long"
    finally:
        mutant.source.write_text(original)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--small", action="store_true", help="build nothing")
    parser.add_argument("--only", default="", help="a requirement, or a word in what is removed")
    parser.add_argument("--rooms", help="build these at once, instead of one room after the other")
    arguments = parser.parse_args()
    chosen = [mutant for mutant in MUTANTS if arguments.only == mutant.requirement or arguments.only in mutant.guard]
    found = [flaw for mutant in chosen for flaw in flaws(mutant)]
    if found or not chosen:
        sys.exit("\n".join(found) or "no such mutant")
    requirements = sorted({mutant.requirement for mutant in chosen}, key=lambda id: int(id[1:]))
    told = f"mutants: {len(chosen)} guards of {', '.join(requirements)}"
    if arguments.small:
        print(f"{told}: each can be removed, and the test that names it is there: ok")
        return
    copy()
    results = {}
    for room in dict.fromkeys(mutant.room for mutant in chosen):
        mutants = [mutant for mutant in chosen if mutant.room == room]
        rooms = arguments.rooms or room
        # It is the build plan of other rooms.
        (COPY / ".build/debug.yaml").unlink(missing_ok=True)
        built = build(rooms)
        if built.returncode:
            sys.exit(f"{room} does not build as it is:\n{built.stdout[-3000:]}")
        if not passes(rooms, mutants):
            sys.exit(f"the tests of {room} fail as it is")
        for mutant in mutants:
            begin = time.monotonic()
            results[mutant] = noticed(rooms, mutant)
            print(
                f"{mutant.requirement:<4}{mutant.guard:<60}{mutant.suite}.{mutant.function:<24}{results[mutant]}"
                f" ({time.monotonic() - begin:.0f} s)",
                flush=True,
            )
    missed = [mutant for mutant in chosen if results[mutant] != "noticed"]
    noticed_count = len(chosen) - len(missed)
    print(f"{told}, {noticed_count} noticed: {'failed' if missed else 'ok'}")
    sys.exit(1 if missed else 0)


if __name__ == "__main__":
    main()
