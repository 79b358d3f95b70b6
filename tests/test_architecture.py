"""The house rules that a machine can see: which way imports point, and what no core may touch."""

from __future__ import annotations

import ast
import importlib
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src"
MODULES = {
    ".".join(path.relative_to(SOURCE).with_suffix("").parts).removesuffix(".__init__"): path
    for path in sorted((SOURCE / "thorp").rglob("*.py"))
}

ENGINES = {"arena", "voxel", "town", "story"}
BELOW_ENGINES = {"kernel", "store", "models", "workers", "protocol"}
ARROWS: dict[str, set[str]] = {
    "kernel": set(),
    "children": set(),
    "protocol": {"kernel"},
    "language": {"kernel", "protocol"},
    "store": {"kernel"},
    "models": {"kernel", "store", "children"},
    "workers": {"kernel", "store"},
    "pages": {"kernel"},
    "arena": {"kernel", "store", "models", "workers", "pages"},
    "voxel": {"kernel", "store", "protocol"},
    "town": {"kernel", "store", "models"},
    "story": {"kernel", "store", "models"},
    "log": {"kernel", "store"},
    "client": {"kernel", "protocol"},
    "env": {"kernel", "protocol", "voxel"},
    "mind": {"kernel", "protocol", "language", "env", "voxel"},
    "bridges": {*BELOW_ENGINES, "language", "env", "mind", *ENGINES},
    "observer": {"kernel", "store", "protocol", "pages", "bridges", "arena", "voxel", "town"},
    "village": {"kernel", "protocol", "language", "models", "env", "mind", "bridges", *ENGINES},
    "tasks": {*BELOW_ENGINES, "pages", "language", "env", "bridges", "village", *ENGINES},
    "integrations": {"kernel", "protocol", "language", "client", "env", "models", "mind", "tasks"},
    "fleet": {*BELOW_ENGINES, "language", "env", "bridges", "village", *ENGINES},
    "society": {
        *("kernel", "store", "workers", "pages", "bridges", "village", "fleet", "arena", "voxel"),
        *("protocol", "language", "models"),
    },
    "server": {
        *(
            *BELOW_ENGINES,
            "children",
            "pages",
            "bridges",
            "observer",
            "village",
            "society",
            "integrations",
            "log",
        ),
        *ENGINES,
    },
    # Only the command and the tests use it: no engine knows that it is simulated.
    "simulator": {"kernel", "store", "protocol", "log", "voxel", "town", "story"},
    "cli": {
        *BELOW_ENGINES,
        *("language", "client", "env", "bridges", "observer", "village", "integrations", "fleet"),
        *("society", "server", "log", "simulator", "tasks", "pages", *ENGINES),
    },
}

# Inside the voxel world, from below: a module imports from its own layer and from those below it.
# `tick` stands below `persistence`, because a replay executes ticks, and below `observation`,
# because a tick looks at nothing that agents are shown.
VOXEL_LAYERS: tuple[set[str], ...] = (
    {"catalog", "tuning", "refusal"},
    {"state", "inputs", "extension"},
    {"terrain"},
    {"lookups", "achievements"},
    {"systems"},
    {"society", "hints"},
    {"act_dispatch", "tick", "unread_input", "load", "new_world"},
    {"observation"},
    {"persistence"},
    {"service", "replica", "rollback"},
)

# What calls out, beside its core. Everything else in an engine is core, and so is the whole kernel.
SHELL = {
    "thorp.arena.exhibition",
    "thorp.arena.external",
    "thorp.arena.league",
    "thorp.arena.registry",
    "thorp.arena.service",
    "thorp.arena.testing",
    "thorp.arena.tournament",
    "thorp.story.audit",
    "thorp.story.audit_trail",
    "thorp.story.branch_beat",
    "thorp.story.branches",
    "thorp.story.error_answers",
    "thorp.story.export",
    "thorp.story.inclusion",
    "thorp.story.invocation",
    "thorp.story.lookup",
    "thorp.story.past",
    "thorp.story.readers_writer_lock",
    "thorp.story.rebuild",
    "thorp.story.registry",
    "thorp.story.schema",
    "thorp.story.tables",
    "thorp.story.service",
    "thorp.story.testing",
    "thorp.story.creation",
    "thorp.story.writer.model",
    "thorp.story.time_zones",
    "thorp.story.upgrade",
    "thorp.story.why",
    "thorp.town.audit",
    "thorp.town.model",
    "thorp.town.registry",
    "thorp.town.service",
    "thorp.town.tables",
    "thorp.town.testing",
    "thorp.voxel.new_world",
    "thorp.voxel.persistence",
    "thorp.voxel.load",
    "thorp.voxel.replica",
    "thorp.voxel.rollback",
    "thorp.voxel.service",
}
CORE_WITHIN_SHELL = {"thorp.voxel.persistence.record", "thorp.voxel.persistence.snapshot"} | {
    f"thorp.arena.tournament.{module}" for module in ("outcome", "schedule", "standings")
}

