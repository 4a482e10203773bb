"""Screens: a scene drawn in the terminal, as plain lines, as SVG, PNG, GIF and one HTML file.

No screen knows a game: all they draw is `turntile.core.scene`. Colours never carry a meaning
alone; a shape, a texture or a word always says the same.
"""
