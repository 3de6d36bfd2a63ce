"""Write the types of every message and HTTP body for the page (web/src/core/protocol.ts), and the tables of the
messages in docs/protocol.md, both from the server's schema.

python web/make_types.py            write the files
python web/make_types.py --check    fail if one is out of date
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from blackpoker.engine.state import LIFE_COUNTED
from blackpoker.engine.tables import STARTING_HAND
from blackpoker.engine.views import UNCOUNTED
from blackpoker.protocol.messages import schema
from blackpoker.server.app import describe_api

TARGET = Path(__file__).parent / "src" / "core" / "protocol.ts"
DOCUMENT = Path(__file__).parents[1] / "docs" / "protocol.md"
BEGIN, END = "<!-- messages -->\n", "<!-- end of messages -->"
PLAIN = {"string": "string", "integer": "number", "number": "number", "boolean": "boolean", "null": "null"}


def type_of(node: dict[str, Any]) -> str:
    """Return a schema as a TypeScript type."""
    if "$ref" in node:
        return str(node["$ref"]).rpartition("/")[2]
    if "const" in node:
        return json.dumps(node["const"])
    if "enum" in node:
        return " | ".join(json.dumps(value) for value in node["enum"])
    for union in ("anyOf", "oneOf"):
        if union in node:
            return " | ".join(dict.fromkeys(type_of(part) for part in node[union]))
    kind = node.get("type")
    if isinstance(kind, list):
        return " | ".join(PLAIN[one] for one in kind)
    if kind == "array":
        if "prefixItems" in node:
            return "[" + ", ".join(type_of(part) for part in node["prefixItems"]) + "]"
        item = type_of(node.get("items") or {})
        return f"({item})[]" if "|" in item else f"{item}[]"
    if kind == "object" and "properties" not in node:
        extra = node.get("additionalProperties")
        return "{ [name: string]: " + (type_of(extra) if isinstance(extra, dict) else "unknown") + " }"
    return PLAIN.get(str(kind), "unknown")


def interface(name: str, node: dict[str, Any], server: bool) -> str:
    """Return a TypeScript interface. Fields with a default are optional."""
    required = set(node.get("required", ()))
    lines = []
    for field, inner in node.get("properties", {}).items():
        optional = "" if field in required else "?"
        lines.append(f"  {field}{optional}: {type_of(inner)};")
    about = node.get("description", "")
    head = f"/** {' '.join(about.split())} */\n" if about else ""
    return f"{head}export interface {name} {{\n" + "\n".join(lines) + "\n}\n"


def written() -> str:
    wire = schema()
    found: dict[str, dict[str, Any]] = dict(describe_api()["components"]["schemas"])
    found.update(wire["$defs"])
    out = ["// Written by web/make_types.py from the server's schema; do not edit.\n"]
    for name in sorted(found):
        node = found[name]
        if "properties" in node or node.get("type") == "object":
            out.append(interface(name, node, True))
        else:
            out.append(f"export type {name} = {type_of(node)};\n")
    out.append(f"export type ClientMessage = {type_of(wire['client'])};\n")
    out.append(f"export type ServerMessage = {type_of(wire['server'])};\n")
    out.append("/** R-210: a life with fewer cards than this is shown as a number. */")
    out.append(f"export const LIFE_COUNTED = {LIFE_COUNTED};\n")
    out.append(f"export const UNCOUNTED = {json.dumps(UNCOUNTED)};\n")
    out.append("/** R-191: the cards each player is dealt at set-up. */")
    out.append(f"export const STARTING_HAND = {STARTING_HAND};\n")
    return "\n".join(out)


def message_table(title: str, union: dict[str, Any], types: dict[str, dict[str, Any]]) -> str:
    """Return a table of the messages of one direction, in the order of their union."""
    rows = [f"| {title} | Fields |", "|---|---|"]
    for part in union["anyOf"]:
        node = types[str(part["$ref"]).rpartition("/")[2]]
        tag = node["properties"]["type"]["enum"][0]
        required = node.get("required", ())
        fields = [
            f"`{field}{'' if field in required else '?'}: {type_of(inner)}`".replace("|", "\\|")
            for field, inner in node["properties"].items()
            if field != "type"
        ]
        rows.append(f"| `{tag}` | {', '.join(fields) or 'none'} |")
    return "\n".join(rows) + "\n"


def documented() -> str:
    """Return docs/protocol.md with the tables of today's messages."""
    wire = schema()
    tables = "\n".join(
        message_table(title, wire[way], wire["$defs"])
        for title, way in (("From client to server", "client"), ("From server to client", "server"))
    )
    before, _, rest = DOCUMENT.read_text(encoding="utf-8").partition(BEGIN)
    return before + BEGIN + "\n" + tables + "\n" + END + rest.partition(END)[2]


def main() -> int:
    files = {TARGET: written(), DOCUMENT: documented()}
    if "--check" in sys.argv:
        return (
            0 if all(path.exists() and path.read_text(encoding="utf-8") == text for path, text in files.items()) else 1
        )
    for path, text in files.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
