"""How databases of earlier versions are brought up to date, and new ones are made."""
