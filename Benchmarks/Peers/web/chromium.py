"""Measures pages in Debian's Chromium, with the release programs behind them (scripts/bench web)."""

import atexit
import functools
import itertools
import json
import os
import pathlib
import statistics
import sys

ROOT = pathlib.Path(__file__).resolve().parents[3]
os.environ.setdefault("ASSENT_PROGRAMS", str(ROOT / ".build/release"))
sys.path.append(str(ROOT / "web/tests"))

import installation  # noqa: E402
import studies  # noqa: E402
from browser import CHROMIUM, MANIFEST  # noqa: E402
from playwright.sync_api import sync_playwright  # noqa: E402

from bench import serve  # noqa: E402

FRAME_MS = 1000 / 60
PASSCODE = "walk walk 1"
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

# A person after the other agrees and signs at the page of a shared tablet.
VISIT = """async (times) => {
  const main = document.querySelector("main")
  const until = async (find) => {
    for (const began = performance.now(); performance.now() - began < 30_000;) {
      const found = find()
      if (found) return found
      await new Promise((resolve) => requestAnimationFrame(() => resolve()))
    }
    throw new Error(`never: ${find}`)
  }
  const root = () => document.querySelector("assent-session")?.shadowRoot
  const stands = (kind) => until(() => root()?.querySelectorAll(".screen").length === 1
    && root().querySelector(`.screen[data-kind=${kind}]`)?.ariaBusy !== "true"
    && root().querySelector(`.screen[data-kind=${kind}]`))
  const press = async (selector) => (await until(() => root()?.querySelector(selector))).click()
  for (let time = 0; time < times; time++) {
    (await until(() => [...main.querySelectorAll("button")].find((each) => each.textContent === "For Somebody Else")))
      .click()
    await stands("review")
    await press("[data-action=ACTION_KIND_AGREE]")
    await press("dialog[open] [data-action=ACTION_KIND_CONFIRM]")
    const screen = await stands("signature"), cell = screen.querySelector("assent-signature").shadowRoot
    ;(await until(() => cell.querySelector("[part=scrim]"))).click()
    const area = await until(() => cell.querySelector(".area")), box = area.getBoundingClientRect()
    const send = (kind, at) => area.dispatchEvent(new PointerEvent(kind, {
      pointerId: 1, pointerType: "pen", isPrimary: true, pressure: .5, button: 0, buttons: 1, bubbles: true,
      cancelable: true, clientX: box.x + 30 + at, clientY: box.y + 60 + at % 2 * 30 }))
    send("pointerdown", 0)
    for (let at = 1; at < 200; at++) send("pointermove", at)
    send("pointerup", 200)
    ;(await until(() => cell.querySelector("[part=save]:enabled"))).click()
    await until(() => cell.querySelector("[part=re-enter]")?.checkVisibility())
    await press("[data-action=ACTION_KIND_SIGN]")
    await stands("completion")
    await press("[data-action=ACTION_KIND_DONE]")
    await stands("plain")
    ;[...main.querySelectorAll("footer button")].pop().click()
    await until(() => !root())
  }
}"""

# Puts what one visit has left in the queue there as often as is asked for.
REPEATED = """(times) => new Promise((resolve) => {
  indexedDB.open("assent-offline").onsuccess = ({ target }) => {
    const change = target.result.transaction("queue", "readwrite"), queue = change.objectStore("queue")
    queue.getAll().onsuccess = ({ target: { result } }) => {
      for (let time = 1; time < times; time++) for (const each of result) queue.add(each)
    }
    change.oncomplete = () => resolve(target.result.close())
  }
})"""


