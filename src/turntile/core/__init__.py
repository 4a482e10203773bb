"""Core: what every game is made of. Nothing here does I/O, reads a clock or owns chance."""
