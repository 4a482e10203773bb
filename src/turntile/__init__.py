"""Turntile: an arena for turn-based games on a grid."""

__version__ = "0.1.0"
