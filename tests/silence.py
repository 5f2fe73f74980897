"""What must happen without a warning."""

import warnings
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["silence"]


@contextmanager
def silence() -> Iterator[None]:
    """Make every warning of the block an error.

    Except for those about what was left open: they come when garbage is collected, so the block
    in which they do has nothing to do with them.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.simplefilter("ignore", ResourceWarning)
        yield
