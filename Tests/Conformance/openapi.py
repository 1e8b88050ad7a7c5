"""Reads an OpenAPI 3.0 description: which endpoint a request is for, and which schemas apply."""

import re
from dataclasses import dataclass, field

import yaml
from jsonschema import Draft202012Validator

FORM = "application/x-www-form-urlencoded"
JSON = "application/json"
# These are for people; 2020-12 gives the last four other meanings, or none.
DROPPED = {"description", "example", "examples", "title", "x-speakeasy-name-override",
           "format", "default", "deprecated", "discriminator"}


def json_schema(node):
    """OpenAPI 3.0's dialect as JSON Schema 2020-12: references, `nullable`, no annotations."""
    if isinstance(node, list):
        return [json_schema(element) for element in node]
    if not isinstance(node, dict):
        return node
    schema = {}
    for key, value in node.items():
        if key == "properties":
            schema[key] = {name: json_schema(property) for name, property in value.items()}
        elif key == "$ref":
            schema[key] = value.replace("#/components/schemas/", "#/$defs/")
        elif key in ("enum", "required"):
            schema[key] = value
        elif key not in DROPPED and key != "nullable":
            schema[key] = json_schema(value)
    if node.get("nullable"):
        return {"anyOf": [{"type": "null"}, schema]}
    return schema


@dataclass
class Operation:
    method: str
    path: str
    node: dict
    pattern: re.Pattern = field(init=False)

    def __post_init__(self):
        parts = re.split(r"(\{[^}]+\})", self.path)
        text = "".join("[^/]+" if part.startswith("{") else re.escape(part) for part in parts)
        self.pattern = re.compile(text)

    @property
    def name(self) -> str:
        return f"{self.method} {self.path}"

    @property
    def literal_count(self) -> int:
        return sum(not segment.startswith("{") for segment in self.path.split("/"))


class Description:
    def __init__(self, text: str):
        self.document = yaml.safe_load(text)
        components = self.document["components"]
        self.responses = components.get("responses", {})
        self.definitions = json_schema(components["schemas"])
        self.operations = [
            Operation(method.upper(), path, node)
            for path, methods in self.document["paths"].items()
            for method, node in methods.items()
            if method in ("get", "put", "post", "patch", "delete")
        ]
        self.validators = {}

    def operation(self, method: str, path: str) -> Operation | None:
        found = [
            operation for operation in self.operations
            if operation.method == method and operation.pattern.fullmatch(path)
        ]
        return max(found, key=lambda operation: operation.literal_count, default=None)

    def response(self, operation: Operation, status: int) -> tuple[bool, str, dict | None]:
        """Whether the status is described; its schema's name and the schema, if it has one."""
        node = {str(key): value for key, value in operation.node["responses"].items()}.get(str(status))
        if node is None:
            return False, "", None
        if "$ref" in node:
            node = self.responses[node["$ref"].rsplit("/", 1)[1]]
        schema = (node.get("content") or {}).get(JSON, {}).get("schema")
        if schema is None:
            return True, "", None
        name = schema["$ref"].rsplit("/", 1)[1] if "$ref" in schema else f"{operation.name} {status}"
        return True, name, json_schema(schema)

    def request(self, operation: Operation) -> tuple[str, dict | None]:
        """The name and the schema of the form, if the endpoint takes one."""
        body = operation.node.get("requestBody", {})
        schema = body.get("content", {}).get(FORM, {}).get("schema")
        if schema is None:
            return "", None
        name = schema["$ref"].rsplit("/", 1)[1] if "$ref" in schema else f"form of {operation.name}"
        return name, json_schema(schema)

    def resolved(self, schema: dict) -> dict:
        while "$ref" in schema:
            schema = self.definitions[schema["$ref"].rsplit("/", 1)[1]]
        return schema

    def errors(self, name: str, schema: dict, instance) -> list[tuple[str, str]]:
        """Where an instance breaks a schema: JSON pointer and reason, the deepest ones."""
        validator = self.validators.get(name)
        if validator is None:
            validator = Draft202012Validator({**schema, "$defs": self.definitions})
            self.validators[name] = validator
        return [leaf for error in validator.iter_errors(instance) for leaf in leaves(error)]


def leaves(error) -> list[tuple[str, str]]:
    """The reasons of an error; of alternatives, those of the one that comes closest."""
    if not error.context:
        pointer = "/" + "/".join(str(step) for step in error.absolute_path)
        return [(pointer, error.message[:300])]
    branches = {}
    for inner in error.context:
        branches.setdefault(inner.schema_path[0], []).append(inner)
    closest = min(branches.values(), key=lambda branch: (-deepest(branch), len(branch)))
    return [leaf for inner in closest for leaf in leaves(inner)]


def deepest(errors) -> int:
    return max(
        max([len(error.absolute_path)] + ([deepest(error.context)] if error.context else []))
        for error in errors
    )
