"""Validates recorded calls: the request against its form, the answer against its schema."""

import copy
import json
from collections import Counter
from dataclasses import dataclass
from urllib.parse import parse_qsl, urlsplit

import quirks
from openapi import FORM, Description, Operation

ERRORS = {"$ref": "#/$defs/ClerkErrors"}


@dataclass
class Call:
    """One recorded call, read."""

    record: dict
    method: str
    path: str
    query: list[tuple[str, str]]
    request_fields: dict[str, str]
    response_fields: dict[str, str]
    form: list[tuple[str, str]]

    @classmethod
    def read(cls, record: dict) -> "Call":
        target = urlsplit(record["target"])
        query = parse_qsl(target.query, keep_blank_values=True)
        override = dict(query).get("_method", "").upper()
        fields = {name.lower(): value for name, value in record["requestFields"]}
        is_form = fields.get("content-type", "").split(";")[0].strip() == FORM
        return cls(
            record=record,
            method=override if record["method"] == "POST" and override else record["method"],
            path=target.path.rstrip("/") or "/",
            query=query,
            request_fields=fields,
            response_fields={name.lower(): value for name, value in record["responseFields"]},
            form=parse_qsl(record["requestBody"], keep_blank_values=True) if is_form else [],
        )

    @property
    def status(self) -> int:
        return self.record["status"]

    @property
    def is_rehearsed(self) -> bool:
        """Whether a fault of backstage answered, not the emulator."""
        return "x-vestibule-fault" in self.response_fields or self.status == 0

    @property
    def is_journey(self) -> bool:
        return self.record["source"] == "journey"


