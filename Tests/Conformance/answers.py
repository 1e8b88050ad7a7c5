"""Validates recorded answers of pages and backstage; described.py starts it with its packages."""

import copy
import json
import os
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path
from urllib.parse import parse_qsl, urlsplit

from jsonschema import Draft202012Validator
from openapi_spec_validator import OpenAPIV31SpecValidator

from openapi import FORM, JSON, leaves
from suite import SHOWN_VIOLATIONS, read

API = "/backstage/api/"
METHODS = ("get", "put", "post", "patch", "delete")
# Asks both ports, and prints their two documents as one array.
ASK = """
import json, os, urllib.request
def ask(base):
    fields = {"X-Vestibule-Backstage": "1"}
    url = base.rstrip("/") + "/backstage/api/openapi.json"
    with urllib.request.urlopen(urllib.request.Request(url, headers=fields)) as answer:
        return json.load(answer)
print(json.dumps([ask(os.environ[name]) for name in ("VESTIBULE_URL", "VESTIBULE_EMULATOR_URL")]))
"""


def documents(program: str) -> list[dict]:
    """The descriptions of a running program: of the pages' port, and of the emulator's own."""
    # The program's variables are its options, and those of the tests would be refused.
    environment = {name: value for name, value in os.environ.items() if not name.startswith("VESTIBULE_")}
    done = subprocess.run(
        [program, "run", "--", sys.executable, "-c", ASK], stdout=subprocess.PIPE, text=True,
        timeout=120, check=True, env=environment,
    )
    return json.loads(done.stdout)


class Operation:
    def __init__(self, method: str, path: str, node: dict):
        self.method, self.path, self.node = method, path, node
        self.name = f"{method.upper()} {path}"
        self.page = node["operationId"].split("-", 1)[1] if node["tags"] == ["pages"] else None
        literal = re.split(r"\{\w+\}", path)
        self.pattern = re.compile("[^/]+".join(map(re.escape, literal)))
        self.literal_count = sum(map(len, literal))


class Checker:
    def __init__(self, document: dict):
        self.document = document
        self.operations = [
            Operation(method, path, node)
            for path, methods in document["paths"].items()
            for method, node in methods.items()
            if method in METHODS
        ]
        self.validators: dict[str, Draft202012Validator] = {}
        self.answer_count = 0
        self.exercised: set[str] = set()
        self.violations: list[str] = []
        self.seen: set[str] = set()

    def missing(self) -> list[str]:
        return [each.name for each in self.operations if each.name not in self.exercised]

    def check(self, record: dict) -> None:
        self.answer_count += 1
        target = urlsplit(record["target"])
        path = "/account" if target.path == "/" else target.path
        here = [each for each in self.operations if each.pattern.fullmatch(path)]
        most = max((each.literal_count for each in here), default=0)
        method = {"HEAD": "get"}.get(record["method"], record["method"].lower())
        operation = next(
            (each for each in here if each.literal_count == most and each.method == method), None
        )
        key = json.dumps([
            record["method"], path, target.query, record["status"], record["requestBody"],
            re.sub(r'"token":"[^"]*"', "", record["responseBody"]),
        ])
        if key in self.seen:
            return
        self.seen.add(key)
        fields = {name.lower(): value for name, value in record["responseFields"]}
        type = fields.get("content-type", "").split(";")[0]
        if operation is None:
            self.check_stranger(record, bool(here), path, type)
            return
        self.check_answer(operation, record, fields, type)
        if record["status"] < 400:
            self.check_request(operation, record, target.query)

    def check_stranger(self, record: dict, is_described: bool, path: str, type: str) -> None:
        """An address or a method that is not described is refused in the same form."""
        name = f"{record['method']} {path}"
        if record["status"] not in ((403, 405) if is_described else (400, 403, 404, 405)):
            self.violate(name, record, "is not described")
        schema = "Refusal" if path.startswith(API) else "Page.error"
        self.check_body(name, record, type, {"$ref": f"#/components/schemas/{schema}"})

    def check_answer(self, operation: Operation, record: dict, fields: dict, type: str) -> None:
        status = record["status"]
        node = operation.node["responses"].get(str(status))
        if node is None:
            self.violate(operation.name, record, "the status is not described")
            return
        if "$ref" in node:
            node = self.document["components"]["responses"][node["$ref"].rsplit("/", 1)[1]]
        for name, header in node.get("headers", {}).items():
            if header.get("required") and name.lower() not in fields:
                self.violate(operation.name, record, f"{name} is missing")
        content = node.get("content", {})
        if not content:
            if record["responseBody"]:
                self.violate(operation.name, record, "has a body")
        elif record["method"] != "HEAD":
            if type not in content:
                self.violate(operation.name, record, f"content type {type!r}")
                return
            if type == JSON:
                self.check_body(operation.name, record, type, content[type]["schema"])
        if status < 400 or status == 403 and operation.method == "get" and operation.page:
            if status != 403 or json.loads(record["responseBody"])["page"] == operation.page:
                self.exercised.add(operation.name)

    def check_body(self, name: str, record: dict, type: str, schema: dict) -> None:
        if record["method"] == "HEAD":
            return
        try:
            body = json.loads(record["responseBody"])
        except ValueError:
            self.violate(name, record, f"the body is not JSON, but {type!r}")
            return
        self.validate(name, record, schema, body)

    def check_request(self, operation: Operation, record: dict, query: str) -> None:
        parameters = [each.get("name") for each in operation.node["parameters"]]
        for name, _ in parse_qsl(query, keep_blank_values=True):
            if operation.page is None and name not in parameters:
                self.violate(operation.name, record, f"the parameter {name} is not described")
        content = operation.node.get("requestBody", {}).get("content", {})
        text = record["requestBody"]
        if FORM in content:
            form = dict(parse_qsl(text, keep_blank_values=True))
            self.validate(operation.name, record, content[FORM]["schema"], form, "request")
        elif JSON in content and text:
            body = json.loads(text)
            self.validate(operation.name, record, content[JSON]["schema"], body, "request")
        elif text and not content:
            self.violate(operation.name, record, "takes no body")

    def validate(self, name, record, schema, instance, place="answer") -> None:
        key = json.dumps(schema)
        if key not in self.validators:
            whole = {**schema, "components": self.document["components"]}
            self.validators[key] = Draft202012Validator(whole)
        for error in self.validators[key].iter_errors(instance):
            for pointer, reason in leaves(error):
                self.violate(name, record, f"{place} {pointer}: {reason}")

    def violate(self, name: str, record: dict, reason: str) -> None:
        self.violations.append(f"{name} {record['status']}: {reason}")


