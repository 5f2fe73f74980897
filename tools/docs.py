"""Build the documentation site, strictly: a warning of any kind is a failure.

    python tools/docs.py [FOLDER]        out/site, where nothing else is said

The pages are laid out in a folder beside the result, as they lie in the repository, and what is
generated from the code is written among them: so links lead to the same places here and on GitHub,
and the tree of the repository stays as it is.
"""

import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.append(str(ROOT))  # a script finds only what lies beside it

from tools.reference import write_reference  # noqa: E402

SITE = ROOT / "docs" / "site"
MODULES = SITE / "node_modules"
STRICTLY = ("--fail-on-warning", "--keep-going", "--fresh-env", "--quiet")
SPHINX = (sys.executable, "-m", "sphinx", *STRICTLY, "--conf-dir", SITE)
# Written among the pages: each is given the folder of the laid out `docs`.
GENERATORS: tuple[Callable[[Path], object], ...] = (write_reference,)
NO_NODE = """\
The site needs node and npm: they render its formulas, and bring the script for its diagrams.
On Debian and Ubuntu: apt-get install nodejs npm"""
NOT_FETCHED = """\
The scripts of the site cannot be installed: npm says why above.
With a connection to its registry, run it again: make docs"""
TRIES = 3
FORWARD = '<!doctype html><meta charset="utf-8"><title>veridical</title>\
<meta http-equiv="refresh" content="0; url=docs/index.html">\
<a href="docs/index.html">veridical: documentation</a>\n'


def lay_out(folder: Path) -> None:
    """Copy what the site shows or links to, and write what is generated."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for name in ("docs", "design", "examples"):
        left_out = shutil.ignore_patterns("site", "__pycache__")
        shutil.copytree(ROOT / name, folder / name, ignore=left_out)
    for path in ROOT.glob("*.md"):
        shutil.copy(path, folder)
    for generate in GENERATORS:
        generate(folder / "docs")


def fetch_scripts() -> None:
    """Install what `docs/site/package-lock.json` says, if that was not done."""
    if shutil.which("npm") is None or shutil.which("node") is None:
        raise SystemExit(NO_NODE)
    lock, done = SITE / "package-lock.json", MODULES / ".package-lock.json"
    if done.exists() and done.stat().st_mtime >= lock.stat().st_mtime:
        return
    for _ in range(TRIES):  # a registry may be out of reach for a moment
        if subprocess.run(["npm", "ci", "--loglevel=error"], cwd=SITE, check=False).returncode == 0:
            return
    raise SystemExit(NOT_FETCHED)


def build(target: Path) -> int:
    """Build the site in a folder, and return the exit code of Sphinx."""
    fetch_scripts()
    source = target.parent / f"{target.name}-source"
    lay_out(source)
    shutil.rmtree(target, ignore_errors=True)
    doctrees = target.parent / f"{target.name}-doctrees"
    command = [*SPHINX, "--doctree-dir", doctrees, source, target]
    code = subprocess.run(command, check=False).returncode
    shutil.rmtree(doctrees, ignore_errors=True)
    if code == 0:
        (target / "index.html").write_text(FORWARD, encoding="utf-8")
    return code


if __name__ == "__main__":
    if any(argument.startswith("-") for argument in sys.argv[1:]):
        raise SystemExit(__doc__)
    place = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "out" / "site"
    if failed := build(place.resolve()):
        raise SystemExit(failed)
    print(place / "index.html")
