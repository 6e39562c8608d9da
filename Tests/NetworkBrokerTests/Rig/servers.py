"""The far end of the test's network: it notes who came, where to, and with which word."""

import json
import os
import socket
import ssl
import threading

LARGE = 8 << 20


class Servers:
    def __init__(self, arrivals, certificate=None):
        self.arrivals = arrivals
        self.certificate = certificate

    def note(self, connection, word):
        where = connection.getsockname()
        line = json.dumps({"address": where[0].removeprefix("::ffff:"), "port": where[1], "word": word})
        with open(self.arrivals, "a") as out:
            out.write(line + "\n")

    def http(self, connection):
        data = b""
        while b"\r\n\r\n" not in data:
            more = connection.recv(65536)
            if not more:
                return
            data += more
        word = data.split()[1].decode("ascii", "replace").lstrip("/")
        self.note(connection, word)
        body = b"x" * LARGE if word.startswith("large") else b"answer to " + word.encode()
        connection.sendall(
            b"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: %d\r\n\r\n" % len(body) + body)

    def echo(self, connection):
        """Says back what came, once the other end has finished sending."""
        data = b""
        while more := connection.recv(65536):
            data += more
        self.note(connection, data.decode("ascii", "replace")[:200])
        connection.sendall(b"heard " + data)

    def hold(self, connection):
        """Notes the beginning and the end of a connection."""
        word = connection.recv(200).decode("ascii", "replace")
        self.note(connection, "begin " + word)
        try:
            connection.recv(200)
        except OSError:
            pass
        self.note(connection, "end " + word)

    def listen(self, port, handler, tls=False, address="::"):
        family = socket.AF_INET6 if ":" in address else socket.AF_INET
        listener = socket.socket(family, socket.SOCK_STREAM)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if family == socket.AF_INET6:
            listener.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)
        # So that fast open works here, when somebody tries it.
        listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_FASTOPEN, 16)
        listener.bind((address, port))
        listener.listen(256)
        context = None
        if tls:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(*self.certificate)

        def serve(connection):
            try:
                if context:
                    connection = context.wrap_socket(connection, server_side=True)
                handler(connection)
                connection.shutdown(socket.SHUT_WR)
                connection.recv(1)
            except OSError:
                pass
            finally:
                connection.close()

        def accept():
            while True:
                connection, _ = listener.accept()
                threading.Thread(target=serve, args=(connection,), daemon=True).start()

        threading.Thread(target=accept, daemon=True).start()

    def datagrams(self, port):
        """Notes what comes by UDP."""
        receiver = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        receiver.bind(("0.0.0.0", port))

        def receive():
            while True:
                data, _ = receiver.recvfrom(2000)
                with open(self.arrivals, "a") as out:
                    out.write(json.dumps({"address": "udp", "port": port, "word": data.decode()}) + "\n")

        threading.Thread(target=receive, daemon=True).start()

    def local(self, name):
        """A local service by an abstract name."""
        listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        listener.bind("\0" + name)
        listener.listen(16)

        def accept():
            while True:
                connection, _ = listener.accept()
                word = connection.recv(200).decode()
                with open(self.arrivals, "a") as out:
                    out.write(json.dumps({"address": "local", "port": 0, "word": word}) + "\n")
                connection.close()

        threading.Thread(target=accept, daemon=True).start()
