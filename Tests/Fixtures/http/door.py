"""What the tests of the HTTP door share: they speak by Python's own client, or by sockets."""
import gzip
import http.client
import json
import os
import socket
import struct
import urllib.parse

ADDRESS = urllib.parse.urlsplit(os.environ["ASSENT_ADDRESS"])
KEY = os.environ["ASSENT_KEY"]
ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../..")
SERVICE = "/assent.interop.v1.InteropService/"
END, TRAILERS = 0x02, 0x80


def connect(timeout=20, source=None):
    return http.client.HTTPConnection(
        ADDRESS.hostname, ADDRESS.port, timeout=timeout, source_address=source and (source, 0))


def raw(timeout=20, source=None):
    return socket.create_connection(
        (ADDRESS.hostname, ADDRESS.port), timeout=timeout, source_address=source and (source, 0))


def headers(kind="application/json", **more):
    named = {name.replace("_", "-"): value for name, value in more.items()}
    return {"Content-Type": kind, "Authorization": f"Bearer {KEY}", **named}


def call(method, body, kind="application/json", connection=None, verb="POST", **more):
    """Makes a call; returns the response with its body in `content`."""
    own = connection or connect()
    data = json.dumps(body).encode() if isinstance(body, dict) else body
    own.request(verb, SERVICE + method, data, headers(kind, **more))
    response = own.getresponse()
    response.content = response.read()
    if connection is None:
        own.close()
    return response


def frame(payload, flags=0):
    return struct.pack(">BI", flags, len(payload)) + payload


def frames(data):
    found = []
    while data:
        flags, length = struct.unpack(">BI", data[:5])
        assert len(data) >= 5 + length, "a frame is cut short"
        found.append((flags, data[5 : 5 + length]))
        data = data[5 + length :]
    return found


def varint(number):
    out = b""
    while number > 127:
        out += bytes([number & 127 | 128])
        number >>= 7
    return out + bytes([number])


def request_head(method, length, **more):
    lines = [f"POST {SERVICE}{method} HTTP/1.1", "Host: here", f"Content-Length: {length}"]
    lines += [f"{name}: {value}" for name, value in headers(**more).items()]
    return ("\r\n".join(lines) + "\r\n\r\n").encode()


def read_all(connection):
    data = b""
    while part := connection.recv(65536):
        data += part
    return data


def is_closed(connection, within):
    """Whether the other side ends the connection in time."""
    connection.settimeout(within)
    try:
        while connection.recv(65536):
            pass
        return True
    except TimeoutError:
        return False
    except ConnectionError:
        return True


def unpacked(response):
    if response.getheader("content-encoding") == "gzip":
        return gzip.decompress(response.content)
    return response.content
