"""Runs the shell blocks of pages, in order, as a reader would paste them: test-docs.py FOLDER PAGE…

FOLDER has the programs. A block of language `sh` is run whole; of `console`, each line after `$ `, whose answer must
have the lines below it. A line `<!-- not run: REASON -->` above a block leaves it out. Everything happens in a private
folder, against an installation that is started there and ends with this program.
"""

import os
import pathlib
import subprocess
import sys
import tempfile

if {"-h", "--help"} & set(sys.argv[1:]):
    sys.exit(print(__doc__))
ROOT = pathlib.Path(__file__).parents[2]
ADDRESS = "http://127.0.0.1:8080"
PATIENCE = 120


def blocks(page):
    """Language, first line's number, text, and why it is not run."""
    found, language, reason, earlier, lines, start = [], None, "", "", [], 0
    for number, line in enumerate(page.read_text().splitlines(), 1):
        if line.startswith("```"):
            if language is None:
                language, lines, start = line[3:], [], number + 1
                reason = earlier.removeprefix("<!-- not run: ").removesuffix(" -->") if earlier.startswith("<!-- not run: ") else ""
            else:
                found.append((language, start, "\n".join(lines), reason))
                language = None
        elif language is not None:
            lines.append(line)
        earlier = line
    return found


def pieces(language, text):
    """Commands with the lines that their answers must have."""
    if language == "sh":
        return [(text, [])]
    commands = []
    for line in text.splitlines():
        if line.startswith("$ "):
            commands.append((line[2:], []))
        elif commands and line:
            commands[-1][1].append(line)
    return commands


def run(command, wanted, folder, environment):
    done = subprocess.run(
        ["bash", "-e", "-o", "pipefail", "-c", command], cwd=folder, env=environment, capture_output=True, text=True,
        timeout=PATIENCE, stdin=subprocess.DEVNULL)
    missing = [line for line in wanted if line not in done.stdout]
    if done.returncode == 0 and not missing:
        return None
    return f"ended with {done.returncode}, lacks {missing}\n{done.stdout}{done.stderr}"


class Installation:
    """`assent up` and InteropService in a private folder."""

    def __init__(self, programs, folder):
        self.folder = folder
        self.environment = {
            **os.environ, "PATH": f"{programs}:{os.environ['PATH']}", "ASSENT": ADDRESS,
            "ASSENT_BUS_FOLDER": f"{folder}/data/bus", "PYTHONPATH": str(ROOT / "clients/python"),
        }
        for name in ("proto", "scripts", "compose", "samples", "clients"):
            os.symlink(ROOT / name, folder / name)
        self.processes = []
        self.start([f"{programs}/assent", "up", "--data", "data", "--http-listen", "127.0.0.1:8080"], "Ctrl-C")
        self.start([f"{programs}/InteropService"], "ready")
        made = subprocess.run(
            [f"{programs}/assent", "keys", "api", "create", "docs", "--tenant", "acme", "--kind", "device",
             "--api-key-list", f"{folder}/data/api-keys"],
            cwd=folder, env=self.environment, capture_output=True, text=True, check=True)
        self.environment["KEY"] = next(word for word in made.stdout.split() if word.startswith("ak_"))

    def start(self, command, sign):
        log = (self.folder / f"{pathlib.Path(command[0]).name}.log").open("w")
        process = subprocess.Popen(
            command, cwd=self.folder, env=self.environment, stdout=subprocess.PIPE, stderr=log, text=True)
        self.processes.append(process)
        for line in process.stdout:
            if sign in line:
                return
        sys.exit(f"✗ {' '.join(command)} did not start:\n{pathlib.Path(log.name).read_text()[-2000:]}")

    def stop(self):
        for process in reversed(self.processes):
            process.terminate()
        for process in reversed(self.processes):
            process.stdout.close()
            process.wait(60)


def main(programs, *pages):
    failed = 0
    with tempfile.TemporaryDirectory(prefix="assent-docs-") as place:
        folder = pathlib.Path(place)
        installation = Installation(programs, folder)
        try:
            for page in pages:
                for language, number, text, reason in blocks(ROOT / page):
                    if language not in ("sh", "console"):
                        continue
                    title = f"{page}:{number}"
                    if reason:
                        print(f"– {title}: not run, {reason}")
                        continue
                    for command, wanted in pieces(language, text):
                        problem = run(command, wanted, folder, installation.environment)
                        failed += problem is not None
                        first = command.splitlines()[0][:80]
                        print(f"✓ {title}: {first}" if problem is None else f"✗ {title}: {first}\n{problem}", flush=True)
        finally:
            installation.stop()
    sys.exit(1 if failed else 0)


main(*sys.argv[1:])
