"""Write ``bench.lock.json`` anew: after a change that has given the bench another version."""

from __future__ import annotations

from pathlib import Path

from veridical import strict_json
from veridical.bench.locking import computed_lock
from veridical.writing import write_atomically

LOCK = Path(__file__).parents[1] / "src/veridical/bench/bench.lock.json"

if __name__ == "__main__":
    write_atomically(LOCK, strict_json.dumps(computed_lock()) + "\n")
