"""How far a judge can be trusted: its verdicts beside labels that people gave."""
