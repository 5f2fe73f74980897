"""`veridical rag` in an interpreter that can reach one address alone."""

import json
import os
import subprocess
import sys

# A run that reaches for anything but the endpoint that it was given ends with a traceback.
GUARDED = """
import socket, sys
allowed = sys.argv.pop(1)
connect = socket.socket.connect
def guarded(self, address):
    if self.family != socket.AF_UNIX and f"{address[0]}:{address[1]}" != allowed:
        sys.stderr.write(f"connected to {address}")
        raise SystemExit(99)
    return connect(self, address)
def no_name(host, *more, **settings):
    if allowed.partition(":")[0] != (host.decode() if isinstance(host, bytes) else host):
        sys.stderr.write(f"looked up {host}")
        raise SystemExit(99)
    return looked_up(host, *more, **settings)
looked_up = socket.getaddrinfo
socket.socket.connect = socket.socket.connect_ex = guarded
socket.getaddrinfo = no_name
from veridical.cli import main
sys.exit(main(sys.argv[1:]))
"""


def rag(folder, *words_, allowed="nothing:0", before="", **environment):
    """Run `veridical rag` in a folder, in an interpreter that can connect nowhere else."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("VERIDICAL_", "RAGPROOF_"))}
    return subprocess.run(
        [sys.executable, "-c", before + GUARDED, allowed, "rag", *words_],
        cwd=folder,
        env={**kept, **environment},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )


def results(done) -> dict[str, dict]:
    assert done.returncode == 0, done.stderr
    return {one["metric"]: one for one in json.loads(done.stdout)["results"] if not one["group"]}
