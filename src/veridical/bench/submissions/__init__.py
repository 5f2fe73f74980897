"""``submission/1``: the strict parser, its reason codes, and the lenient shadow that is counted."""
