"""The games. Each folder is one game; they do not know each other."""
