"""Draw the pictures of the README from real output: ``make pictures``.

``docs/images/terminal.svg`` is what a command prints on a terminal, redrawn as text.
``docs/images/report.png`` and ``rag.png`` are parts of real reports, in headless chromium.
"""

from __future__ import annotations

import base64
import io
import os
import pty
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from xml.sax.saxutils import escape

from PIL import Image
from rich.console import Console
from rich.segment import Segment
from rich.style import Style
from rich.text import Text
from selenium import webdriver
from selenium.webdriver.chrome.service import Service

from veridical.judge.serving import MockServer, in_thread, judge_named

ROOT = Path(__file__).resolve().parent.parent
IMAGES = ROOT / "docs" / "images"

EVALUATE = "evaluate examples/credit/hmda_scores.csv --label denied --score p_logistic"
TERMINAL = f"veridical {EVALUATE} --score p_boosting -m roc_auc -m log_loss"
REPORT = f"veridical {EVALUATE} --score p_boosting --cost-fn 1000 --cost-fp 200 --cost-review 20"

XMLNS = 'xmlns="http://www.w3.org/2000/svg"'
COLUMNS = 92
CELL, LINE, SIZE, MARGIN = 8.4, 19, 14, 18
COLOURS = {3: "yellow", 6: "cyan"}
STYLES = """\
svg { font: 14px ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; }
rect { fill: #fbfbfa; stroke: #d5d8dc; }
text { fill: #23272e; }
.bold { font-weight: bold; }
.dim { fill: #69707a; }
.cyan { fill: #0b6e99; }
.yellow { fill: #9a5b00; }
@media (prefers-color-scheme: dark) {
  rect { fill: #16191d; stroke: #343a41; }
  text { fill: #e2e5e9; }
  .dim { fill: #98a1ab; }
  .cyan { fill: #5cc1ec; }
  .yellow { fill: #eab14f; }
}
"""

REPORT_WIDTH, SHADES = 1280, 256


def main() -> None:
    """Draw all pictures."""
    IMAGES.mkdir(parents=True, exist_ok=True)
    svg = terminal_svg(TERMINAL, on_a_terminal(TERMINAL))
    (IMAGES / "terminal.svg").write_text(svg, encoding="utf-8")
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.html"
        subprocess.run([*words(REPORT), "--report", str(report)], cwd=ROOT, check=True)
        (IMAGES / "report.png").write_bytes(photograph(report, Path(folder), THRESHOLD))
        (IMAGES / "rag.png").write_bytes(photograph(rag_report(Path(folder)), Path(folder), CASE))


def rag_report(folder: Path) -> Path:
    """Return the report of the project of ``veridical rag init``, judged by the lexical judge."""
    project = folder / "library"
    subprocess.run([*words("veridical rag init"), str(project)], check=True)
    answers, model = judge_named("lexical")
    with in_thread(MockServer(answers, model=model)) as server:
        environment = {
            **os.environ,
            "VERIDICAL_JUDGE_BASE_URL": server.base_url,
            "VERIDICAL_JUDGE_MODEL": "lexical",
        }
        for command in ("veridical rag run", "veridical rag report --report report.html"):
            subprocess.run(words(command), cwd=project, env=environment, check=True)
    return project / "report.html"


def words(command: str) -> list[str]:
    """Return the command with this environment's ``veridical``."""
    name, *rest = shlex.split(command)
    return [str(Path(sys.executable).parent / name), *rest]


def on_a_terminal(command: str) -> str:
    """Return what the command prints on a terminal of ``COLUMNS`` columns, escapes included."""
    ours, theirs = pty.openpty()
    environment = {**os.environ, "COLUMNS": str(COLUMNS), "TERM": "xterm-256color"}
    environment.pop("NO_COLOR", None)
    with subprocess.Popen(words(command), stdout=theirs, cwd=ROOT, env=environment) as running:
        os.close(theirs)
        printed = b"".join(_chunks(ours))
    os.close(ours)
    if running.returncode:
        raise SystemExit(f"{command} ended with {running.returncode}")
    return printed.decode().replace("\r\n", "\n")


def _chunks(descriptor: int) -> Iterator[bytes]:
    # Linux answers EIO, not an empty read, when the other end has gone.
    try:
        while chunk := os.read(descriptor, 65536):
            yield chunk
    except OSError:
        return


