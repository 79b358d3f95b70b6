"""Writes the reference pages of the site from the code, and llms.txt from all pages.

python scripts/reference.py pages docs/reference     # before the site is built
python scripts/reference.py actions docs/actions     # when an action has changed: these pages are kept
python scripts/reference.py llms docs site           # after it: llms.txt, and all pages as Markdown

Every name that users depend on is listed: commands, configuration, routes, Python names, schemas,
metrics and error codes. Nothing is described here a second time: the sentences are those of the
code.
"""

from __future__ import annotations

import ast
import importlib
import inspect
import json
import os
import pkgutil
import re
import shutil
import sys
import tempfile
import tomllib
from collections.abc import Iterable, Iterator
from enum import Enum
from itertools import pairwise
from pathlib import Path
from types import ModuleType
from typing import Any, get_type_hints
from urllib.request import urlopen

import msgspec
import typer
from typer.main import get_command

import thorp

ROOT = Path(__file__).parent.parent
SOURCE = Path(thorp.__file__).parent
sys.path.insert(0, str(ROOT))  # for the server of tests.cli.serving, which shows its metrics


def pages() -> dict[str, str]:
    """Every page of the reference, by the name of its file."""
    made = {
        "commands.md": ("Commands", _commands),
        "configuration.md": ("Configuration", _configuration),
        "http.md": ("HTTP routes", _http),
        "python.md": ("Python API", _python),
        "schemas.md": ("Schemas", _schemas),
        "metrics.md": ("Metrics", _metrics),
        "errors.md": ("Errors", _errors),
    }
    note = "<!-- Made from the code by scripts/reference.py. -->"
    return {
        name: f"# {title}\n\n{note}\n\n" + "\n\n".join(write()) + "\n"
        for name, (title, write) in made.items()
    }


def _table(head: Iterable[str], rows: Iterable[Iterable[object]]) -> str:
    columns = tuple(head)
    lines = (columns, ("---",) * len(columns), *rows)
    return "\n".join(f"| {' | '.join(_cell(each) for each in line)} |" for line in lines)


def _cell(value: object) -> str:
    return _line(str(value)).replace("|", "\\|")


def _code(value: object) -> str:
    return f"`{text}`" if (text := _line(str(value))) else ""


def _line(text: str) -> str:
    return " ".join(text.split())


def _first_paragraph(text: str | None) -> str:
    return _line((text or "").strip().partition("\n\n")[0])


# Commands


def _commands() -> Iterator[str]:
    from thorp.cli import god
    from thorp.cli.main import commands as all_commands

    yield (
        "What `--help` says of every command. Exit codes: 0 done, 1 looked and found something "
        "wrong,"
        " 2 refused and nothing changed, 130 stopped by Ctrl-C."
    )
    for name, commands in (("thorp", all_commands()), ("god", god.app)):
        command: Any = get_command(commands)
        yield from _command(command, typer.Context(command, info_name=name))


def _command(command: Any, context: typer.Context) -> Iterator[str]:
    within = getattr(command, "commands", {})
    yield f"## {context.command_path}"
    yield inspect.cleandoc(command.help or "")
    if not within:
        yield f"```\n{context.command_path} {' '.join(command.collect_usage_pieces(context))}\n```"
    records = [each for parameter in command.params if (each := parameter.get_help_record(context))]
    if records:
        yield _table(("", ""), ((_code(names), told) for names, told in records))
    for name in sorted(within):
        yield from _command(
            within[name], typer.Context(within[name], info_name=name, parent=context)
        )


# Configuration


def _configuration() -> Iterator[str]:
    from thorp.cli.config import SECRETS, VARIABLES
    from thorp.story import StoryConfig
    from thorp.voxel import example_tuning

    yield (
        "What decides beside [options](commands.md): the environment, a world's tuning, a story's"
        " configuration. `thorp config show` tells what is in force, and where it comes from."
    )
    yield "## Environment"
    secret = dict.fromkeys(SECRETS, " A secret: never shown.")
    yield _table(
        ("variable", ""),
        ((_code(name), told + secret.get(name, "")) for name, told in VARIABLES.items()),
    )
    yield "## Tuning of a world"
    yield "A file for `thorp up --tuning FILE`, as `thorp config tuning` prints it."
    yield f"```yaml\n{example_tuning()}```"
    yield "## Configuration of a story"
    yield "A JSON file for `thorp story … --config FILE`; in Python, `thorp.story.StoryConfig`."
    yield from _struct(StoryConfig)


