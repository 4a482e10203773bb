"""Speed, side by side with peers and with the limit. `python -m bench` prints the table."""
