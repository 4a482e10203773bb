"""SEWorms: two teams of worms on a map seen from the side, with gravity and six weapons."""
