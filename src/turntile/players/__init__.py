"""Players: where actions come from. The host asks them, measures how long they take and keeps the replay."""
