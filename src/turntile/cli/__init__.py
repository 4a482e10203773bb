"""The command turntile. Each command loads what it needs when it is called, so that none waits for the others."""
