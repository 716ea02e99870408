"""A wire between a client and a server that a test cuts at the moment that it chooses."""

from __future__ import annotations

import select
import socket
import threading


class Proxy:
    """Forwards bytes; `cut` names what it waits for, `deliver` whether the server gets it still."""

    def __init__(self, port: int) -> None:
        self.server = ("127.0.0.1", port)
        self.cut = b""
        self.deliver = False
        self._door = socket.create_server(("127.0.0.1", 0))
        self.port = int(self._door.getsockname()[1])
        threading.Thread(target=self._listen, daemon=True).start()

    def close(self) -> None:
        """Nobody else gets in."""
        self._door.shutdown(socket.SHUT_RDWR)
        self._door.close()

    def _listen(self) -> None:
        while True:
            try:
                client, _ = self._door.accept()
            except OSError:
                return
            wires = (client, socket.create_connection(self.server))
            threading.Thread(target=self._carry, args=wires, daemon=True).start()

    def _carry(self, client: socket.socket, server: socket.socket) -> None:
        with client, server:
            while True:
                for one in select.select([client, server], [], [])[0]:
                    data = one.recv(65536)
                    if not data:
                        return
                    if one is client and self.cut and self.cut in data:
                        self.cut = b""
                        if self.deliver:
                            server.sendall(data)
                            server.recv(65536)  # it has done it: the answer goes no further
                        return
                    (server if one is client else client).sendall(data)
