"""A bot for every game of Turntile that plays on a server: it reads streams of JSON lines and posts moves, in lichess's
shape. It opens all connections itself, so it runs behind any router. Python, no dependency.

TURNTILE_TOKEN=tt_... python3 remote_bot.py https://arena.example

Make the bot and its token on the page /bots of the server. It accepts every challenge and plays until you stop it.
"""

import json
import os
import random
import sys
import threading
import time
import urllib.error
import urllib.parse
import urllib.request


def choose(state):
    """Your part: look at state["view"], return the text of an action."""
    return random.choice(state["legal"])


class Server:
    def __init__(self, address, token):
        self.address = address.rstrip("/")
        self.headers = {"Authorization": f"Bearer {token}"}

    def post(self, path):
        request = urllib.request.Request(self.address + path, data=b"", headers=self.headers, method="POST")
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as error:
            print(f"{path}: {json.load(error).get('detail')}", file=sys.stderr)
            return None

    def lines(self, path):
        """The messages of a stream; the blank lines between them only keep it alive."""
        request = urllib.request.Request(self.address + path, headers=self.headers)
        with urllib.request.urlopen(request, timeout=60) as stream:
            for line in stream:
                if line.strip():
                    yield json.loads(line)


def play(server, game):
    """One match, until its stream ends."""
    moved = -1
    for message in server.lines(f"/api/bot/game/stream/{game}"):
        state = message["state"] if message["type"] == "gameFull" else message
        if message["type"] in ("gameFull", "gameState") and state:
            if state.get("my_turn") and state["step"] > moved:
                moved = state["step"]
                action = urllib.parse.quote(choose(state), safe="")
                server.post(f"/api/bot/game/{game}/move/{action}?step={moved}&seq={state['next_seq']}")
            if state.get("outcome"):
                print(f"{game}: {state['outcome']['reason']}", flush=True)


def listen(server):
    playing = set()
    for event in server.lines("/api/stream/event"):
        if event["type"] == "challenge":
            server.post(f"/api/challenge/{event['challenge']['id']}/accept")
        elif event["type"] == "gameStart" and event["game"]["id"] not in playing:
            playing.add(event["game"]["id"])
            threading.Thread(target=play, args=(server, event["game"]["id"]), daemon=True).start()


if __name__ == "__main__":
    server = Server(sys.argv[1], os.environ["TURNTILE_TOKEN"])
    while True:
        try:
            listen(server)
        except OSError as error:
            print(f"the stream ended: {error}", file=sys.stderr)
        time.sleep(2)  # and come again: the stream begins with all that is going on
