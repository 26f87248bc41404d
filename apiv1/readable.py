"""The OpenAPI document as people read it: calls by noun, their fields and answers, and the shapes they name."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from django.conf import settings
from django.utils.functional import Promise
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from apiv1.openapi import description
from apiv1.schema import MEANINGS, NOTHING_THERE, WRONG_STATE

Schema = Mapping[str, Any]
TITLES = {
    "account": _("Account"),
    "boards": _("Boards"),
    "lists": _("Lists"),
    "cards": _("Cards"),
    "labels": _("Labels"),
    "comments": _("Comments"),
    "checklists": _("Checklists"),
    "attachments": _("Files"),
    "members": _("Members"),
    "activity": _("Activity"),
    "tokens": _("API tokens"),
    "cliauth": _("Command line"),
    "exporter": _("Export"),
}
COMMON = {str(status): meaning for status, meaning in {**MEANINGS, 404: NOTHING_THERE, 409: WRONG_STATE}.items()}
MOST_WORDS = 12  # of an enumeration that stands beside its field


@dataclass(frozen=True)
class Field:
    name: str
    kind: SafeString
    meaning: SafeString
    is_required: bool
    where: str = ""  # of a parameter: path, query or header
    is_list: bool = False


@dataclass(frozen=True)
class DocumentedAnswer:
    status: str
    meaning: SafeString
    fields: tuple[Field, ...] = ()


@dataclass(frozen=True)
class Call:
    id: str
    method: str
    path: str
    title: str
    text: SafeString
    parameters: tuple[Field, ...]
    content_type: str
    body: tuple[Field, ...]
    example: str
    command: str
    answers: tuple[DocumentedAnswer, ...]
    refusals: tuple[DocumentedAnswer, ...]  # those that mean something else than in other calls
    common: tuple[str, ...]  # the statuses of all others


@dataclass(frozen=True)
class Noun:
    name: str
    title: Promise
    calls: tuple[Call, ...]


@dataclass(frozen=True)
class Shape:
    name: str
    fields: tuple[Field, ...]
    words: tuple[str, ...]


@dataclass(frozen=True, eq=False)  # there is one: include_kept need not look into it
class Reference:
    nouns: tuple[Noun, ...]
    shapes: tuple[Shape, ...]
    errors: tuple[DocumentedAnswer, ...]


@lru_cache(maxsize=1)
def reference() -> Reference:
    return Reader(json.loads(description())).reference()


class Reader:
    """Reads a document. `named`: the shapes that what was read so far links to."""

    def __init__(self, document: Schema) -> None:
        self.document = document
        self.schemas: Schema = document["components"]["schemas"]
        self.named: dict[str, None] = {}

    def reference(self) -> Reference:
        calls: dict[str, list[Call]] = {tag["name"]: [] for tag in self.document["tags"]}
        for path, operations in self.document["paths"].items():
            for method, operation in operations.items():
                calls[operation["tags"][0]].append(self.call(path, method.upper(), operation))
        nouns = tuple(Noun(name, TITLES[name], tuple(found)) for name, found in calls.items())
        errors = tuple(DocumentedAnswer(status, marked(meaning)) for status, meaning in sorted(COMMON.items()))
        return Reference(nouns, tuple(self.shapes()), errors)

    def call(self, path: str, method: str, operation: Schema) -> Call:
        content_type, content = next(iter(operation.get("requestBody", {"content": {"": {}}})["content"].items()))
        body = self.fields(self.found(content["schema"])) if content else ()
        example = json.dumps(content["example"], ensure_ascii=False) if "example" in content else ""
        answers = {status: one for status, one in operation["responses"].items() if status != "default"}
        refused = {status: one for status, one in answers.items() if status >= "4"}
        return Call(
            id=operation["operationId"],
            method=method,
            path=path,
            title=operation["summary"],
            text=marked(operation["description"]),
            parameters=tuple(self.parameters(operation.get("parameters", ()))),
            content_type=content_type,
            body=body,
            example=example,
            command=command(path, method, operation, content_type, example),
            answers=tuple(self.answer(status, one) for status, one in answers.items() if status < "4"),
            refusals=tuple(
                self.answer(status, one)
                for status, one in sorted(refused.items())
                if one["description"] != COMMON.get(status)
            ),
            common=tuple(status for status, one in sorted(refused.items()) if one["description"] == COMMON.get(status)),
        )

    def parameters(self, parameters: Any) -> Iterator[Field]:
        places = ("path", "query", "header")
        for one in sorted(parameters, key=lambda one: places.index(one["in"])):
            yield Field(
                name=one["name"],
                kind=self.kind(one["schema"]),
                meaning=marked(one.get("description", "")),
                is_required=one.get("required", False),
                where=one["in"],
                is_list=one["schema"].get("type") == "array",
            )

    def answer(self, status: str, response: Schema) -> DocumentedAnswer:
        schema = response.get("content", {}).get("application/json", {}).get("schema", {})
        is_read = status < "4" and "$ref" in schema
        return DocumentedAnswer(
            status, marked(response["description"]), self.fields(self.found(schema)) if is_read else ()
        )

    def fields(self, schema: Schema) -> tuple[Field, ...]:
        required = schema.get("required", ())
        return tuple(
            Field(name, self.kind(one), marked(self.meaning(one)), name in required)
            for name, one in schema.get("properties", {}).items()
        )

    def meaning(self, schema: Schema) -> str:
        limits = [f"At most {schema['maxLength']:,} characters."] if "maxLength" in schema else []
        if "maximum" in schema:
            limits = [f"{schema['minimum']} to {schema['maximum']}."]
        if "default" in schema:
            limits = [*limits, f"`{schema['default']}` when left out."]
        named = self.found(schema) if "$ref" in schema else {}
        return " ".join([schema.get("description", named.get("description", "")), *limits]).strip()

    def kind(self, schema: Schema) -> SafeString:
        """Return what values the schema allows, with links to shapes."""
        if "$ref" in schema:
            return self.link(schema["$ref"].rpartition("/")[2])
        if "enum" in schema:
            return either(code(json.dumps(word)) for word in schema["enum"])
        if "allOf" in schema:
            return self.kind(schema["allOf"][0])
        if "oneOf" in schema:
            return either(self.kind(one) for one in schema["oneOf"])
        kinds = schema.get("type", "anything")
        return either(self.plain(kind, schema) for kind in ([kinds] if isinstance(kinds, str) else kinds))

    def plain(self, kind: str, schema: Schema) -> SafeString:
        if kind == "array" and (items := schema.get("items")):
            return format_html("list of {}", self.kind(items))
        if kind == "object" and (properties := schema.get("properties")):
            inner = format_html_join(", ", "{}: {}", ((name, self.kind(one)) for name, one in properties.items()))
            return format_html("{{{}}}", inner)
        return format_html("{}", schema.get("format", kind) if kind == "string" else kind)

    def link(self, name: str) -> SafeString:
        schema = self.schemas[name]
        if "properties" not in schema and len(schema.get("enum", ())) <= MOST_WORDS:
            return self.kind(schema)
        self.named[name] = None
        return format_html('<a class="link" href="#{}">{}</a>', name, name)

    def found(self, schema: Schema) -> Schema:
        found: Schema = self.schemas[schema["$ref"].rpartition("/")[2]]
        return found

    def shapes(self) -> Iterator[Shape]:
        """Yield the shapes that are linked to, and those that these link to."""
        done: dict[str, Shape] = {}
        while waiting := [name for name in self.named if name not in done]:
            for name in waiting:
                schema = self.schemas[name]
                done[name] = Shape(name, self.fields(schema), tuple(schema.get("enum", ())))
        yield from (done[name] for name in sorted(done))


def command(path: str, method: str, operation: Schema, content_type: str, example: str) -> str:
    """Return the call as a command of curl, with variables of the shell for ids."""
    address = re.sub(r"{(\w+)}", lambda part: f"${part[1].upper()}", path)
    words = [f'curl -X {method} "{settings.BASE_URL}{address}"']
    if "security" in operation:
        words.append('-H "Authorization: Bearer $TOKEN"')
    if example:
        words += [f'-H "Content-Type: {content_type}"', f"-d '{example}'"]
    elif content_type:
        words.append("-F file=@seeds.txt")
    return " \\\n  ".join(words)


def either(kinds: Iterator[SafeString]) -> SafeString:
    return format_html_join(" or ", "{}", ((kind,) for kind in dict.fromkeys(kinds)))


def marked(text: str) -> SafeString:
    """Return the text as HTML, with what stands between backticks as code."""
    parts = enumerate(text.split("`"))
    return format_html_join("", "{}", ((code(part) if at % 2 else part,) for at, part in parts))


def code(text: str) -> SafeString:
    return format_html("<code>{}</code>", text)
