"""Lays out pictures that `scripts/test-web --pictures` makes of each screen: on a phone, light, dark and from right to
left, and on a tablet.

usage: web-contact-sheet.py FOLDER PICTURE    FOLDER has the pictures, by their looks; the sheet is written to PICTURE
"""

import json
import pathlib
import sys

if {"-h", "--help"} & set(sys.argv[1:]) or len(sys.argv) != 3:
    sys.exit(print(__doc__))

from PIL import Image, ImageDraw  # noqa: E402

KIT = pathlib.Path(__file__).parents[2] / "web/apps/kit"
COLUMNS, GAP, HEAD, HEIGHT = 4, 10, 18, 240
LOOKS = (("phone", 111), ("dark", 111), ("rtl", 111), ("tablet", 180))
WIDE = sum(width + GAP for _, width in LOOKS) + GAP
HIGH = HEIGHT + HEAD + GAP


def fitted(picture, width):
    """As large as there is room; what is lower than a screen stays so."""
    scale = min(width / picture.width, HEIGHT / picture.height)
    return picture.resize((round(picture.width * scale), round(picture.height * scale)), Image.LANCZOS)


folder = pathlib.Path(sys.argv[1])
# German says the same in longer words: it is looked at by tests.
kinds = {
    "session": [name for name in json.loads((KIT / "recorded.json").read_text()) if not name.endswith("-de")],
    "accounts": [name for name in json.loads((KIT / "accounts.json").read_text()) if name[-4:-2] != ", "],
    "sync": sorted(path.stem for path in (folder / "sync/phone").glob("*.png")),
}
names = [(kind, name) for kind, all_names in kinds.items() for name in all_names]
sheet = Image.new("RGB", (COLUMNS * WIDE, -(-len(names) // COLUMNS) * HIGH), "#c9cbd6")
pen = ImageDraw.Draw(sheet)
for at, (kind, name) in enumerate(names):
    left, top = at % COLUMNS * WIDE + GAP, at // COLUMNS * HIGH + GAP
    pen.text((left, top - 2), name, fill="#191b2a")
    for look, width in LOOKS:
        picture = Image.open(folder / kind / look / f"{name}.png").convert("RGB")
        sheet.paste(fitted(picture, width), (left, top + HEAD - GAP + 4))
        left += width + GAP
sheet.save(sys.argv[2], quality=50, method=6)
