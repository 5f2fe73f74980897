"""What is shown of the facts, and how five kinds of file write it."""
