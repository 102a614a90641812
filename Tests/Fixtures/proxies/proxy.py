"""A proxy before a door on this machine: nginx or haproxy.

proxy.py nginx|haproxy FOLDER PORT probed|lenient|calls

It listens at two ports, for HTTP/1.1 and for HTTP/2 without TLS, and says `listening ONE TWO`. At SIGTERM it ends, and
says `forwarded CLIENT STATUS` of each request that it has passed on to the door, or has begun to, and `answered CLIENT`
of the others.

`calls` is as docs/operating.md has it: Connect by HTTP/1.1, gRPC by HTTP/2. `probed` passes everything on by HTTP/1.1,
with the client's address before each path, so that no other request can look like one of the proxy's, and gives up on
slow clients at once. `lenient` is the same, and forgives what the proxy can be told to forgive.
"""
import os
import signal
import socket
import subprocess
import sys
import time

NGINX = """
daemon off; master_process off; pid {folder}/pid; error_log {folder}/errors;
events {{ worker_connections 1024; }}
http {{
  client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy; fastcgi_temp_path {folder}/fastcgi;
  uwsgi_temp_path {folder}/uwsgi; scgi_temp_path {folder}/scgi;
  log_format told '$remote_addr $upstream_addr $upstream_status'; access_log {folder}/log told;
  upstream door {{ server 127.0.0.1:{door}; keepalive 16; }}
  upstream grpc {{ server 127.0.0.1:{door}; keepalive 16; }}
  {settings}
}}
"""

NGINX_PROBED = """
  keepalive_timeout 200ms; client_header_timeout 300ms; client_body_timeout 300ms; lingering_close off;
  ignore_invalid_headers {strict}; underscores_in_headers {lenient};
  server {{
    listen 127.0.0.1:{one}; listen 127.0.0.1:{two} http2;
    location / {{
      proxy_pass http://door/$remote_addr$request_uri; proxy_http_version 1.1; proxy_set_header Connection "";
      proxy_request_buffering off;
    }}
  }}
"""

NGINX_CALLS = """
  client_max_body_size 0;
  server {{
    listen 127.0.0.1:{one};
    location / {{
      proxy_pass http://door; proxy_http_version 1.1; proxy_set_header Connection ""; proxy_set_header Host $host;
      proxy_set_header X-Forwarded-For $remote_addr; proxy_request_buffering off; proxy_buffering off;
      proxy_read_timeout 1d;
    }}
  }}
  server {{
    listen 127.0.0.1:{two} http2;
    location / {{
      grpc_pass grpc://grpc; grpc_set_header X-Forwarded-For $remote_addr; grpc_read_timeout 1d; grpc_send_timeout 1d;
      client_body_timeout 1d;
    }}
  }}
"""

HAPROXY = """
global
  log stdout format raw local0
  maxconn 1000
  hard-stop-after 10s
defaults
  mode http
  log global
  log-format "%ci %s %ST"
  timeout connect 5s
{settings}
"""

HAPROXY_PROBED = """
  timeout client 300ms
  timeout http-request 300ms
  timeout http-keep-alive 200ms
  timeout server 1s
frontend both
  bind 127.0.0.1:{one}
  bind 127.0.0.1:{two} proto h2
  {forgiving}
  http-request set-path /%[src]%[path]
  default_backend door
backend door
  http-reuse always
  server door 127.0.0.1:{door}
"""

HAPROXY_CALLS = """
  timeout client 1d
  timeout server 1d
  option forwardfor
  option abortonclose
frontend one
  bind 127.0.0.1:{one}
  default_backend connect
frontend two
  bind 127.0.0.1:{two} proto h2
  default_backend grpc
backend connect
  server door 127.0.0.1:{door}
backend grpc
  server door 127.0.0.1:{door} proto h2
"""

# haproxy writes of a request when both of its sides have ended; its client may have seen the end before that.
GENTLE_END = {"nginx": signal.SIGTERM, "haproxy": signal.SIGUSR1}


def main():
    if len(sys.argv) != 5 or "--help" in sys.argv:
        print(__doc__.strip())
        sys.exit("--help" not in sys.argv)
    kind, folder, door, use = sys.argv[1:]
    # Between the choice of a port and its use another program may take it.
    for _ in range(5):
        ports = free_ports(2)
        proxy = start(kind, folder, door, use, *ports)
        if is_listening(proxy, ports):
            break
        proxy.kill()
    else:
        sys.exit(f"{kind} does not listen; {folder}/errors says why")
    signal.signal(signal.SIGTERM, lambda *_: proxy.send_signal(GENTLE_END[kind]))
    print("listening", *ports, flush=True)
    proxy.wait()
    with open(f"{folder}/log") as log:
        for client, where in (line.split(" ", 1) for line in log.read().splitlines() if line.startswith("127.")):
            server, _, status = where.strip().rpartition(" ")
            print(*(("answered", client) if server in ("-", "<NOSRV>") else ("forwarded", client, status)))


def start(kind, folder, door, use, one, two):
    lenient = use == "lenient"
    words = {"folder": folder, "door": door, "one": one, "two": two}
    if kind == "nginx":
        text = NGINX_CALLS if use == "calls" else NGINX_PROBED
        settings = text.format(strict="off" if lenient else "on", lenient="on" if lenient else "off", **words)
        return run([*program("nginx"), "-p", folder, "-c", written(folder, NGINX.format(settings=settings, **words))],
                   folder, log=f"{folder}/output")
    text = HAPROXY_CALLS if use == "calls" else HAPROXY_PROBED
    settings = text.format(forgiving="option accept-invalid-http-request" if lenient else "", **words)
    return run([*program("haproxy"), "-db", "-f", written(folder, HAPROXY.format(settings=settings))],
               folder, log=f"{folder}/log")


def program(name):
    """Debian has them where only root looks."""
    places = [*os.environ.get("PATH", "").split(":"), "/usr/sbin"]
    return [next((f"{place}/{name}" for place in places if os.access(f"{place}/{name}", os.X_OK)), name)]


def written(folder, text):
    with open(f"{folder}/settings", "w") as file:
        file.write(text)
    return file.name


def run(command, folder, log):
    with open(log, "w") as output, open(f"{folder}/errors", "a") as errors:
        return subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=output, stderr=errors)


def free_ports(count):
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [each.getsockname()[1] for each in sockets]
    for each in sockets:
        each.close()
    return ports


def is_listening(proxy, ports):
    for port in ports:
        while True:
            try:
                socket.create_connection(("127.0.0.1", port), timeout=1).close()
                break
            except OSError:
                if proxy.poll() is not None:
                    return False
                time.sleep(0.01)
    return True


main()