def _struct(kind: type[msgspec.Struct], within: str = "") -> Iterator[str]:
    """A table of a struct's fields, then those of the structs in it."""
    notes, hints = _notes(kind), get_type_hints(kind)
    inner = {name: hint for name, hint in hints.items() if _is_struct(hint)}
    if within:
        yield f"### {within}"
    plain = (each for each in msgspec.structs.fields(kind) if each.name not in inner)
    rows = [(_code(each.name), _code(_default(each)), notes.get(each.name, "")) for each in plain]
    if rows:
        yield _table(("", "default", ""), rows)
    for name, below in inner.items():
        yield from _struct(below, f"{within}.{name}".strip("."))


def _is_struct(kind: object) -> bool:
    return isinstance(kind, type) and issubclass(kind, msgspec.Struct)


def _default(field: msgspec.structs.FieldInfo) -> str:
    if field.required:
        return "required"
    value = field.default if field.default is not msgspec.NODEFAULT else field.default_factory()  # type: ignore[operator]
    return json.dumps(msgspec.to_builtins(value), ensure_ascii=False)


def _notes(kind: type) -> dict[str, str]:
    """What the string below each field of a class says."""
    [defined] = ast.parse(inspect.getsource(kind)).body
    assert isinstance(defined, ast.ClassDef)
    return {
        ast.unparse(field.target): _line(below)
        for field, follows in pairwise(defined.body)
        if isinstance(field, ast.AnnAssign) and (below := _sentence(getattr(follows, "value", None)))
        and isinstance(follows, ast.Expr)
    }  # fmt: skip


# HTTP


def _http() -> Iterator[str]:
    from thorp.server.access.principals import Principals
    from thorp.server.access.tokens import Tokens
    from thorp.server.http.openapi import openapi
    from thorp.server.http.routes import routes
    from thorp.server.http.server import Server

    document = openapi(routes(Server(ROOT, Principals(Tokens(ROOT)))))
    yield (
        "A running server has this as `/openapi.json`, with the schemas of all bodies, and the "
        "agents'"
        " WebSocket as `/asyncapi.json`. [server.md](../server.md) tells more of each route, and "
        "which role"
        " has which permission; [errors.md](errors.md) tells what refusals look like."
    )
    yield _line(document["info"].get("summary", ""))
    yield _table(
        ("route", "permission", "", "query", "statuses"),
        (
            (_code(f"{method.upper()} {path}"), told.get("x-permission", "none"), told["summary"],
             _query(told), ", ".join(told["responses"]))
            for path, methods in document["paths"].items() for method, told in methods.items()
        ),
    )  # fmt: skip


def _query(operation: dict[str, Any]) -> str:
    return ", ".join(
        _code(each["name"]) for each in operation["parameters"] if each["in"] == "query"
    )


# Python


def _python() -> Iterator[str]:
    yield (
        "What may be imported: the names in `__all__` of each package. Everything else is private"
        " ([architecture.md](../architecture.md#what-is-public))."
    )
    for module in public_modules():
        yield f"## {module.__name__}"
        yield _first_paragraph(module.__doc__)
        rows = [
            (_code(_shown(name, each)), _told(each)) for name, each in public_names(module).items()
        ]
        if rows:
            yield _table(("name", ""), rows)


def public_modules() -> list[ModuleType]:
    """Every package with public names, and every module that a package lists."""
    found = {}
    below = pkgutil.walk_packages(thorp.__path__, "thorp.")
    for name in ("thorp", *(each.name for each in below if each.ispkg)):
        package = importlib.import_module(name)
        listed = (each for each in _listed(package).values() if inspect.ismodule(each))
        if package.__all__:
            found.update({each.__name__: each for each in (package, *listed)})
    return [found[name] for name in sorted(found)]