# What of a bridge runs inside a tick, and so must be as a core.
IN_THE_TICK = "thorp.bridges.voxel_town."
BESIDE_THE_TICK = {f"{IN_THE_TICK}{module}" for module in ("world",)}

# A module that reads data files of its own package, which are as fixed as its source.
READS_OWN_DATA = {
    "thorp.protocol.outcome": {"importlib.resources", "importlib.resources.files"},
    "thorp.protocol.schemas": {"importlib.resources", "importlib.resources.files"},
    "thorp.protocol.testing": {"importlib.resources", "importlib.resources.files"},
    **{
        module: {"pkgutil", "pkgutil.get_data"}
        for module in (
            *("thorp.arena.equilibrium", "thorp.arena.suite"),
            *("thorp.town.collation.decomposition", "thorp.town.collation.root"),
            "thorp.town.embedded.catalogue",
            *("thorp.story.text", "thorp.story.quotation", "thorp.story.writer.prompt"),
        )
    },
}

FORBIDDEN_IN_A_CORE = frozenset(
    [
        "_thread",
        "aiohttp",
        "asyncio",
        "concurrent",
        "ctypes",
        "datetime",
        "fcntl",
        "glob",
        "http",
        "importlib",
        "io",
        "locale",
        "logging",
        "mmap",
        "multiprocessing",
        "os",
        "pathlib",
        "pickle",
        "pkgutil",
        "platform",
        "queue",
        "random",
        "resource",
        "secrets",
        "select",
        "selectors",
        "shutil",
        "signal",
        "socket",
        "sqlite3",
        "ssl",
        "subprocess",
        "sys",
        "tempfile",
        "threading",
        "time",
        "urllib",
        "uuid",
        "warnings",
        "zoneinfo",
    ]
)
FORBIDDEN_CALLS = {
    "open",
    "input",
    "print",
    "exec",
    "eval",
    "compile",
    "__import__",
    "id",
    "globals",
    "vars",
}


def is_core(module: str) -> bool:
    if module in CORE_WITHIN_SHELL:
        return True
    if module.startswith(IN_THE_TICK):
        return module not in BESIDE_THE_TICK
    if module.count(".") == 1:
        # Else an engine's own list of public names, shell and core alike.
        return module in ("thorp.kernel", "thorp.protocol")
    package = module.split(".")[1] if "." in module else ""
    if package not in ("kernel", "protocol") and package not in ENGINES:
        return False
    return not any(module == shell or module.startswith(shell + ".") for shell in SHELL)


CORE_MODULES = [module for module in MODULES if is_core(module)]


def tree(module: str) -> ast.Module:
    return ast.parse(MODULES[module].read_text("utf-8"))


