"""The LLM judge: contracts, prompts, one client, and how far it can be trusted."""
