"""The page about frameworks: its examples are run, against objects that are called as theirs are.

Where a framework is installed its own objects are tried as well.
"""

import asyncio
import importlib.util
import re
import sys
from pathlib import Path

import pytest

from veridical.rag.adapters import adapter
from veridical.rag.answers import Answer, Chunk
from veridical.rag.cases import Case
from veridical.rag.configuration import read_configuration

PAGE = Path(__file__).parents[3] / "docs" / "how-to" / "rag-frameworks.md"
BLOCKS = {
    name: text
    for text in re.findall(r"```python\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    for name in re.findall(r"\A# (\w+)\.py\n", text)
}
QUESTION = "How much is a ticket?"
ANSWER = "A ticket costs 2 euros."

# What each example takes from the application, made of nothing but the calls that it makes.
ALIKE = {
    "langchain_rag": f"""
class Document:
    def __init__(self, id, page_content):
        self.id, self.page_content = id, page_content

class Retriever:
    def invoke(self, question):
        assert question == {QUESTION!r}
        return [Document("fees", "Tickets: 2 euros."), Document("dogs", "Dogs travel free.")]

class Message:
    content = {ANSWER!r}

class Chain:
    def invoke(self, given):
        assert given["question"] == {QUESTION!r}
        assert given["context"] == "Tickets: 2 euros.\\n\\nDogs travel free."
        return Message()

retriever, chain = Retriever(), Chain()
""",
    "llamaindex_rag": f"""
class Node:
    def __init__(self, node_id, text, ref_doc_id):
        self.node_id, self.ref_doc_id, self._text = node_id, ref_doc_id, text
    def get_content(self):
        return self._text

class Found:
    def __init__(self, node, score):
        self.node, self.score = node, score

class Response:
    source_nodes = [
        Found(Node("fees", "Tickets: 2 euros.", "fares"), 0.9),
        Found(Node("dogs", "Dogs travel free.", None), None),
    ]
    def __str__(self):
        return {ANSWER!r}

class Engine:
    async def aquery(self, question):
        assert question == {QUESTION!r}
        return Response()

query_engine = Engine()
""",
    "haystack_rag": f"""
class Document:
    def __init__(self, id, content, score):
        self.id, self.content, self.score = id, content, score

class Pipeline:
    def run(self, data, include_outputs_from):
        assert include_outputs_from == {{"retriever"}}
        assert {{part: given["query"] for part, given in data.items()}} == {{
            "retriever": {QUESTION!r}, "prompt_builder": {QUESTION!r}
        }}
        documents = [
            Document("fees", "Tickets: 2 euros.", 0.9), Document("dogs", "Dogs travel free.", None)
        ]
        return {{"retriever": {{"documents": documents}}, "llm": {{"replies": [{ANSWER!r}]}}}}

rag = Pipeline()
""",
}

# The same application, made of the framework's own classes.
REAL = {
    "langchain_rag": f"""
from langchain_core.documents import Document
from langchain_core.language_models.fake_chat_models import FakeListChatModel
from langchain_core.prompts import ChatPromptTemplate
from langchain_core.retrievers import BaseRetriever

class Retriever(BaseRetriever):
    def _get_relevant_documents(self, query, *, run_manager):
        return [
            Document("Tickets: 2 euros.", id="fees"), Document("Dogs travel free.", id="dogs")
        ]

retriever = Retriever()
prompt = ChatPromptTemplate.from_template("{{context}}\\n\\n{{question}}")
chain = prompt | FakeListChatModel(responses=[{ANSWER!r}])
""",
    "llamaindex_rag": f"""
from llama_index.core import get_response_synthesizer
from llama_index.core.llms import CustomLLM, CompletionResponse, LLMMetadata
from llama_index.core.query_engine import RetrieverQueryEngine
from llama_index.core.retrievers import BaseRetriever
from llama_index.core.schema import NodeRelationship, NodeWithScore, RelatedNodeInfo, TextNode

class Retriever(BaseRetriever):
    def _retrieve(self, query_bundle):
        source = {{NodeRelationship.SOURCE: RelatedNodeInfo(node_id="fares")}}
        fees = TextNode(id_="fees", text="Tickets: 2 euros.", relationships=source)
        dogs = TextNode(id_="dogs", text="Dogs travel free.")
        return [NodeWithScore(node=fees, score=0.9), NodeWithScore(node=dogs)]

class Model(CustomLLM):
    @property
    def metadata(self):
        return LLMMetadata()
    def complete(self, prompt, formatted=False, **kwargs):
        return CompletionResponse(text={ANSWER!r})
    def stream_complete(self, prompt, formatted=False, **kwargs):
        yield self.complete(prompt)

query_engine = RetrieverQueryEngine(Retriever(), get_response_synthesizer(llm=Model()))
""",
    "haystack_rag": f"""
from haystack import Document, Pipeline, component
from haystack.components.builders import PromptBuilder

@component
class Retriever:
    @component.output_types(documents=list[Document])
    def run(self, query: str):
        fees = Document(id="fees", content="Tickets: 2 euros.", score=0.9)
        return {{"documents": [fees, Document(id="dogs", content="Dogs travel free.")]}}

@component
class Model:
    @component.output_types(replies=list[str])
    def run(self, prompt: str):
        return {{"replies": [{ANSWER!r}]}}

rag = Pipeline()
rag.add_component("retriever", Retriever())
rag.add_component("prompt_builder", PromptBuilder("{{{{ documents }}}} {{{{ query }}}}"))
rag.add_component("llm", Model())
rag.connect("retriever.documents", "prompt_builder.documents")
rag.connect("prompt_builder.prompt", "llm.prompt")
""",
}
NEEDS = {
    "langchain_rag": "langchain_core",
    "llamaindex_rag": "llama_index.core",
    "haystack_rag": "haystack",
}
FOUND = {
    "langchain_rag": (Chunk("fees", "Tickets: 2 euros."), Chunk("dogs", "Dogs travel free.")),
    "llamaindex_rag": (
        Chunk("fees", "Tickets: 2 euros.", 0.9, {"document_id": "fares"}),
        Chunk("dogs", "Dogs travel free.", None, {"document_id": None}),
    ),
    "haystack_rag": (Chunk("fees", "Tickets: 2 euros.", 0.9), Chunk("dogs", "Dogs travel free.")),
}


@pytest.fixture
def fresh():
    """Forget the modules that a test imported."""
    before, path = set(sys.modules), list(sys.path)
    yield
    sys.path[:] = path
    for name in {"my_app", *BLOCKS} & (set(sys.modules) - before):
        del sys.modules[name]


def answered(folder, name, application):
    """Return what the example makes of an application."""
    (folder / "my_app.py").write_text(application, encoding="utf-8")
    (folder / f"{name}.py").write_text(BLOCKS[name], encoding="utf-8")
    (yaml,) = re.findall(r"```yaml\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    configuration = yaml.replace("langchain_rag:", f"{name}:")
    (folder / "veridical.yaml").write_text(configuration, encoding="utf-8")

    async def ask():
        async with adapter(read_configuration(folder)) as made:
            return await made.answer(Case(id="c", question=QUESTION))

    return asyncio.run(ask()).answer


@pytest.mark.parametrize("name", ALIKE)
def test_the_examples(tmp_path, fresh, name):
    assert answered(tmp_path, name, ALIKE[name]) == Answer(ANSWER, (), FOUND[name])


@pytest.mark.parametrize("name", REAL)
def test_the_examples_with_the_frameworks_themselves(tmp_path, fresh, name):
    package = NEEDS[name].partition(".")[0]
    if importlib.util.find_spec(package) is None:
        pytest.skip(f"{package} is not installed")
    assert answered(tmp_path, name, REAL[name]) == Answer(ANSWER, (), FOUND[name])


def test_an_example_has_about_ten_lines():
    for name in ALIKE:
        lines = [line for line in BLOCKS[name].splitlines()[1:] if line.strip()]
        assert len(lines) <= 10, name


def test_citations_in_brackets():
    made: dict[str, object] = {}
    exec(BLOCKS["cited_ids"], made)  # noqa: S102 - the page's own
    assert made["cited_ids"]("2 euros [fees-1], free [dogs.md][x].") == ["fees-1", "dogs.md", "x"]


def test_scores_of_numpy_are_numbers(tmp_path, fresh):
    application = ALIKE["haystack_rag"].replace("0.9", "__import__('numpy').float32(0.5)")
    found = answered(tmp_path, "haystack_rag", application)
    assert found.retrieved_chunks[0].score == 0.5
