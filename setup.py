"""Build the compiled kernels, or do without them.

Every kernel has a numpy twin with identical results, so a missing compiler costs speed and nothing
else.  ``VERIDICAL_REQUIRE_KERNELS=1`` turns a missing kernel into an error, for wheels and CI.
"""

import os
import sys
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

REQUIRED = os.environ.get("VERIDICAL_REQUIRE_KERNELS", "") not in ("", "0")
FOLDER = Path("src/veridical/kernels/compiled")

# No fast-math, which flushes denormals and reorders sums, and no contraction of a*b + c into one
# rounding: both would give other digits than numpy.
FLAGS = ["/O2", "/fp:precise"] if sys.platform == "win32" else ["-O3", "-ffp-contract=off"]


class BuildKernels(build_ext):
    """Translate and compile; without Cython or a working compiler, warn and go on."""

    def build_extension(self, ext: Extension) -> None:
        try:
            from Cython.Build import cythonize

            # Generated C is kept out of the source tree: a stale file there would be shipped.
            [translated] = cythonize([ext], build_dir=self.build_temp, quiet=True)
            ext.sources = translated.sources
            super().build_extension(ext)
        except Exception as error:
            if REQUIRED:
                raise
            self.warn(f"{ext.name} is not compiled ({error}); its numpy twin will be used")


setup(
    cmdclass={"build_ext": BuildKernels},
    ext_modules=[
        Extension(
            f"veridical.kernels.compiled.{source.stem}",
            [source.as_posix()],
            depends=[header.as_posix() for header in sorted(FOLDER.glob("*.pxd"))],
            extra_compile_args=FLAGS,
            optional=not REQUIRED,
        )
        for source in sorted(FOLDER.glob("*.pyx"))
    ],
)
