"""The reference as it is generated when the site is built."""

import shutil
from pathlib import Path

from tests.docs.pages import ROOT
from tools.reference import write_reference


def reference(folder: Path) -> dict[str, str]:
    """Lay out what the generator reads of the pages, write the reference among them, and read it.

    The names are below `docs/reference`.
    """
    (folder / "reference").mkdir(parents=True)
    shutil.copy(ROOT / "docs/reference/index.md", folder / "reference")
    shutil.copy(ROOT / "docs/not-proved.md", folder)
    shutil.copytree(ROOT / "docs/how-to", folder / "how-to")
    write_reference(folder)
    return {
        path.relative_to(folder / "reference").as_posix(): path.read_text(encoding="utf-8")
        for path in sorted((folder / "reference").rglob("*.md"))
    }
