"""A gateway's gRPC over TLS.

encrypted.py TARGET TOKEN CERTIFICATE
"""

import pathlib
import socket
import ssl
import sys

import grpc

TARGET, TOKEN, CERTIFICATE = sys.argv[1:4]
HOST, PORT = TARGET.rsplit(":", 1)


def handshake(protocols, least=ssl.TLSVersion.TLSv1_2, most=ssl.TLSVersion.TLSv1_3):
    context = ssl.create_default_context(cafile=CERTIFICATE)
    context.set_alpn_protocols(protocols)
    context.minimum_version, context.maximum_version = least, most
    with socket.create_connection((HOST, int(PORT)), timeout=10) as plain:
        with context.wrap_socket(plain, server_hostname="localhost") as session:
            return session.version(), session.selected_alpn_protocol()


credentials = grpc.ssl_channel_credentials(pathlib.Path(CERTIFICATE).read_bytes())
options = [("grpc.ssl_target_name_override", "localhost"), ("grpc.max_receive_message_length", 64 << 20)]
with grpc.secure_channel(TARGET, credentials, options=options) as channel:
    path = "/assent.interop.v1.InteropService/"
    metadata = [("authorization", f"Bearer {TOKEN}")]
    empty = channel.unary_unary(f"{path}EmptyCall", request_serializer=bytes, response_deserializer=bytes)
    for _ in range(100):
        assert empty(b"", metadata=metadata, timeout=10) == b""
    # UnaryCallRequest { response_size: 5,000,000 }
    large = channel.unary_unary(f"{path}UnaryCall", request_serializer=bytes, response_deserializer=bytes)
    assert len(large(b"\x08\xc0\x96\xb1\x02", metadata=metadata, timeout=30)) > 5_000_000

assert handshake(["h2"]) == ("TLSv1.3", "h2")
assert handshake(["h2"], most=ssl.TLSVersion.TLSv1_2) == ("TLSv1.2", "h2")
assert handshake(["http/1.1"]) == ("TLSv1.3", "http/1.1")
assert handshake(["http/1.1", "h2"]) == ("TLSv1.3", "h2")
try:
    handshake(["spdy/3"])
    sys.exit("a client of another protocol was let in")
except ssl.SSLError as error:
    assert "NO_APPLICATION_PROTOCOL" in str(error).upper().replace(" ", "_"), error

with socket.create_connection((HOST, int(PORT)), timeout=10) as plain:
    plain.sendall(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")
    plain.settimeout(10)
    while plain.recv(4096):
        pass
