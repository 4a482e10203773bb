"""A bot for every game of Turntile as a web server, in Battlesnake's shape. Python, no dependency.

python3 webhook_bot.py 9000 &
turntile run tron -s http://127.0.0.1:9000 -s greedy
"""

import json
import random
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


def choose(request):
    """Your part: look at request["board"], return the text of an action."""
    return random.choice(request["legal"])


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"  # keeps the connection: a move costs half a millisecond less

    def do_GET(self):
        self.answer({"apiversion": "1", "author": "you", "version": "1"})

    def do_POST(self):
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if self.path == "/move":
            self.answer({"move": choose(request), "shout": f"{request['legal_count']} actions are legal"})
        else:  # /start and /end
            self.answer({})

    def answer(self, content):
        body = json.dumps(content).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments):
        pass


if __name__ == "__main__":
    server = ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1]) if len(sys.argv) > 1 else 9000), Handler)
    print(f"listening on http://127.0.0.1:{server.server_port}", flush=True)
    server.serve_forever()
