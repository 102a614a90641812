"""Measures pages in Debian's Chromium, with the release programs behind them (scripts/bench web)."""

import atexit
import os
import pathlib
import statistics
import sys

ROOT = pathlib.Path(__file__).resolve().parents[3]
os.environ.setdefault("ASSENT_PROGRAMS", str(ROOT / ".build/release"))
sys.path.append(str(ROOT / "web/tests"))

import installation  # noqa: E402
from browser import CHROMIUM, MANIFEST  # noqa: E402
from playwright.sync_api import sync_playwright  # noqa: E402

from bench import serve  # noqa: E402

FRAME_MS = 1000 / 60
SESSIONS = "/assent.consent.v1.SessionService/"
# When a screen has been painted.
NOTE = """document.addEventListener("assent-screen", () => requestAnimationFrame(() =>
  setTimeout(() => (window.shown ??= []).push(performance.now()))))"""
CALL = """async (path, request) => {
  const headers = { "content-type": "application/json", "connect-protocol-version": "1" }
  const answer = await fetch(path, { method: "POST", headers, body: JSON.stringify(request) })
  if (!answer.ok) throw new Error(await answer.text())
  return answer.json()
}"""


class Pages:
    def __init__(self):
        self.assent = installation.Installation()
        atexit.register(self.assent.stop)
        self.assent.samples()
        self.assent.keys["staff"] = self.assent.key("staff", "person", "--grants", "coordinator@walking")
        self.address = f"http://localhost:{self.assent.port}"
        playwright = sync_playwright().start()
        atexit.register(playwright.stop)
        self.browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])

    def link(self):
        made = self.assent.call("StudyService/CreateInvitation", {
            "invitation": {"flowId": "walking-enrolment"}}, "staff")
        return made["invitation"]["link"]

    def page(self, path):
        page = self.browser.new_context(viewport={"width": 390, "height": 844}).new_page()
        page.add_init_script(NOTE)
        page.goto(self.address + path)
        return page

    def walked(self, measure):
        """The figure of a page that a link has opened."""
        page = self.page(self.link())
        self.until(page, "window.shown")
        figure = measure(page)
        page.context.close()
        return figure

    def until(self, page, expression):
        for _ in range(600):
            if page.evaluate(f"!!({expression})"):
                return
            page.wait_for_timeout(10)
        raise TimeoutError(expression)

    def first_screen(self):
        return self.walked(lambda page: page.evaluate("shown[0]"))

    def fetch(self):
        """The same bytes in the same order: the page, what it loads at once, and the call that opens the link."""
        page = self.page("/kit")
        link = self.link().split("#")[1]
        taken = page.evaluate(
            f"""async ([module, style, link]) => {{
              const call = {CALL}, began = performance.now()
              const get = (path) => fetch(path, {{ cache: "no-store" }}).then((answer) => answer.text())
              await get("/c")
              const [text] = await Promise.all([get("/" + module), get("/" + style)])
              const chunks = [...text.matchAll(/from"\\.\\/([\\w-]+\\.js)"|import"\\.\\/([\\w-]+\\.js)"/g)]
              await Promise.all(chunks.map(([, one, other]) => get("/" + (one ?? other))))
              await call("{SESSIONS}OpenInvitation", {{ link, locale: "en" }})
              return performance.now() - began
            }}""", [MANIFEST["c.js"], MANIFEST["c.css"], link])
        page.context.close()
        return taken

    def next(self):
        return self.walked(lambda page: statistics.median(self.pressed(page) for _ in range(6)))

    def pressed(self, page):
        """From a press of Next until the next screen has been painted."""
        self.until(page, "document.querySelector('assent-session').shadowRoot.querySelectorAll('.screen').length === 1")
        page.evaluate("""() => {
          window.shown = []
          const root = document.querySelector("assent-session").shadowRoot
          window.began = performance.now()
          root.querySelector("[data-action=ACTION_KIND_NEXT]").click()
        }""")
        self.until(page, "shown.length")
        return page.evaluate("shown[0] - began")

    def call(self):
        """The call alone, and a frame."""
        return self.walked(lambda page: page.evaluate(f"""async () => {{
          const call = {CALL}, times = []
          let {{ session }} = await call("{SESSIONS}GetSession", {{}})
          for (let number = 0; number < 6; number++) {{
            const began = performance.now()
            session = (await call("{SESSIONS}ActOnSession", {{
              sessionId: session.sessionId, expectedVersion: session.version ?? 0,
              action: {{ kind: "ACTION_KIND_NEXT" }} }})).session
            times.push(performance.now() - began)
          }}
          return times.sort((one, other) => one - other)[3]
        }}""")) + FRAME_MS

    def drawn(self, script):
        page = self.page("/kit")
        self.until(page, "document.querySelector('#active')?.shadowRoot.querySelector('canvas.ink')")
        page.evaluate("document.querySelector('#active').scrollIntoView()")
        figure = page.evaluate("""async () => {
          const area = document.querySelector("#active").shadowRoot.querySelector(".area")
          const box = area.getBoundingClientRect(), layers = [...area.querySelectorAll("canvas.ink")]
          const send = (kind, x, y) => area.dispatchEvent(new PointerEvent(kind, {
            pointerId: 1, pointerType: "pen", isPrimary: true, pressure: .5, button: 0, buttons: 1, bubbles: true,
            cancelable: true, clientX: box.x + x, clientY: box.y + y }))
          const seen = (x, y) => layers.some((layer) => {
            const scale = layer.width / layer.clientWidth
            const { data } = layer.getContext("2d").getImageData((x - 3) * scale, (y - 3) * scale, 7 * scale, 7 * scale)
            return data.some((value, at) => at % 4 === 3 && value > 0)
          })
          const frame = () => new Promise((resolve) => requestAnimationFrame(() => resolve()))
          """ + script + "}")
        page.context.close()
        return figure

    def ink_frame(self):
        """How many frames it takes, for nearly all points, until ink is where the pen was."""
        return self.drawn("""
          const taken = []
          send("pointerdown", 10, 20)
          for (let number = 1; number <= 600; number++) {
            const x = 10 + number % 30 * 9, y = 20 + Math.floor(number / 30) * 6
            await new Promise((resolve) => setTimeout(resolve))
            send("pointermove", x, y)
            let frames = 1
            for (await frame(); !seen(x, y) && frames < 10; frames++) await frame()
            taken.push(frames)
          }
          send("pointerup", 10, 20)
          return taken.sort((one, other) => one - other)[593]""")

    def ink_task(self):
        """The longest piece of work, in milliseconds, while a pen draws 10,000 points at 240 Hz."""
        return self.drawn("""
          let longest = 0.01
          new PerformanceObserver((list) => list.getEntries().forEach(({ duration }) => {
            longest = Math.max(longest, duration)
          })).observe({ type: "longtask" })
          send("pointerdown", 10, 20)
          for (let number = 1; number <= 10_000; number++) {
            const began = performance.now()
            send("pointermove", 10 + number * 7 % 270, 20 + number * 3 % 120)
            longest = Math.max(longest, performance.now() - began)
            if (number % 4 === 0) await frame()
          }
          send("pointerup", 10, 20)
          return longest""")


if __name__ == "__main__":
    pages = Pages()
    serve(measured={name: getattr(pages, name)
                    for name in ("first_screen", "fetch", "next", "call", "ink_frame", "ink_task")})