def public_names(module: ModuleType) -> dict[str, Any]:
    if hasattr(module, "__all__"):
        return {name: each for name, each in _listed(module).items() if not inspect.ismodule(each)}
    here = {name: each for name, each in vars(module).items() if not name.startswith("_")}
    return {
        name: each
        for name, each in here.items()
        if getattr(each, "__module__", "") == module.__name__
    }


def _listed(package: ModuleType) -> dict[str, Any]:
    """What a package lists: names in it, and modules of it that are imported when they are asked
    for."""
    for name in package.__all__:
        if not hasattr(package, name):
            importlib.import_module(f"{package.__name__}.{name}")
    return {name: getattr(package, name) for name in package.__all__}


def _shown(name: str, value: Any) -> str:
    if inspect.isclass(value):
        made = value.__init__ is not object.__init__ or issubclass(value, msgspec.Struct)
        protocol = getattr(value, "_is_protocol", False) or issubclass(value, Enum)
        return f"class {name}{_signature(value) if made and not protocol else ''}"
    return f"{name}{_signature(value)}" if inspect.isroutine(value) else name


class _Environment:
    """Stands for the default `os.environ`, whose contents are nobody's business."""

    def __repr__(self) -> str:
        return "os.environ"


_ENVIRONMENT = _Environment()


def _signature(value: Any) -> str:
    """The names and defaults of parameters; their types are in the code."""
    try:
        signature = inspect.signature(value)
    except (TypeError, ValueError):
        return "(…)"
    plain = [
        each.replace(annotation=each.empty, default=_ENVIRONMENT)
        if each.default is os.environ
        else each.replace(annotation=each.empty)
        for each in signature.parameters.values()
    ]
    text = str(signature.replace(parameters=plain, return_annotation=signature.empty))
    return re.sub(r"<[^<>]*(<lambda>[^<>]*)?>", "…", text)


def _told(value: Any) -> str:
    if inspect.isclass(value) or inspect.isroutine(value):
        return _first_paragraph(value.__doc__)
    return _code(type(value).__name__)


# Schemas


def _schemas() -> Iterator[str]:
    yield "JSON Schemas of documents and messages. `thorp schema NAME` prints one."
    for name, schema in every_schema().items():
        yield f"## {name}"
        yield f"[{name}.schema.json](schemas/{name}.schema.json)"
        required = schema.get("required", ())
        rows = [
            (_code(key), _code(_type(each)), "" if key in required else "optional")
            for key, each in schema.get("properties", {}).items()
        ]
        if rows:
            yield _table(("field", "type", ""), rows)


def every_schema() -> dict[str, dict[str, Any]]:
    """Each schema by its name; one that is only a reference, as the definition it refers to."""
    from thorp.cli.schema import EVERY

    found = {}
    for name, make in EVERY.items():
        schema = make()
        whole = schema.get("$ref", "").rpartition("/")[2]
        found[name] = {**schema, **schema["$defs"][whole]} if whole else schema
    return found


def _type(schema: dict[str, Any]) -> str:
    match schema:
        case {"$ref": str(reference)}:
            return reference.rpartition("/")[2]
        case {"const": value}:
            return json.dumps(value)
        case {"enum": values}:
            return " or ".join(map(json.dumps, values))
        case {"anyOf": kinds}:
            return " or ".join(map(_type, kinds))
        case {"type": "array", "items": dict(items)}:
            return f"array of {_type(items)}"
        case {"type": list(kinds)}:
            return " or ".join(kinds)
    return str(schema.get("type", "any"))


# Metrics


