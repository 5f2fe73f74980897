"""The report of one suite and several agents: terminal, Markdown, JSON and one HTML file."""
