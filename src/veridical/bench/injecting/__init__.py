"""Instructions hidden in the bank's data: what they say, where, how written, and which balance."""
