"""Reports: tables for the terminal, Markdown, figures, and one self-contained HTML file."""
