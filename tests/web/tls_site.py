"""The server behind TLS, as browsers require it for a service worker: a certificate of its own and a proxy of bytes."""

from __future__ import annotations

import datetime
import ipaddress
import socket
import ssl
import threading
from collections.abc import Callable
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from tests.web.browser import Site

#: Chromium refuses the service worker of a certificate it does not know, unless it is started with this
TRUSTING = "--ignore-certificate-errors"


def write_certificate(path: Path) -> None:
    """Write a key and a certificate of one day for 127.0.0.1."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "127.0.0.1")])
    now = datetime.datetime.now(datetime.UTC)
    address = x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))])
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(hours=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(address, critical=False)
        .sign(key, hashes.SHA256())
    )
    plain = serialization.NoEncryption()
    pem = key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, plain)
    path.write_bytes(pem + certificate.public_bytes(serialization.Encoding.PEM))


def copy_bytes(source: socket.socket, target: socket.socket, answer: Callable[[bytes], bytes] = lambda _: b"") -> None:
    """Copy until either side ends, then end both. What ``answer`` returns for a request is sent back instead."""
    try:
        while data := source.recv(65536):
            if instead := answer(data):
                source.sendall(instead)
            else:
                target.sendall(data)
    except OSError:
        pass
    for each in (source, target):
        try:
            each.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass


class TlsSite(Site):
    """A site whose page is loaded over HTTPS."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.behind = self.url
        #: the service worker of a newer version, if there is one
        self.newer: bytes = b""
        write_certificate(folder / "tls.pem")
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(folder / "tls.pem")
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=64)
        self.front = f"https://127.0.0.1:{self.listener.getsockname()[1]}"
        threading.Thread(target=self.serve, args=[context], daemon=True).start()

    def serve(self, context: ssl.SSLContext) -> None:
        while True:
            try:
                accepted = self.listener.accept()[0]
            except OSError:
                return
            threading.Thread(target=self.forward, args=[context, accepted], daemon=True).start()

    def forward(self, context: ssl.SSLContext, accepted: socket.socket) -> None:
        """Answer one connection; close it if the server is away."""
        with accepted:
            try:
                with (
                    context.wrap_socket(accepted, server_side=True) as client,
                    socket.create_connection(("127.0.0.1", self.port), timeout=5) as server,
                ):
                    server.settimeout(None)
                    answers = threading.Thread(target=copy_bytes, args=[server, client], daemon=True)
                    answers.start()
                    copy_bytes(client, server, self.newer_worker)
                    answers.join()
            except OSError:
                pass

    def newer_worker(self, request: bytes) -> bytes:
        """Return the answer to a request for the service worker of a newer version; empty for all others."""
        if not self.newer or not request.startswith(b"GET /sw.js "):
            return b""
        head = f"HTTP/1.1 200 OK\r\ncontent-type: text/javascript\r\ncontent-length: {len(self.newer)}\r\n\r\n"
        return head.encode() + self.newer

    def start(self) -> None:
        self.url = self.behind
        super().start()
        self.url = self.front

    def leave(self) -> None:
        """Stop the server and the proxy."""
        self.kill()
        self.listener.close()
