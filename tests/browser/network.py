"""A wire between browser and server that can be cut: connections break, and none can be made until it is mended."""

from __future__ import annotations

import contextlib
import socket
import threading
from types import TracebackType


class Wire:
    """Listens on a port of its own and passes every byte on to `target`."""

    def __init__(self) -> None:
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = int(self.listener.getsockname()[1])
        self.url = f"http://127.0.0.1:{self.port}"
        self.target = 0
        self.whole = True
        self.ends: set[socket.socket] = set()
        self.lock = threading.Lock()
        threading.Thread(target=self.listen, daemon=True).start()

    def listen(self) -> None:
        with contextlib.suppress(OSError):  # closed
            while True:
                near, _ = self.listener.accept()
                self.join(near)

    def join(self, near: socket.socket) -> None:
        with self.lock:
            if not self.whole:
                near.close()
                return
            try:
                far = socket.create_connection(("127.0.0.1", self.target))
            except OSError:
                near.close()
                return
            self.ends |= {near, far}
        for source, sink in ((near, far), (far, near)):
            threading.Thread(target=self.carry, args=(source, sink), daemon=True).start()

    def carry(self, source: socket.socket, sink: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while data := source.recv(65536):
                sink.sendall(data)
        self.drop(source, sink)

    def drop(self, *ends: socket.socket) -> None:
        with self.lock:
            self.ends -= set(ends)
        for end in ends:
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
            end.close()

    def cut(self) -> None:
        with self.lock:
            self.whole = False
            ends = tuple(self.ends)
        self.drop(*ends)

    def mend(self) -> None:
        with self.lock:
            self.whole = True

    def __enter__(self) -> Wire:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.cut()
        self.listener.close()
