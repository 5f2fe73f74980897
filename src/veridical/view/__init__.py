"""The local viewer of a run store: ``veridical view`` (extra ``view``).

Pages are made on the server, and work without JavaScript.  Nothing here writes to the store.
"""
