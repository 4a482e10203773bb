"""Connect Four for Turntile. `game.py` is the table of contents."""
