"""How Sphinx makes the site from the pages that `tools/docs.py` has laid out for it.

The pages are plain Markdown, as GitHub shows them.  What makes a site of them is added here: the
navigation, formulas as MathML, and diagrams that the reader's browser draws without asking
another host.
"""

import json
import re
import subprocess
from importlib.metadata import version as installed_version
from pathlib import Path
from urllib.parse import unquote

from docutils import nodes
from pygments.lexers.special import TextLexer
from sphinx.util import logging

HERE = Path(__file__).resolve().parent
LOG = logging.getLogger(__name__)

project = "veridical"
author = copyright = "the veridical authors"  # noqa: A001 - Sphinx's name for it
release = version = installed_version("veridical")

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
root_doc = "docs/index"
include_patterns = ["docs/**.md", "design/**.md", "examples/**.md"]
nitpicky = True
myst_enable_extensions = ["dollarmath"]
myst_heading_anchors = 6
myst_url_schemes = ["http", "https", "mailto"]
pygments_style, pygments_dark_style = "friendly", "native"
autodoc_typehints = "none"
# Docstrings name types in words; those that are not public have no page to lead to.
nitpick_ignore_regex = [("py:.*", ".*")]

html_theme = "furo"
html_title = f"veridical {release}"
html_math_renderer = "mathml"
MODULES = HERE / "node_modules"
html_static_path = [
    str(HERE / "static"),
    str(MODULES / "@mermaid-js/tiny/dist"),
    str(MODULES / "@fontsource/noto-sans-math/files"),
]
html_css_files = ["site.css"]
html_copy_source = False
html_show_sphinx = False

# Sections of the navigation: a page, or a folder whose pages come in the order in which its
# index.md names them; those that it does not name come last, by their file's name.
SECTIONS = (
    "tutorials/index",
    "lessons/index",
    "how-to/index",
    "reference/index",
    "coming-from/index",
    "notation",
    "not-proved",
    "design",
)
LINK = re.compile(r"\]\(([^)#\s]+)\.md(?:#[^)\s]*)?\)")


def setup(app):
    """Register what is ours."""
    app.connect("source-read", _with_contents)
    app.connect("autodoc-process-docstring", _whole, priority=400)
    app.connect("doctree-read", _with_diagrams)
    app.connect("doctree-read", _without_addresses)
    app.connect("html-page-context", _with_scripts)
    app.add_html_math_renderer("mathml", (_inline, None), (_block, None))
    app.add_lexer("csv", TextLexer)
    app.add_lexer("mermaid", TextLexer)
    return {"parallel_read_safe": True, "parallel_write_safe": False}


def _with_contents(app, docname, content):
    """Add to an index the hidden list of its pages, and to those that it does not name a link."""
    if docname.startswith("examples/"):
        content[0] = "---\norphan: true\n---\n" + content[0]
    pages = _children(app.srcdir, docname)
    named = [unquote(link) for link in LINK.findall(content[0])]
    if not pages:
        return
    if docname != root_doc:
        pages.sort(key=lambda page: (named.index(page) if page in named else len(named), page))
    unnamed = [page for page in pages if page not in named]
    content[0] += _toctree([page for page in pages if page in named], ":hidden:")
    content[0] += _toctree(unnamed, ":hidden:" if docname == root_doc else ":maxdepth: 1")


def _whole(app, what, name, obj, options, lines):
    """Keep napoleon, which comes after, from taking a sentence up to its colon for a type."""
    if what in {"attribute", "property"}:
        lines.insert(0, "")


def _children(source, docname):
    """Return the pages below an index, as it would link to them, without their suffix."""
    folder = Path(source, docname).parent
    if docname == root_doc:
        return [page for page in SECTIONS if (folder / f"{page}.md").exists()]
    if docname == "docs/design":
        return [f"../design/{path.stem}" for path in sorted(folder.parent.glob("design/*.md"))]
    if docname.endswith("/index"):
        pages = [path.stem for path in sorted(folder.glob("*.md")) if path.stem != "index"]
        return pages + [f"{path.parent.name}/index" for path in sorted(folder.glob("*/index.md"))]
    return []


def _toctree(pages, option):
    return "\n\n```{toctree}\n" + "\n".join([option, "", *pages]) + "\n```\n" if pages else ""


def _with_diagrams(app, doctree):
    """Turn each Mermaid fence into what the script draws; without it the source is read."""
    for block in list(doctree.findall(nodes.literal_block)):
        if block.get("language") == "mermaid":
            source = nodes.Text(block.astext())
            text = source.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
            made = nodes.raw("", f'<pre class="mermaid">{text}</pre>\n', format="html")
            block.replace_self(made)
            doctree["diagrams"] = True


def _without_addresses(app, doctree):
    """Take `ndcg@10` in a docstring for what it is: no address of mail."""
    for link in list(doctree.findall(nodes.reference)):
        if link.get("refuri", "").startswith("mailto:"):
            link.replace_self(nodes.Text(link.astext()))


def _with_scripts(app, _page, _template, _context, doctree):
    if doctree is not None and doctree.get("diagrams"):
        app.add_js_file("mermaid.tiny.js", loading_method="defer")
        app.add_js_file("diagrams.js", loading_method="defer")


class _Formulas:
    """A process that turns formulas into MathML."""

    process = None

    @classmethod
    def mathml(cls, tex, *, display):
        if cls.process is None:
            cls.process = subprocess.Popen(
                ["node", HERE / "math.mjs"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                encoding="utf-8",
            )
        cls.process.stdin.write(json.dumps({"tex": tex, "display": display}) + "\n")
        cls.process.stdin.flush()
        return json.loads(cls.process.stdout.readline())


def _formula(writer, node, *, display):
    made = _Formulas.mathml(node.astext(), display=display)
    if "error" in made:
        LOG.warning("the formula cannot be read: %s", made["error"], location=node)
    return made.get("html", "")


def _inline(writer, node):
    writer.body.append(_formula(writer, node, display=False))
    raise nodes.SkipNode


def _block(writer, node):
    html = _formula(writer, node, display=True)
    writer.body.append(f'<div class="formula" tabindex="0">{html}</div>\n')
    raise nodes.SkipNode
