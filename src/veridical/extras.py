"""What the extras of this package bring, as its own metadata say, and how to get it."""

from __future__ import annotations

from importlib import metadata

from veridical.errors import MissingExtraError

__all__ = ["install_command", "not_installed", "requirements"]

_PACKAGE = "veridical"


def requirements() -> dict[str | None, tuple[str, ...]]:
    """Return what each extra requires, and under None what is always required.

    The extra ``all``, which only names the others, is not among them; nothing is where the package
    is not installed at all, but imported from its source.
    """
    try:
        written = metadata.requires(_PACKAGE) or ()
    except metadata.PackageNotFoundError:
        written = ()
    found: dict[str | None, list[str]] = {}
    for text in written:
        needed, _, marker = (part.strip() for part in text.partition(";"))
        extra = marker.partition("extra ==")[2].strip(" \"'") or None
        if not needed.startswith(f"{_PACKAGE}["):
            found.setdefault(extra, []).append(needed)
    return {extra: tuple(needed) for extra, needed in found.items()}


def install_command(extra: str) -> str:
    """Return the command that installs what an extra brings, to be printed as a fix.

    It names the packages themselves: that works wherever veridical came from, a clone, a wheel or
    an index, and in any folder.

    Parameters
    ----------
    extra
        Such as ``"figures"``.

    Examples
    --------
    >>> install_command("figures")
    "pip install 'matplotlib>=3.8'"
    """
    needed = requirements().get(extra)
    if needed is None:
        return f"install veridical with its extra {extra}"
    return " ".join(["pip install", *(f"'{one}'" for one in needed)])


def not_installed(package: str, extra: str) -> MissingExtraError:
    """Return the error that is raised where a package of an extra cannot be imported.

    Parameters
    ----------
    package
        What is absent, by the name it is installed by.
    extra
        What brings it, such as ``"judge"``.

    Examples
    --------
    >>> print(not_installed("matplotlib", "figures"))
    matplotlib is not installed
      fix: pip install 'matplotlib>=3.8'
    """
    return MissingExtraError(f"{package} is not installed", fix=install_command(extra))