def planted_faults_that_were_missed(document: dict, records: list[dict]) -> list[str]:
    """Breaks good answers in ways that must be found: a check that finds nothing proves nothing."""

    def first(method: str, path: str, status: int) -> dict:
        """A good answer; a journey gives it, or the comparison ends here."""
        for each in records:
            asked = (each["method"], urlsplit(each["target"]).path, each["status"])
            if asked == (method, path, status):
                return each
        sys.exit(f"no journey was answered {status} to {method} {path}")

    def answer(record: dict, change) -> dict:
        body = json.loads(record["responseBody"])
        change(body)
        return {**record, "responseBody": json.dumps(body)}

    page = first("GET", "/sign-in", 200)
    clock = first("GET", API + "clock", 200)
    led_on = first("POST", "/sign-in", 303)
    planted = {
        "a page by another name": answer(page, lambda body: body.update(page="sign-up")),
        "a step that does not exist": answer(page, lambda body: body.update(step="done")),
        "a page without its facts": answer(page, lambda body: body.pop("facts")),
        "a fact that no page has": answer(page, lambda body: body["facts"].update(secret="x")),
        "a member too many": answer(page, lambda body: body.update(secret="x")),
        "a form of another page": answer(
            page, lambda body: body["forms"][0].update(action="/sign-up")),
        "a field of another form": answer(
            page, lambda body: body["forms"][0]["fields"][0].update(name="code")),
        "a notice that does not exist": answer(
            page, lambda body: body["notices"].append({"code": "hello", "message": "Hello"})),
        "a clock without time": answer(clock, lambda body: body.update(now="noon")),
        "a clock that says too much": answer(clock, lambda body: body.update(zone="UTC")),
        "a status that is not described": {**clock, "status": 201},
        "a body that is not JSON": {**clock, "responseBody": "<html>"},
        "an address that is not described": {**clock, "target": API + "clocks"},
        "a redirect that leads nowhere": {
            **led_on,
            "responseFields": [each for each in led_on["responseFields"]
                               if each[0].lower() != "location"],
        },
        "a field that no form has": {
            **led_on, "requestBody": led_on["requestBody"] + "&nickname=ada"},
    }
    missed = []
    for name, record in planted.items():
        fresh = Checker(document)
        fresh.check(copy.deepcopy(record))
        if not fresh.violations:
            missed.append(f"the check misses {name}")
    return missed


def main() -> int:
    records = read(Path(sys.argv[1]))
    if not records:
        print(f"The journeys left no record in {sys.argv[1]}", file=sys.stderr)
        return 1
    whole, without_pages = documents(sys.argv[2])
    failures = [
        f"the description is not OpenAPI 3.1: {error.message[:300]}"
        for document in (whole, without_pages)
        for error in OpenAPIV31SpecValidator(document).iter_errors()
    ]
    checker = Checker(whole)
    for record in records:
        checker.check(record)
    failures += checker.violations
    failures += planted_faults_that_were_missed(whole, records)
    failures += [f"never answered: {name}" for name in checker.missing()]
    counts = Counter(failures)
    for failure, count in list(counts.items())[:SHOWN_VIOLATIONS]:
        print(f"  {failure}" + (f" ({count} times)" if count > 1 else ""))
    if len(counts) > SHOWN_VIOLATIONS:
        print(f"  … and {len(counts) - SHOWN_VIOLATIONS} more")
    print(
        f"{checker.answer_count} answers, {len(checker.exercised)} operations,"
        f" {len(failures)} violations"
    )
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