def terminal_svg(command: str, printed: str) -> str:
    """Return a picture of a terminal after the command; the same output gives the same bytes."""
    prompt = f"\x1b[2m$\x1b[0m {_folded(command)}"
    console = Console(width=1000, color_system="256", force_terminal=True, file=io.StringIO())
    rows = f"{prompt}\n\n{printed.rstrip()}".split("\n")
    height = len(rows) * LINE + 2 * MARGIN
    width = round(COLUMNS * CELL) + 2 * MARGIN
    lines = [
        f'<svg {XMLNS} width="{width}" height="{height}" viewBox="0 0 {width} {height}">',
        f"<style>\n{STYLES}</style>",
        f'<rect x="0.5" y="0.5" width="{width - 1}" height="{height - 1}" rx="6"/>',
    ]
    for number, row in enumerate(rows):
        spans = "".join(_spans(console, row))
        if spans:
            lines.append(f'<text y="{MARGIN + SIZE + number * LINE}">{spans}</text>')
    return "\n".join([*lines, "</svg>\n"])


def _folded(command: str) -> str:
    """Break a command before its second option, as one types it."""
    head, *options = command.split(" --")
    return f"{head} --{options[0]} \\\n    --{' --'.join(options[1:])}"


def _spans(console: Console, row: str) -> Iterator[str]:
    column = 0
    for segment in Segment.simplify(Text.from_ansi(row).render(console)):
        # A viewer may fold two spaces into one, so each stretch without them has its own place;
        # its length in cells keeps columns straight whatever font is there.
        for stretch in re.finditer(r"\S+(?: \S+)*", segment.text):
            x = MARGIN + (column + stretch.start()) * CELL
            length = len(stretch[0]) * CELL
            yield (
                f'<tspan x="{x:.1f}" textLength="{length:.1f}"{_classes(segment.style)}>'
                f"{escape(stretch[0])}</tspan>"
            )
        column += len(segment.text.rstrip("\n"))


def _classes(style: Style | None) -> str:
    if style is None:
        return ""
    names = [name for name in ("bold", "dim") if getattr(style, name)]
    if style.color and not style.color.is_default:
        names.append(COLOURS[style.color.number])
    return f' class="{" ".join(names)}"' if names else ""


def photograph(report: Path, folder: Path, part: str) -> bytes:
    """Return the part of a report that a script finds, as PNG of few colours."""
    chromium = next(filter(None, map(shutil.which, ("chromium", "google-chrome"))), None)
    driver_path = shutil.which("chromedriver")
    if chromium is None or driver_path is None:
        raise SystemExit("needs a browser: apt-get install chromium chromium-driver")
    options = webdriver.ChromeOptions()
    options.binary_location = chromium
    for argument in (
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-dev-shm-usage",
        "--disable-background-networking",
        "--hide-scrollbars",
        f"--user-data-dir={folder / 'profile'}",
    ):
        options.add_argument(argument)
    with webdriver.Chrome(options=options, service=Service(driver_path)) as browser:
        browser.execute_cdp_cmd(
            "Emulation.setDeviceMetricsOverride",
            {"width": REPORT_WIDTH, "height": 900, "deviceScaleFactor": 1, "mobile": False},
        )
        browser.get(report.as_uri())
        clip = browser.execute_script(part)
        shot = browser.execute_cdp_cmd(
            "Page.captureScreenshot",
            {"format": "png", "captureBeyondViewport": True, "clip": {**clip, "scale": 1}},
        )
    picture = Image.open(io.BytesIO(base64.b64decode(shot["data"]))).convert("RGB")
    few = picture.quantize(SHADES, method=Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE)
    packed = io.BytesIO()
    few.save(packed, "PNG", optimize=True)
    return packed.getvalue()


# From the heading of the section to the end of its charts.
THRESHOLD = """
const section = document.getElementById("threshold").getBoundingClientRect();
const bottoms = [...document.querySelectorAll("[data-chart]")]
  .map((chart) => chart.getBoundingClientRect().bottom);
return {x: 0, y: section.top + scrollY - 24, width: innerWidth,
        height: Math.max(...bottoms) - section.top + 48};
"""
# A case that is judged true to its page, and misses the question, down to the first page.
CASE = """
const opened = [...document.querySelectorAll("details.case")]
  .find((one) => one.querySelector(".case-id").textContent === "qa-08");
opened.open = true;
const {top} = opened.getBoundingClientRect();
const {bottom} = opened.querySelector(".chunks li").getBoundingClientRect();
return {x: 0, y: top + scrollY, width: innerWidth, height: bottom - top + 8};
"""


if __name__ == "__main__":
    main()
