"""Starts a gateway, the services and a Prometheus, and asks Prometheus what each panel of the dashboard asks.

usage: test-monitoring.py PROGRAMS TOOLS

PROGRAMS is the folder of Assent's programs, TOOLS that of prometheus. Every expression of a panel must be understood
and, unless it counts what did not happen here, find series; every target must be up; every rule must be healthy.
"""

import json
import os
import pathlib
import re
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse
import urllib.request

if {"-h", "--help"} & set(sys.argv[1:]):
    sys.exit(print(__doc__))
PROGRAMS, TOOLS = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
MONITORING = pathlib.Path("compose/monitoring")
# What is counted only when it happens: calls at a door that this does not use, and refusals.
MAY_BE_EMPTY = ('protocol="grpc"', "assent_bus_refusals_total", 'code!="OK"')
started, problems, over = [], [], threading.Event()


def fail(why):
    print(f"✗ {why}", file=sys.stderr)
    sys.exit(1)


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def start(folder, name, command):
    with (folder / f"{name}.log").open("w") as log:
        started.append(subprocess.Popen(command, cwd=folder, stdout=log, stderr=subprocess.STDOUT))


def fetch(port, path, **query):
    url = f"http://127.0.0.1:{port}{path}" + ("?" + urllib.parse.urlencode(query) if query else "")
    with urllib.request.urlopen(url, timeout=10) as answer:
        return answer.read().decode()


def eventually(what, seconds, found):
    end, problem = time.monotonic() + seconds, None
    while time.monotonic() < end:
        try:
            if value := found():
                return value
            problem = None
        except OSError as error:
            problem = error
        time.sleep(0.2)
    fail(f"{what} within {seconds} s" + (f": {problem}" if problem else "") + "".join(f"\n{one}" for one in problems[:1]))