def _metrics() -> Iterator[str]:
    yield (
        "`GET /metrics` is text for Prometheus. [server.md](../server.md#numbers) tells what the "
        "labels mean."
    )
    text = metrics_text()
    labels = {
        name: re.findall(r'(\w+)="', inside)
        for name, inside in re.findall(r"^(\w+)\{(.*)\}", text, re.M)
    }
    found = re.findall(r"^# HELP (\w+) (.*)\n# TYPE \w+ (\w+)", text, re.M)
    yield _table(
        ("metric", "type", "labels", ""),
        (
            (_code(name), kind, ", ".join(map(_code, labels.get(name, ()))), told)
            for name, told, kind in found
        ),
    )


def metrics_text() -> str:
    """What a served world says of itself."""
    from tests.cli.serving import served

    with (
        tempfile.TemporaryDirectory() as data,
        served(Path(data)) as url,
        urlopen(f"{url}/metrics", timeout=60) as answer,
    ):
        return str(answer.read(), "utf-8")


# Errors


def _errors() -> Iterator[str]:
    from thorp.kernel.errors import KINDS
    from thorp.protocol.codes import CODES

    yield (
        "An error has a kind, which decides what it means at every door, and a code, which "
        "names it."
    )
    yield "## Kinds"
    yield _table(
        ("kind", "in Python", "HTTP status", "exit code", "try again"),
        (
            (_code(each.name), _code(f"thorp.kernel.errors.{each.error.__name__}"), each.http_status,
             each.exit_code, "the same request, later" if each.retry else "")
            for each in KINDS
        ),
    )  # fmt: skip
    yield "## Codes of actions"
    yield f"What a world answers in ACTION_RESULT and TASK_FAIL: {', '.join(map(_code, CODES))}."
    yield "## Codes of errors"
    yield "With a sentence for example; … stands for what depends on the case."
    yield _table(("code", "kind or HTTP status", "where", "for example"), error_codes())


def error_codes() -> list[tuple[str, str, str, str]]:
    """Every code in the source: its kind or status, the packages that use it, one of its
    sentences."""
    found: dict[tuple[str, str], tuple[set[str], set[str]]] = {}
    for path in sorted(SOURCE.rglob("*.py")):
        parts = ("thorp", *path.relative_to(SOURCE).with_suffix("").parts)
        module = ".".join(parts).removesuffix(".__init__")
        for node in ast.walk(WithSentences().visit(ast.parse(path.read_text("utf-8")))):
            if isinstance(node, ast.Call) and (known := _code_of(node, module)):
                code, kind, sentence = known
                packages, sentences = found.setdefault((code, kind), (set(), set()))
                packages.add(parts[1])
                sentences.add(sentence)
    return [
        (
            _code(code),
            kind,
            ", ".join(sorted(packages)),
            max(sentences, key=lambda each: (len(each), each)),
        )
        for (code, kind), (packages, sentences) in sorted(found.items())
    ]


class WithSentences(ast.NodeTransformer):
    """Puts sentences in place of the local variables that name them."""

    def __init__(self) -> None:
        self._named: dict[str, ast.expr] = {}

    def visit_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> Any:
        outer = self._named
        self._named = {
            each.targets[0].id: each.value
            for each in ast.walk(node)
            if isinstance(each, ast.Assign)
            and isinstance(each.targets[0], ast.Name)
            and " " in _sentence(each.value)
        }
        self.generic_visit(node)
        self._named = outer
        return node

    visit_AsyncFunctionDef = visit_FunctionDef

    def visit_FormattedValue(self, part: ast.FormattedValue) -> ast.AST:
        return self._named.get(part.value.id, part) if isinstance(part.value, ast.Name) else part

    def visit_Name(self, name: ast.Name) -> ast.AST:
        return self._named.get(name.id, name) if isinstance(name.ctx, ast.Load) else name


# Functions that make a violation of a contract, or an answer of the server: where code and sentence
# stand.
VIOLATIONS = {"refusal": (0, 2), "demand": (1, 3), "Violation": (0, 2), "add": (0, 2)}
ANSWERS = {"Refused": (1, 2), "refusal": (1, 2), "_refusal": (1, 2)}
MAKERS = {"server": ANSWERS, "story": VIOLATIONS, "town": VIOLATIONS}


