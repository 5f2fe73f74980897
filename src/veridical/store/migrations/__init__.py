"""How each version of the schema is reached from the one before."""