def imports(module: str) -> Iterator[str]:
    """Every imported module, type-checking imports included: an arrow is an arrow."""
    for node in ast.walk(tree(module)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{module}: relative import"
            assert node.module is not None
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


@pytest.mark.parametrize(
    "module", [module for module in MODULES if module not in ("thorp", "thorp.__main__")]
)
def test_imports_point_one_way(module: str) -> None:
    package = module.split(".")[1]
    allowed = {package, *ARROWS[package]}
    for imported in imports(module):
        parts = imported.split(".")
        if parts[0] == "thorp" and len(parts) > 1 and parts[1] != "__version__":
            assert parts[1] in allowed, (
                f"{module} imports {imported}; {package} may import {sorted(allowed)}"
            )


def voxel_layer(module: str) -> int:
    room = module.split(".")[2]
    return next(number for number, rooms in enumerate(VOXEL_LAYERS) if room in rooms)


@pytest.mark.parametrize(
    "module", [module for module in MODULES if module.startswith("thorp.voxel.")]
)
def test_imports_inside_the_voxel_world_point_down(module: str) -> None:
    for imported in imports(module):
        if imported in MODULES and imported.startswith("thorp.voxel."):
            assert voxel_layer(imported) <= voxel_layer(module), f"{module} imports {imported}"


SERVER_ROOMS: dict[str, set[str]] = {
    "access": set(),
    "processes": set(),
    "sockets": {"access", "processes"},
    "live": {"access", "processes", "sockets"},
    "http": {"access", "processes", "sockets", "live"},
}


@pytest.mark.parametrize("room", SERVER_ROOMS)
def test_the_rooms_of_the_server_import_in_one_direction(room: str) -> None:
    """Only the modules above all rooms, which put them together, import every one."""
    inside = f"thorp.server.{room}"
    own = [module for module in MODULES if module.startswith(inside + ".")]
    allowed = {inside, *(f"thorp.server.{each}" for each in SERVER_ROOMS[room])}
    assert len(own) > 2
    for module in own:
        for imported in imports(module):
            if imported.startswith("thorp.server."):
                assert ".".join(imported.split(".")[:3]) in allowed, f"{module} imports {imported}"


def test_every_module_of_the_server_is_in_a_room_or_puts_rooms_together() -> None:
    parts = [module.split(".")[2:] for module in MODULES if module.startswith("thorp.server.")]
    assert {names[0] for names in parts if len(names) == 2 or names[0] in SERVER_ROOMS} == set(
        SERVER_ROOMS
    )
    above = {names[0] for names in parts} - set(SERVER_ROOMS)
    assert above == {
        "chronicles",
        "follower",
        "host",
        "opening",
        "published_log",
        "residents",
        "settings",
    }


def test_no_module_of_the_server_is_imported_for_its_types_only() -> None:
    """Such an import hides a circle."""
    server = [module for module in MODULES if module.startswith("thorp.server")]
    assert [module for module in server if "typing.TYPE_CHECKING" in imports(module)] == []


@pytest.mark.parametrize("module", CORE_MODULES)
def test_a_core_imports_only_cores_and_touches_nothing_outside(module: str) -> None:
    for imported in set(imports(module)) - READS_OWN_DATA.get(module, set()):
        assert imported.split(".")[0] not in FORBIDDEN_IN_A_CORE, f"{module} imports {imported}"
        if imported in MODULES:
            own_package_list = module == imported or module.startswith(imported + ".")
            assert is_core(imported) or imported == "thorp" or own_package_list, (
                f"{module} imports {imported}"
            )


@pytest.mark.parametrize("module", CORE_MODULES)
def test_a_core_calls_nothing_that_reaches_outside_or_depends_on_chance(module: str) -> None:
    for node in ast.walk(tree(module)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            assert node.func.id not in FORBIDDEN_CALLS, (
                f"{module}:{node.lineno} calls {node.func.id}"
            )
        if isinstance(node, (ast.For, ast.comprehension)):
            over_a_set = isinstance(node.iter, (ast.Set, ast.SetComp)) or (
                isinstance(node.iter, ast.Call)
                and isinstance(node.iter.func, ast.Name)
                and node.iter.func.id in ("set", "frozenset")
            )
            assert not over_a_set, f"{module} iterates over a set, whose order is chance"


AUDITED_MATCHES = """
import sys
from thorp.arena import MatchConfig, run_match
from thorp.arena.agents import BUILT_IN_AGENTS
from thorp.arena.scenarios import BUILT_IN_SCENARIOS

touched = []
def hook(event, args):
    if event.split(".")[0] in ("open", "socket", "subprocess", "os", "shutil", "tempfile", "ctypes"):
        touched.append(event)
sys.addaudithook(hook)
for name, scenario in BUILT_IN_SCENARIOS.items():
    kinds = list(BUILT_IN_AGENTS[name].items())[:2]
    run_match(scenario(), [make(f"{kind}-1") for kind, make in kinds], MatchConfig(seed=1, max_turns=5))
seen = list(touched)
open(sys.executable).close()
assert "open" in touched[len(seen):], "the hook does not work"
assert not seen, seen
"""


def test_a_running_match_opens_no_file_and_no_socket() -> None:
    subprocess.run([sys.executable, "-c", AUDITED_MATCHES], check=True, timeout=60)


def test_the_runner_knows_no_scenario_and_no_agent() -> None:
    own = {
        name
        for name in imports("thorp.arena.runner")
        if name in MODULES and name.startswith("thorp.arena.")
    }
    assert own == {"thorp.arena.action", "thorp.arena.contract", "thorp.arena.sealed"}


def test_every_package_has_its_arrows_written_down() -> None:
    packages = {module.split(".")[1] for module in MODULES if "." in module} - {"__main__"}
    assert packages <= set(ARROWS)
    assert len(CORE_MODULES) > 15


PACKAGES = [module for module, path in MODULES.items() if path.name == "__init__.py"]
PAGES = [*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")]
DOCUMENTED_IMPORTS = sorted(
    {
        (name, alias.name if isinstance(node, ast.ImportFrom) else "")
        for page in PAGES
        for example in re.findall(r"^```python\n(.*?)^```", page.read_text("utf-8"), re.S | re.M)
        for node in ast.walk(ast.parse(example))
        if isinstance(node, (ast.Import, ast.ImportFrom))
        for alias in node.names
        for name in [(node.module or "") if isinstance(node, ast.ImportFrom) else alias.name]
        if name.split(".")[0] == "thorp"
    }
)


def public_names(package: str) -> list[str]:
    return list(importlib.import_module(package).__all__)


@pytest.mark.parametrize("package", PACKAGES)
def test_every_package_lists_its_public_names_and_has_them(package: str) -> None:
    for name in public_names(package):
        assert f"{package}.{name}" in MODULES or hasattr(importlib.import_module(package), name), (
            name
        )
    assert importlib.import_module(package).__doc__


@pytest.mark.parametrize(("module", "name"), DOCUMENTED_IMPORTS)
def test_the_examples_in_the_documents_import_public_names_only(module: str, name: str) -> None:
    if module in PACKAGES:
        assert not name or name in public_names(module)
    else:
        package, _, last = module.rpartition(".")
        assert last in public_names(package)
        assert not name.startswith("_")


def rows_of_the_ways(files: str) -> list[tuple[str, str]]:
    page = (ROOT / "docs" / "architecture.md").read_text("utf-8")
    return re.findall(rf"^\| `({files})` \| (.*) \|$", page, re.M)


def test_the_ways_in_architecture_md_name_files_and_functions_that_exist() -> None:
    rows = rows_of_the_ways(r"[a-z_/]+\.py")
    assert len(rows) > 60
    for path, text in rows:
        defined = {
            node.name
            for node in ast.walk(ast.parse((SOURCE / "thorp" / path).read_text("utf-8")))
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef))
        }
        assert set(re.findall(r"`(\w+)\(\)`", text)) <= defined, path


def test_the_ways_in_architecture_md_name_functions_of_the_page_that_exist() -> None:
    """A definition in TypeScript: a class, a constant, a function or a method."""
    rows = rows_of_the_ways(r"web/src/[a-z_/]+\.tsx?")
    assert len(rows) > 4
    for path, text in rows:
        source = (ROOT / path).read_text("utf-8")
        for name in re.findall(r"`(\w+)\(\)`", text):
            definition = rf"(class|const|function) {name}\b|^  (private )?(async )?{name}\("
            assert re.search(definition, source, re.M), f"{path}: {name}"


def test_there_is_no_import_cycle() -> None:
    """Modules are imported in some order; with a cycle that order would matter."""
    needed: dict[str, set[str]] = {}
    for module in MODULES:
        top = [node for node in tree(module).body if isinstance(node, ast.ImportFrom)]
        named = {f"{node.module}.{alias.name}" for node in top for alias in node.names}
        bases = {
            str(node.module)
            for node in top
            if any(f"{node.module}.{a.name}" not in MODULES for a in node.names)
        }
        needed[module] = ((named | bases) & MODULES.keys()) - {module}
    while free := [module for module, rest in needed.items() if not rest & needed.keys()]:
        for module in free:
            del needed[module]
    assert not needed, f"imported in circles: {sorted(needed)}"


LAYOUT_LINE = re.compile(r"^( +)([\w./]+)(?:  |$)")


def layout() -> Iterator[Path]:
    """The directories and files that the layout in architecture.md names."""
    page = (ROOT / "docs" / "architecture.md").read_text("utf-8")
    block = page.partition("```\nsrc/thorp/\n")[2].partition("```")[0]
    parents = {0: SOURCE / "thorp"}
    for line in block.splitlines():
        named = LAYOUT_LINE.match(line)
        if named is not None:
            depth = len(named[1])
            parent = parents[max(each for each in parents if each < depth)]
            path = parent / named[2]
            parents = {each: where for each, where in parents.items() if each < depth} | {
                depth: path
            }
            yield path


def test_the_layout_in_architecture_md_is_that_of_the_source() -> None:
    lines = [*layout()]
    named = set(lines)
    assert len(lines) == len(named), "each room has one line"
    assert [path for path in named if not path.exists()] == []
    packages = {
        path.parent
        for path in (SOURCE / "thorp").rglob("__init__.py")
        if path.parent != SOURCE / "thorp"
    }
    assert packages <= named, "every package has a line"