class Pages:
    names = itertools.count(1)

    def __init__(self):
        self.assent = installation.Installation(accounts=True)
        atexit.register(self.assent.stop)
        self.assent.samples()
        self.assent.keys["staff"] = self.assent.key("staff", "person", "--grants", "coordinator@walking")
        self.held = None
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

    def visits(self):
        """What the page of a shared tablet has in memory after 50 visits, in MiB."""
        self.held = self.held or self.visited(50)
        return self.held[1]

    def first_visit(self):
        """The same after the first one."""
        self.held = self.held or self.visited(50)
        return self.held[0]

    @functools.cached_property
    def study(self):
        """A flow that one person signs, and whoever comes may add themselves to the list of a device."""
        assent = self.assent
        assent.study("choices", "Visits")
        assent.document("choices", studies.document(
            "visit", "Visit", [("What we do today", "<p>We measure your blood pressure.</p>")],
            [studies.signature(requiresImage=True)], [studies.purpose("visit", "Measuring")],
            settings={"withoutScrollGate": True}))
        assent.flow(studies.flow("visit-flow", studies.review("visit")))
        return assent.call("AccountAdminService/SetAccountSettings", {"settings": {
            "selfRegistration": True, "visibleFields": ["PROFILE_FIELD_TITLE"]}}, package="assent.account.v1")

    def tablet(self, name):
        """The page of a browser that has just become a device, with somebody signed in who has just come."""
        assert self.study
        page = self.page(f"/app#{self.assent.accounts('add-device', 'Ward 3').split('#')[1].split()[0]}")
        accounts = page.locator("assent-accounts")
        for action, field, value in (
                ("SWITCH", "", ""), ("ADD", "", ""), ("NEXT", "name", name),
                ("NEXT", "passcode", PASSCODE), ("SAVE", "passcode", PASSCODE), ("DONE", "", ""),
                ("SIGN_IN", "passcode", PASSCODE)):
            button = accounts.locator(f"[data-action=ACCOUNT_ACTION_{action}]").first
            button.wait_for()
            if field:
                accounts.locator(f"#{field}").fill(value)
            button.click()
        page.get_by_role("heading", name="Begin a Consent").wait_for()
        return page

    def queue(self):
        """From Sign In until 200 visits are shown that wait for a connection, in milliseconds."""
        page = self.tablet(f"Tomas Berg {next(self.names)}")
        page.locator(".pane[data-prepared]").wait_for()
        page.get_by_role("button", name="Switch Person").click()
        page.evaluate("navigator.serviceWorker.ready.then(() => 1)")
        page.context.set_offline(True)
        page.reload()
        sign_in = page.locator("assent-accounts [data-action=ACCOUNT_ACTION_SIGN_IN]").first
        page.locator("assent-accounts #passcode").fill(PASSCODE)
        sign_in.click()
        page.locator("li", has_text="visit-flow").get_by_role("button", name="For Me").click()
        session = page.locator("assent-session")
        session.locator("[data-action=ACTION_KIND_AGREE]").click()
        session.locator("dialog[open] [data-action=ACTION_KIND_CONFIRM]").click()
        session.locator("[part=scrim]").click()
        area = session.locator(".area").bounding_box()
        page.mouse.move(area["x"] + 30, area["y"] + 60)
        page.mouse.down()
        page.mouse.move(area["x"] + 200, area["y"] + 90, steps=20)
        page.mouse.up()
        session.locator("[part=save]:enabled").first.click()
        session.locator("[part=re-enter]").first.wait_for()
        session.locator("[data-action=ACTION_KIND_SIGN]").click()
        page.get_by_text("Saved on this device.").wait_for()
        session.locator("[part=close]").click()
        page.get_by_text("1 saved here").wait_for()
        page.evaluate(REPEATED, 200)
        page.reload()
        page.locator("assent-accounts #passcode").fill(PASSCODE)
        taken = page.evaluate("""async () => {
          const began = performance.now()
          document.querySelector("assent-accounts").shadowRoot
            .querySelector("[data-action=ACCOUNT_ACTION_SIGN_IN]").click()
          while (!document.querySelector("main").innerText.includes("200 saved here")) {
            await new Promise((resolve) => requestAnimationFrame(() => resolve()))
          }
          return performance.now() - began
        }""")
        page.context.close()
        return taken

    def visited(self, times):
        """Somebody who is signed in lets one person after another sign."""
        page = self.tablet("Hannah Weiss")
        memory = page.context.new_cdp_session(page)

        parts = []
        memory.on("HeapProfiler.addHeapSnapshotChunk", lambda part: parts.append(part["chunk"]))

        def held():
            for _ in range(3):
                memory.send("HeapProfiler.collectGarbage")
            parts.clear()
            memory.send("HeapProfiler.takeHeapSnapshot")
            heap = json.loads("".join(parts))
            fields, nodes, names = heap["snapshot"]["meta"]["node_fields"], heap["nodes"], heap["strings"]
            named, sized = nodes[fields.index("name")::len(fields)], nodes[fields.index("self_size")::len(fields)]
            # What is noted of each request is there for whoever drives the browser, and in no page that is not driven.
            return sum(size for name, size in zip(named, sized)
                       if not names[name].startswith("blink::NetworkResourcesData")) / (1 << 20)
        page.evaluate(VISIT, 1)
        first = held()
        page.evaluate(VISIT, times - 1)
        last = held()
        page.context.close()
        return first, last

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
                    for name in (
                        "first_screen", "fetch", "next", "call", "ink_frame", "ink_task", "queue", "visits",
                        "first_visit")})
