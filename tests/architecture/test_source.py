"""Promises about the source text itself."""

import ast
import importlib
import re
from pathlib import Path

import pytest

from veridical.errors import VeridicalError

ROOT = Path(__file__).resolve().parents[2]
SOURCE = ROOT / "src"
FILES = {path.relative_to(SOURCE).as_posix(): path for path in sorted(SOURCE.rglob("*.py"))}
# Importing __main__ would run the command line.
MODULES = [name for name in FILES if not name.endswith("__main__.py")]
MOST_LINES = 500

# Marks of unfinished work, and folders that exist on one computer alone.
UNWANTED = re.compile(
    r"\b(?:TODO|FIXME|XXX)\b|\bNotImplementedError\b|(?<![\w.])/(?:home|root|work|Users)/\w"
)
WRITTEN = {".css", ".html", ".md", ".py", ".pyx", ".toml", ".yaml", ".yml"}
NOT_OURS = {"build", "dist", "node_modules", "out"}


def written_files() -> list[Path]:
    """Return the texts that we write, without this file, which names what it looks for."""
    return [
        path
        for path in sorted(ROOT.rglob("*"))
        if path.suffix in WRITTEN
        and path != Path(__file__)
        and not any(part in NOT_OURS or part[0] == "." for part in path.relative_to(ROOT).parts)
    ]


def parsed(name: str) -> ast.Module:
    return ast.parse(FILES[name].read_text(encoding="utf-8"))


def imported(name: str):
    parts = name.removesuffix(".py").removesuffix("/__init__").split("/")
    return importlib.import_module(".".join(parts))


def public_names(name: str) -> set[str]:
    """Return what a module defines, and what a package hands on, without an underscore."""
    names = set()
    package = name.removesuffix("/__init__.py").replace("/", ".")
    for node in parsed(name).body:
        if isinstance(node, ast.ClassDef | ast.FunctionDef):
            names.add(node.name)
        elif isinstance(node, ast.ImportFrom) and name.endswith("__init__.py"):
            ours = (node.module or "").startswith(f"{package}.")
            names |= {alias.asname or alias.name for alias in node.names if ours}
    return {name for name in names if not name.startswith("_")}


def test_the_sources_are_found():
    assert "veridical/results.py" in FILES


@pytest.mark.parametrize("name", FILES)
def test_every_file_says_what_it_is(name):
    assert ast.get_docstring(parsed(name)), f"{name} has no module docstring"


@pytest.mark.parametrize("name", FILES)
def test_no_file_is_too_long(name):
    lines = len(FILES[name].read_text(encoding="utf-8").splitlines())
    assert lines <= MOST_LINES, f"{name} has {lines} lines"


@pytest.mark.parametrize("name", MODULES)
def test_all_is_what_is_public(name):
    declared = getattr(imported(name), "__all__", [])
    missing = public_names(name) - set(declared)
    assert not missing, f"{name}: public but not in __all__: {sorted(missing)}"
    assert len(set(declared)) == len(declared), f"{name}: a name stands twice in __all__"


@pytest.mark.parametrize("name", MODULES)
def test_every_name_in_all_exists(name):
    module = imported(name)
    for public in getattr(module, "__all__", []):
        assert hasattr(module, public), f"{name} promises {public}"


@pytest.mark.parametrize("text", ["# TODO: later", "see /home/someone/data.csv"])
def test_unwanted_text_is_recognised(text):
    assert UNWANTED.search(text)


def test_nothing_unfinished_and_no_local_path():
    found = [
        f"{path.relative_to(ROOT)}:{number}: {line.strip()}"
        for path in written_files()
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if UNWANTED.search(line)
    ]
    assert not found, "\n".join(found)


# Why an error names nothing to do; the names of errors and of folders or files.
WITHOUT_FIX = {
    "veridical/lessons/": "short functions of a text: one sentence says what they take, which is "
    "what to do",
    "veridical/kernels/ngrams.py": "what prepares the texts calls it alone, and never so",
}


def error_kinds() -> dict[str, type]:
    """Return every class of error that is ours, by name."""
    for name in MODULES:
        if "Error(" in FILES[name].read_text(encoding="utf-8"):
            imported(name)
    found, todo = {}, [VeridicalError]
    while todo:
        kind = todo.pop()
        if kind.__module__.startswith("veridical."):
            found[kind.__name__] = kind
        todo += kind.__subclasses__()
    return found


def errors_without_fix(tree: ast.Module, kinds: dict[str, type]) -> list[ast.Call]:
    """Return where errors are made that name nothing to do, and whose kind has nothing either."""
    return [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name | ast.Attribute)
        and (kind := kinds.get(getattr(node.func, "id", getattr(node.func, "attr", ""))))
        and not kind.usual_fix
        and not any(
            word.arg == "fix"
            and not (isinstance(word.value, ast.Constant) and not word.value.value)
            for word in node.keywords
        )
    ]


@pytest.fixture(scope="module")
def kinds():
    return error_kinds()


@pytest.mark.parametrize("name", FILES)
def test_every_error_says_what_to_do(name, kinds):
    found = errors_without_fix(parsed(name), kinds)
    if any(name.startswith(place) for place in WITHOUT_FIX):
        return
    assert [f"{name}:{node.lineno}: {ast.unparse(node)[:80]}" for node in found] == []


def test_what_is_excused_has_such_errors(kinds):
    for place in WITHOUT_FIX:
        every = [errors_without_fix(parsed(one), kinds) for one in FILES if one.startswith(place)]
        assert any(every), place


def test_errors_without_anything_to_do_are_seen(kinds):
    text = "InputError('a'); errors.InputError('a', fix=''); InputError('a', fix='b'); Other('a')"
    assert len(errors_without_fix(ast.parse(text), kinds)) == 2
    assert errors_without_fix(ast.parse("InternalError('a')"), kinds) == []
