"""Tron: light cycles that must not crash. `game.py` is the folder's table of contents."""