# They need the harness that they are for, and refuse nothing in our words.
FOR_HARNESSES = {"thorp.integrations.inspect_tasks", "thorp.integrations.verifiers_tasks"}


def _code_of(call: ast.Call, module: str) -> tuple[str, str, str] | None:
    from thorp.kernel.errors import KINDS, ThorpError

    name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
    if module in FOR_HARNESSES:
        return None
    where: object = importlib.import_module(module)
    if isinstance(call.func, ast.Attribute) and isinstance(call.func.value, ast.Name):
        within = getattr(where, call.func.value.id, None)
        where = within if inspect.ismodule(within) else where
    made = getattr(where, name, None)
    if inspect.isclass(made) and issubclass(made, ThorpError):
        given = next(
            (each.value for each in call.keywords if each.arg == "code"), ast.Constant(made.code)
        )
        kind = next(each.name for each in KINDS if issubclass(made, each.error))
        code, told = _sentence(given), _sentence(call.args[0]) if call.args else ""
        return (code, kind, told) if code and isinstance(given, ast.Constant) else None
    package = module.partition(".")[2].partition(".")[0]
    places = MAKERS.get(package, {}).get(name)
    if places is None or len(call.args) <= places[1]:
        return None
    status, code, sentence = (_sentence(call.args[place]) for place in (0, *places))
    known = isinstance(call.args[places[0]], ast.Constant)
    return (code, status[:3] if package == "server" else "contract", sentence) if known else None


def _sentence(node: ast.AST | None) -> str:
    """A literal or formatted string, with … for what is filled in."""
    match node:
        case ast.Constant(value=str() | int() as value):
            return str(value)
        case ast.JoinedStr(values=parts):
            return "".join(_sentence(each) or "…" for each in parts)
    return ""


# llms.txt


def write_llms(docs: Path, site: Path) -> None:
    """The site as language models read it: a list of the pages, all of them in one file, each as
    Markdown."""
    project = tomllib.loads((ROOT / "zensical.toml").read_text("utf-8"))["project"]
    lines, whole = [f"# {project['site_name']}\n\n> {project['site_description']}\n"], []
    for section in project["nav"]:
        ((title, below),) = section.items()
        if isinstance(below, str):
            continue
        lines.append(f"\n## {title}\n\n")
        for name, page in _pages_below(below):
            text = (docs / page).read_text("utf-8")
            (site / page).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(docs / page, site / page)
            lines.append(f"- [{name}]({page}): {summary(text)}\n")
            whole.append(text)
    (site / "llms.txt").write_text("".join(lines), "utf-8")
    (site / "llms-full.txt").write_text("\n".join(whole), "utf-8")


def _pages_below(entries: list[dict[str, Any]]) -> Iterator[tuple[str, str]]:
    """The pages of a section of the navigation, with those of the sections in it."""
    for entry in entries:
        ((name, page),) = entry.items()
        if isinstance(page, str):
            yield name, page
        else:
            yield from _pages_below(page)


def summary(page: str) -> str:
    """The first sentence of a page, without links."""
    text = re.sub(r"<!--.*?-->", "", page, flags=re.S)
    paragraphs = (each.strip("\n") for each in text.split("\n\n"))
    first = next(
        (each for each in paragraphs if each and not re.match(r"[#|>!<]|```|    ", each)), ""
    )
    plain = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", _line(first))
    return re.split(r"(?<=\.)\s", plain)[0]


def write_pages(into: Path) -> None:
    (into / "schemas").mkdir(parents=True, exist_ok=True)
    for name, text in pages().items():
        (into / name).write_text(text, "utf-8")
    for name, schema in every_schema().items():
        text = json.dumps(schema, indent=2, ensure_ascii=False)
        (into / "schemas" / f"{name}.schema.json").write_text(text + "\n", "utf-8")


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["pages", into]:
            write_pages(Path(into))
        case ["actions", into]:
            from scripts.action_pages import write_pages as write_action_pages

            write_action_pages(Path(into))
        case ["llms", docs, site]:
            write_llms(Path(docs), Path(site))
        case _:
            sys.exit(__doc__)
