"""Looks at a gateway's status page in headless Chromium.

status-page.py ADDRESS axe             fails when axe finds what keeps somebody from using the page
status-page.py ADDRESS picture FILE    takes a picture of it on a desktop and on a phone, light and dark
status-page.py ADDRESS notice TEXT     fails unless the page shows a notice with this text
status-page.py ADDRESS key KEY         signs in with an operator's key, and fails unless the page shows something then
"""

import os
import sys
import tempfile

if {"-h", "--help"} & set(sys.argv[1:]):
    sys.exit(print(__doc__))

from playwright.sync_api import sync_playwright  # noqa: E402

BROWSER = os.environ.get("ASSENT_CHROMIUM", "/usr/bin/chromium")
ARGUMENTS = ["--no-sandbox", "--host-resolver-rules=MAP gateway.test 127.0.0.1"]
DESKTOP = {"width": 1360, "height": 760}
LAPTOP = {"width": 1280, "height": 720}
PHONE = {"width": 390, "height": 844}
# The figures that do not stand on one line.
TORN = """
[...document.querySelectorAll("td:not(.left)")].filter((cell) => {
  const range = document.createRange()
  range.selectNodeContents(cell)
  return cell.firstChild?.nodeType === Node.TEXT_NODE && range.getClientRects().length > 1
}).map((cell) => cell.textContent)
"""


def opened(browser, address, viewport, scheme, waits=True):
    page = browser.new_page(viewport=viewport, color_scheme=scheme, device_scale_factor=1)
    page.on("console", lambda message: print("console:", message.text, file=sys.stderr))
    page.goto(address)
    if waits:
        page.wait_for_selector("#state.live", timeout=20_000)
        page.wait_for_selector("#service-rows tr", timeout=20_000)
    return page


def check(browser, address):
    from axe_playwright_python.sync_playwright import Axe

    count = 0
    for viewport in (DESKTOP, LAPTOP, PHONE):
        for scheme in ("light", "dark"):
            page = opened(browser, address, viewport, scheme)
            results = Axe().run(page)
            count += results.violations_count
            if results.violations_count:
                print(results.generate_report(), file=sys.stderr)
            wide = page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth")
            if wide:
                print(f"the page is wider than {viewport['width']} pixels", file=sys.stderr)
                count += 1
            torn = page.evaluate(TORN)
            if torn:
                print(f"at {viewport['width']} pixels these take several lines: {torn}", file=sys.stderr)
                count += 1
            page.close()
    return count


def picture(browser, address, file):
    from PIL import Image

    with tempfile.TemporaryDirectory() as folder:
        parts = []
        for name, viewport, scheme in (("a", {**DESKTOP, "height": 1240}, "light"), ("b", {**PHONE, "height": 1240}, "dark")):
            page = opened(browser, address, viewport, scheme)
            # Long enough for lines to have a shape.
            page.wait_for_timeout(int(os.environ.get("ASSENT_PICTURE_SECONDS", "20")) * 1000)
            page.screenshot(path=f"{folder}/{name}.png")
            parts.append(Image.open(f"{folder}/{name}.png").convert("RGB"))
        width = sum(part.width for part in parts) + 24
        sheet = Image.new("RGB", (width, max(part.height for part in parts)), "white")
        left = 0
        for part in parts:
            sheet.paste(part, (left, 0))
            left += part.width + 24
        sheet.quantize(64).save(file, optimize=True)
    return 0


def sign_in(browser, address, key):
    page = opened(browser, address, DESKTOP, "light", waits=False)
    page.wait_for_selector("#login:not([hidden])", timeout=20_000)
    page.fill("#key", "ak_00000000_" + "0" * 48)
    page.click("button")
    page.wait_for_function("document.getElementById('refusal').textContent !== ''", timeout=20_000)
    page.fill("#key", key)
    page.click("button")
    page.wait_for_selector("#state.live", timeout=20_000)
    return 0 if page.is_hidden("#login") else 1


def notice(browser, address, text):
    page = opened(browser, address, DESKTOP, "light")
    page.locator("#notices li", has_text=text).wait_for(timeout=20_000)
    return 0


def main():
    address, what, *rest = sys.argv[1:]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=BROWSER, args=ARGUMENTS)
        try:
            return {"axe": check, "picture": picture, "notice": notice, "key": sign_in}[what](browser, address, *rest)
        finally:
            browser.close()


sys.exit(1 if main() else 0)