def secret(folder, name, digits=64):
    path = folder / name
    path.write_text(os.urandom(digits // 2).hex() + "\n")
    path.chmod(0o600)
    return str(path)


def api_key(folder):
    made = subprocess.run(
        [PROGRAMS / "assent", "keys", "api", "create", "monitoring", "--tenant", "acme", "--kind", "person", "--grants",
         "admin@*", "--api-key-list", folder / "api-keys"], capture_output=True, text=True, check=True)
    return re.search(r"ak_[\w-]+", made.stdout)[0]


def processes(folder):
    """Each process by the name of its job, with the port of its figures."""
    kinds = {
        "gateway": [
            "gateway", "--http-listen", "127.0.0.1:0", "--grpc-listen", "127.0.0.1:0", "--api-key-list",
            str(folder / "api-keys"),
        ],
        "consent": ["ConsentService"],
        "signature": ["SignatureService"],
        "account": ["AccountService"],
    }
    ports = {}
    for name, (program, *options) in kinds.items():
        ports[name] = free_port()
        command = [PROGRAMS / program, "--bus-folder", folder / "bus", "--ops-listen", f"127.0.0.1:{ports[name]}"]
        if name != "gateway":
            command += ["--data", folder / "data", "--master-key-file", secret(folder, f"{name}.key")]
        start(folder, name, [*map(str, command), *options])
        eventually(f"{name} was not ready", 60, lambda: fetch(ports[name], "/readyz"))
    return ports


def prometheus(folder, ports):
    """A Prometheus with the rules of the repository, and the jobs of its configuration at the ports here."""
    configuration = (MONITORING / "prometheus.yaml").read_text()
    jobs = re.findall(r"job_name: (\w+)", configuration)
    for job in ports:
        if job not in jobs:
            fail(f"compose/monitoring/prometheus.yaml has no job '{job}'")
    scrapes = [{"job_name": job, "static_configs": [{"targets": [f"127.0.0.1:{port}"]}]} for job, port in ports.items()]
    settings = {
        "global": {"scrape_interval": "1s", "evaluation_interval": "1s"},
        "rule_files": [str((MONITORING / "alerts.yaml").resolve())],
        "scrape_configs": scrapes,
    }
    # JSON is YAML.
    (folder / "prometheus.yaml").write_text(json.dumps(settings))
    port = free_port()
    start(folder, "prometheus", [
        str(TOOLS / "prometheus"), f"--config.file={folder}/prometheus.yaml", f"--storage.tsdb.path={folder}/series",
        f"--web.listen-address=127.0.0.1:{port}",
    ])
    eventually("Prometheus was not ready", 60, lambda: fetch(port, "/-/ready"))
    return port


def check_targets(port, ports):
    def all_up():
        targets = json.loads(fetch(port, "/api/v1/targets"))["data"]["activeTargets"]
        return len(targets) == len(ports) and all(target["health"] == "up" for target in targets)

    eventually("not every process was up", 60, all_up)
    print(f"  {len(ports)} targets are up")


def check_rules(port):
    def evaluated():
        groups = json.loads(fetch(port, "/api/v1/rules"))["data"]["groups"]
        rules = [rule for group in groups for rule in group["rules"]]
        for rule in rules:
            if rule["health"] == "err":
                fail(f"the alert {rule['name']}: {rule['lastError']}")
        return rules if rules and all(rule["health"] == "ok" for rule in rules) else None

    rules = eventually("the rules were not evaluated", 60, evaluated)
    firing = [rule["name"] for rule in rules if rule["state"] == "firing"]
    if firing:
        fail(f"alerts fire although nothing is wrong: {', '.join(firing)}")
    print(f"  {len(rules)} alerts are evaluated, and none fires")


def panels():
    dashboard = json.loads((MONITORING / "grafana/dashboards/assent.json").read_text())
    places = set()
    for panel in dashboard["panels"]:
        place = panel["gridPos"]
        cells = {(x, y) for x in range(place["x"], place["x"] + place["w"])
                 for y in range(place["y"], place["y"] + place["h"])}
        if cells & places or place["x"] + place["w"] > 24:
            fail(f"the panel '{panel['title']}' lies on another, or beyond the edge")
        places |= cells
        for target in panel.get("targets", []):
            yield panel["title"], target["expr"]
    numbers = [panel["id"] for panel in dashboard["panels"]]
    if len(set(numbers)) != len(numbers):
        fail("two panels have one number")


def check_panels(port):
    count = 0
    for title, expression in panels():
        query = expression.replace("$__rate_interval", "10s")

        def answered():
            result = json.loads(fetch(port, "/api/v1/query", query=query))
            if result["status"] != "success":
                fail(f"the panel '{title}': {result}")
            return result["data"]["result"] or any(part in expression for part in MAY_BE_EMPTY)

        eventually(f"the panel '{title}' found nothing for {query}", 60, answered)
        count += 1
    print(f"  {count} expressions of panels find their series")


def make_calls(folder, key):
    """Calls without end, so that there is something to count: pictures, over HTTP."""
    address = re.search(r"http://127\.0\.0\.1:(\d+)\s+grpc", (folder / "gateway.log").read_text())
    url = f"http://127.0.0.1:{address[1]}/assent.signature.v1.RenderService/Render"
    headers = {"Content-Type": "application/json", "Authorization": f"Bearer {key}"}
    body = {"drawing": {"strokes": [{"x": [10, 90], "y": [10, 90]}], "canvas": {"width": 100, "height": 100}}}

    def without_end():
        while not over.wait(0.2):
            request = urllib.request.Request(url, json.dumps(body).encode(), headers)
            try:
                urllib.request.urlopen(request, timeout=10).read()
            except OSError as error:
                problems.append(f"{error} {getattr(error, 'read', bytes)()}")

    threading.Thread(target=without_end, daemon=True).start()


with tempfile.TemporaryDirectory(prefix="assent-monitoring-") as place:
    folder = pathlib.Path(place)
    try:
        key = api_key(folder)
        ports = processes(folder)
        port = prometheus(folder, ports)
        make_calls(folder, key)
        check_targets(port, ports)
        check_rules(port)
        check_panels(port)
    finally:
        over.set()
        for process in reversed(started):
            process.terminate()
        for process in started:
            process.wait(timeout=60)
