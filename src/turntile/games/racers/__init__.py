"""Rowdy Racers: two racers, light trails and things to throw. `game.py` is the folder's table of contents."""
