"""A bot for every game of Turntile: any legal action. Python, no dependency. Start here.

turntile run tron -s 'cmd:python3 random_bot.py' -s greedy
"""

import json
import random
import sys


def choose(turn):
    """Your part: look at turn["view"], return the text of an action."""
    return random.choice(turn["legal"])


def say(**message):
    print(json.dumps(message), flush=True)


for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        say(type="id", name="random in Python")
        say(type="ready")
    elif message["type"] == "newgame":
        random.seed(message["seed"])
        say(type="ready")
    elif message["type"] == "turn":
        say(type="info", text=f"{message['legal_count']} actions are legal")
        say(type="move", seq=message["seq"], action=choose(message))
    elif message["type"] == "quit":
        break