class Checker:
    def __init__(self, api: Description):
        self.api = api
        self.answer_count = 0
        self.endpoints: set[str] = set()
        self.schema_names: set[str] = set()
        self.violations: list[str] = []
        self.quirk_counts: Counter = Counter()
        self.seen: set[str] = set()

    def check(self, record: dict) -> None:
        call = Call.read(record)
        if not quirks.is_of_this_api(call):
            return
        operation = self.api.operation(call.method, call.path) or quirks.undescribed(call)
        if not call.is_rehearsed:
            self.answer_count += 1
        if operation is None:
            if not quirks.is_deliberately_unknown(call):
                self.violate(call, "no endpoint of the description", "")
            return
        if call.status and 200 <= call.status < 400 and not call.is_rehearsed:
            self.endpoints.add(operation.name)
        # Most answers of a journey have been seen before; only different ones need a look.
        key = json.dumps([operation.name, record["target"], record["requestBody"], call.status,
                          record["responseBody"], record["responseFields"]])
        if key in self.seen:
            return
        self.seen.add(key)
        self.check_request(call, operation)
        if not call.is_rehearsed:
            self.check_answer(call, operation)

    # Requests

    def check_request(self, call: Call, operation: Operation) -> None:
        if call.is_journey:
            for name, expected in quirks.HEADERS_OF_OUR_CLIENT.items():
                if call.request_fields.get(name) != expected:
                    self.violate(call, "request header", f"{name} is not {expected!r}")
            if "origin" in call.request_fields or "cookie" in call.request_fields:
                self.violate(call, "request header", "a native client sends no Origin or Cookie")
            for name, _ in call.query:
                if name not in quirks.QUERY_OF_OUR_CLIENT:
                    self.violate(call, "request query", f"{name} is not a parameter of the API")
        elif 400 <= call.status:
            return  # A script that shows a refusal may send what is wrong.
        name, schema = self.api.request(operation)
        if schema is None:
            if call.form and not quirks.may_have_form(call):
                self.violate(call, "request", "takes no form")
            return
        self.schema_names.add(name)
        instance = self.form_value(call, self.api.resolved(schema))
        for pointer, reason in self.api.errors(f"request {name}", schema, instance):
            self.judge(call, "request", pointer, reason)

    def form_value(self, call: Call, schema: dict) -> dict:
        """The form as the value that its schema describes."""
        properties = schema.get("properties", {})
        value = {}
        for name, text in call.form:
            kind = plain(properties.get(name, {}))
            if kind.get("type") == "boolean":
                value[name] = {"true": True, "1": True, "false": False, "0": False}.get(text, text)
            elif kind.get("type") in ("integer", "number") and text.lstrip("-").isdigit():
                value[name] = int(text)
            elif kind.get("type") == "array":
                value.setdefault(name, []).append(text)
            elif kind.get("type") == "object":
                value[name] = json.loads(text)
            elif name in value:
                self.violate(call, "request", f"{name} is sent twice")
            elif text == "" and kind is not properties.get(name, {}):
                value[name] = None
            else:
                value[name] = text
        return value

    # Answers

    def check_answer(self, call: Call, operation: Operation) -> None:
        type = call.response_fields.get("content-type", "").split(";")[0]
        is_described, name, schema = self.api.response(operation, call.status)
        if not is_described:
            quirk = quirks.undescribed_status(call, operation)
            if quirk is None:
                self.violate(call, "answer", f"status {call.status} is not described {codes(call)}")
                return
            self.quirk_counts[quirk] += 1
            name, schema = "ClerkErrors", ERRORS
        if call.is_journey and call.status == 501:
            self.violate(call, "answer", "our client asks for what the emulator does not have")
        if schema is None:
            return
        self.schema_names.add(name)
        if type != "application/json":
            self.violate(call, "answer", f"content type {type!r}")
            return
        try:
            body = json.loads(call.record["responseBody"])
        except ValueError:
            self.violate(call, "answer", "the body is not JSON")
            return
        for pointer, reason in self.api.errors(f"answer {name}", schema, body):
            self.judge(call, f"answer {call.status} ({name})", pointer, reason)

    # Verdicts

    def judge(self, call: Call, place: str, pointer: str, reason: str) -> None:
        quirk = quirks.documented(call, place, pointer, reason)
        if quirk is None:
            self.violate(call, place, f"{pointer}: {reason}")
        else:
            self.quirk_counts[quirk] += 1

    def violate(self, call: Call, place: str, reason: str) -> None:
        operation = self.api.operation(call.method, call.path)
        name = operation.path if operation else call.path
        self.violations.append(f"{call.method} {name}: {place}: {reason}")

    def planted_faults_that_were_missed(self, records: list[dict]) -> list[str]:
        """Breaks good calls in ways that must be found: a suite that finds nothing proves nothing."""
        good = next(
            record for record in records
            if record["status"] == 200 and urlsplit(record["target"]).path == "/v1/client/sign_ins"
            and "password=" in record["requestBody"] and "x-vestibule-fault" not in
            {name.lower() for name, _ in record["responseFields"]}
        )

        def answer(change):
            broken = copy.deepcopy(good)
            body = json.loads(broken["responseBody"])
            change(body)
            return {**broken, "responseBody": json.dumps(body)}

        planted = {
            "a missing member": answer(lambda body: body["response"].pop("status")),
            "an unknown status": answer(lambda body: body["response"].update(status="done")),
            "a member too many": answer(lambda body: body["response"].update(secret="x")),
            "a wrong type": answer(lambda body: body["client"].update(created_at="now")),
            "an undescribed status": {**good, "status": 418},
            "a body that is not JSON": {**good, "responseBody": "<html>"},
            "a wrong path": {**good, "target": "/v1/client/sign_in"},
            "a wrong type in the form": {**good, "requestBody": "identifier=a&transfer=maybe"},
            "an Origin": {**good, "requestFields": good["requestFields"] + [["origin", "http://a"]]},
        }
        missed = []
        for name, record in planted.items():
            fresh = Checker(self.api)
            fresh.check(record)
            if not fresh.violations:
                missed.append(f"the suite misses {name}")
        return missed


def plain(schema: dict) -> dict:
    """A schema without its null alternative."""
    for alternative in schema.get("anyOf", []):
        if alternative != {"type": "null"}:
            return alternative
    return schema


def codes(call: Call) -> str:
    try:
        body = json.loads(call.record["responseBody"])
        return " ".join(error["code"] for error in body["errors"])
    except (ValueError, KeyError, TypeError):
        return ""
