"""Writes the reference of settings into docs/operating.md, from what the programs themselves say.

settings-reference.py FOLDER [--check]    FOLDER has the programs; --check only compares, and ends with 1 if they differ
"""

import pathlib
import re
import subprocess
import sys

if {"-h", "--help"} & set(sys.argv[1:]):
    sys.exit(print(__doc__))
PAGE = pathlib.Path(__file__).parents[2] / "docs" / "operating.md"
PROGRAMS = ["gateway", "ConsentService", "SignatureService", "AccountService", "assent up"]
# Answers once, and ends: it has nothing in common with programs that stay.
PROBE = "assent probe"
BEGIN, END = "<!-- settings: written by scripts/settings -->\n", "<!-- end of settings -->\n"
GENERAL = {"--config", "--help", "--version"}


def entries(folder, program):
    """The settings of a program: flag with its placeholder, and words with the default at their end."""
    name, *command = program.split()
    shown = subprocess.run([f"{folder}/{name}", *command, "--help"], capture_output=True, text=True, check=True).stdout
    found = []
    for line in shown.splitlines():
        if match := re.match(r"  (--\S+(?: \S+)?)(?:  +(\S.*))?$", line):
            found.append([match[1], match[2] or ""])
        elif found and line.startswith("     "):
            found[-1][1] = f"{found[-1][1]} {line.strip()}".strip()
        elif found:
            # After its own settings, `assent up` names those of other programs.
            break
    return [(flag, words) for flag, words in found if flag.split()[0] not in GENERAL]


def row(flag, words):
    """Flag, default and meaning; the variable's name follows from the flag's."""
    default = ""
    if match := re.search(r" \(([^()]*)\)$", words):
        words = words[: match.start()]
        notes = [note.strip() for note in re.split(r"[;,] ", match[1])]
        told = [note for note in notes if not note.startswith("ASSENT_")]
        default = "; ".join(told).removeprefix("default ")
    cells = [f"`{flag}`", f"`{default}`" if default and default != "required" else default, words]
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def reference(folder):
    known = {program: entries(folder, program) for program in PROGRAMS}
    count = {}
    for settings in known.values():
        for entry in settings:
            count[entry] = count.get(entry, 0) + 1
    common = [entry for entry in known[PROGRAMS[0]] if count[entry] == len(PROGRAMS)]
    services = [entry for entry in known["ConsentService"] if entry not in common and all(
        entry in known[program] for program in ("SignatureService", "AccountService"))]
    lines = []

    def table(title, settings):
        if settings:
            lines.extend([f"### {title}", "", "| flag | default | |", "|---|---|---|"])
            lines.extend(row(*entry) for entry in settings)
            lines.append("")

    table("Every program", common)
    table("Every service with data", services)
    for program in PROGRAMS:
        own = [entry for entry in known[program] if entry not in common]
        if program.endswith("Service"):
            own = [entry for entry in own if entry not in services]
        table(f"`{program}`", own)
    table(f"`{PROBE}`, by which containers are watched", entries(folder, PROBE))
    return "\n".join(lines)


def main(folder, *flags):
    page = PAGE.read_text()
    before, rest = page.split(BEGIN)
    _, after = rest.split(END)
    fresh = f"{before}{BEGIN}\n{reference(folder)}\n{END}{after}"
    if "--check" in flags:
        if fresh != page:
            sys.exit("docs/operating.md: the settings have changed; run scripts/settings")
    else:
        PAGE.write_text(fresh)


main(*sys.argv[1:])
