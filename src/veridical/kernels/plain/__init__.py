"""The numpy twins: the definition of every kernel, and its replacement without a compiler."""
