"""The cell's states and actions are the server's: docs/signature.md has the table of both."""

import json
import re
import subprocess
import unittest

from browser import ROOT

# What the table calls several actions together, and what only services do.
ACTIONS = {
    "tap": ["tap"], "append": ["append"], "undo": ["undo"], "clear": ["clear"], "save": ["save"],
    "type, upload, reuse": ["save_typed", "save_uploaded"], "cancel": ["cancel"], "re-enter": ["re_enter"],
}
# Prints, for each state and action, the states that it may lead to: with and without ink, at both kinds of re-entry.
PROGRAM = """
const states = ["inactive", "active", "signed", "saved"]
const found = {}
for (const state of states) for (const reentersActive of [false, true]) for (const hasInk of [false, true]) {
  const rules = { allowsTyping: true, allowsPhoto: true, reentersActive }
  const cell = { state, wasWoken: true }
  for (const action of offered(cell, rules)) {
    ((found[state] ??= {})[action] ??= []).push(after(cell, action, rules, hasInk).state)
  }
}
console.log(JSON.stringify(found))
"""


class CellTest(unittest.TestCase):
    def test_the_server_has_the_same_states_and_actions(self):
        source = (ROOT / "web/elements/signature/cell.ts").read_text()
        script = subprocess.run(
            ["esbuild", "--loader=ts"], input=source, capture_output=True, text=True, check=True).stdout
        module = ["node", "--input-type=module", "--eval", script + PROGRAM]
        found = json.loads(subprocess.run(module, capture_output=True, text=True, check=True).stdout)
        table = re.search(r"^\| state \| tap .*?(?=\n\n)", (ROOT / "docs/signature.md").read_text(), re.M | re.S)[0]
        heading, _, *rows = [[word.strip() for word in row.strip("|").split("|")] for row in table.splitlines()]
        self.assertTrue(set(ACTIONS).issubset(heading), heading)
        for state, *results in rows:
            if state not in found:
                continue
            for name, result in zip(heading[1:], results):
                for action in ACTIONS.get(name, []):
                    expected = set(re.findall(r"inactive|active|signed|saved", result))
                    self.assertEqual(self.reached(found[state].get(action, []), action), expected, (state, name))

    def test_the_server_writes_names_in_the_same_fonts(self):
        fonts = re.search(
            r"enum NameFont.*?\n}", (ROOT / "Sources/Typesetting/NameFont.swift").read_text(), re.S)[0]
        offered = re.search(r"const fonts = \[(.*?)\]", (ROOT / "web/elements/signature/typing.ts").read_text())[1]
        self.assertEqual(re.findall(r"^  case (\w+)$", fonts, re.M), re.findall(r'"(\w+)"', offered))

    def reached(self, states, action):
        """Drawing leaves ink."""
        return {"signed"} if action == "append" and "signed" in states else set(states)


if __name__ == "__main__":
    unittest.main()
