"""The rummy hand log, RHL 1: what a log says, and nothing about what is right."""
