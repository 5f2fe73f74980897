"""Evaluation of RAG pipelines, case by case, on the ledger of the run store."""
