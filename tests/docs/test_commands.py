"""Commands that pages name without running them: each is one that there is, with its options."""

import re

import pytest

from tests.docs.pages import ROOT, page, pages
from tools.reference.command_pages import commands, is_group
from veridical.cli.app import build_app

OTHERS = [ROOT / "CONTRIBUTING.md", *ROOT.glob("design/*.md"), *ROOT.glob("examples/*/*.md")]
PAGES = [*map(page, [*pages(), *sorted(OTHERS)])]


def names_of(command):
    return [name for one in command.assemble_argument_collection() for name in one.names]


APP = dict(commands(build_app()))
# Of each command by its words; a group has none of its own.
OPTIONS = {
    words: {"--help", "--debug", *(() if is_group(one) else names_of(one))}
    for words, one in APP.items()
}
COMMAND = re.compile(r"(?<![\w.-])(?<!import )veridical +((?:[a-z][a-z-]*)(?: +[^|&;<>)\n#]*)?)")
OPTION = re.compile(r"(?<![\w-])--?[a-z][a-z0-9-]*")
# What the tools of GNU have, and those of a Mac have not or take otherwise.
GNU_ONLY = re.compile(
    r"\bsed +-(?:i|r)\b|\btac\b|\bgrep +-\w*P|\bhead +-n? *-|\bdate +-d|\breadlink +-f"
    r"|\bstat +-c|\bshuf\b|\b(?:md5|sha256)sum\b|\bxargs +-\w*r|\becho +-e|\btimeout +\d"
)
# At its prompt zsh, the shell of a Mac, takes a comment for words of the command.
REMARK = re.compile(r"(?:^|\s)#.*", re.MULTILINE)
HEREDOC = re.compile(r"<<'?(\w+)'?$.*?^\1$", re.MULTILINE | re.DOTALL)


def code(one):
    """Return what a page shows as code of a shell: fences, and code spans."""
    found = [
        token.content
        for token in one.tokens
        if token.type == "fence" and token.info in {"sh", "yaml"}
    ]
    for token in one.tokens:
        found += [part.content for part in token.children or [] if part.type == "code_inline"]
    return [text.replace("\\\n", " ") for text in found]


def called(text):
    """Yield the words of each command that a text calls, and the options it gives it."""
    for told in COMMAND.findall(re.sub(r"\"[^\"]*\"|'[^']*'", "''", text)):
        said = tuple(told.split())
        yield next((said[:n] for n in (3, 2, 1) if said[:n] in OPTIONS), said), OPTION.findall(told)


@pytest.mark.parametrize("one", PAGES, ids=lambda one: one.name)
def test_each_command_is_there_with_its_options(one):
    absent = [
        (words, options)
        for text in code(one)
        for words, options in called(text)
        if words not in OPTIONS or not set(options) <= OPTIONS[words]
    ]
    assert not absent


@pytest.mark.parametrize("one", PAGES, ids=lambda one: one.name)
def test_an_option_that_is_named_alone_is_one_of_some_command(one):
    known = set().union(*OPTIONS.values())
    alone = [
        text for text in code(one) if re.fullmatch(r"--(?!veridical)[a-z][a-z-]+(?: .*)?", text)
    ]
    assert not [text for text in alone if text.split()[0] not in known]


@pytest.mark.parametrize("one", PAGES, ids=lambda one: one.name)
def test_shells_of_every_machine_know_what_is_called(one):
    assert not GNU_ONLY.findall("\n".join(code(one)))
    shown = [token.content for token in one.tokens if token.type == "fence" and token.info == "sh"]
    assert not REMARK.findall(HEREDOC.sub("", "\n".join(shown)))
