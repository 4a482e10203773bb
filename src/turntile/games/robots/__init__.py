"""Robot fight: build a robot of ten slots, then find and destroy the others by radar."""
