"""Agents: the protocol, and those that are shipped as floors, ceilings and examples."""
