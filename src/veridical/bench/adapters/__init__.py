"""Ways to plug in an agent that is not ours: a function, a program, an endpoint, recorded lines."""
