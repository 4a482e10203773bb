"""RoboRace: program a robot with five of seven cards, then watch the factory hall act."""
