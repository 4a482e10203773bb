"""A bot for every game of Turntile as a function, without any protocol: it runs inside turntile itself.

turntile run tron -s function_bot.py -s greedy
"""


def bot(observation):
    """Look at observation.view, return the text of an action."""
    return observation.random.choice(observation.legal)
