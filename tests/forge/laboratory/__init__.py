"""A game that is none: rules that do arithmetic on demand, so that both gears can be compared."""
