"""Cases that nobody had to write: attacks, questions without an answer, drafts to be checked.

Everything is drawn from a seed, and is the same to the byte for the same corpus, cases and seed;
every case says in ``metadata.generated`` how it was made.
"""

from veridical.rag.generate.corpus import Corpus, Document, read_corpus
from veridical.rag.generate.injection import injection_cases
from veridical.rag.generate.made import Generated, check_output, write_generated
from veridical.rag.generate.unanswerable import unanswerable_cases

__all__ = [
    "Corpus",
    "Document",
    "Generated",
    "check_output",
    "injection_cases",
    "read_corpus",
    "unanswerable_cases",
    "write_generated",
]
