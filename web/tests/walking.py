"""What a person does in a session, for tests that walk."""

from axe_playwright_python.sync_playwright import Axe

import installation
import studies
from browser import PageTest

RULES = {"rules": {"target-size": {"enabled": True}}}
PHONE, TABLET = {"width": 390, "height": 844}, {"width": 1024, "height": 768}


class Walking(PageTest):
    def at(self, page, kind, place=""):
        """Waits until a screen of this kind stands, and nothing moves."""
        self.until(page, f"""(() => {{
          const {{ shadowRoot, view }} = document.querySelector("assent-session") ?? {{}}
          const shown = shadowRoot?.querySelectorAll(".screen") ?? []
          return shown.length === 1 && shown[0].dataset.kind === {kind!r} && !shown[0].ariaBusy
            && (view?.screen?.id ?? "").includes({place!r})
        }})()""")

    def press(self, session, action):
        session.locator(f"[data-action=ACTION_KIND_{action}]").last.click()

    def draw(self, page, session):
        box = session.locator(".area").bounding_box()
        page.mouse.move(box["x"] + 30, box["y"] + 70)
        page.mouse.down()
        for step in range(24):
            page.mouse.move(box["x"] + 30 + step * 8, box["y"] + (60 if step % 2 else 100))
        page.mouse.up()

    def focused(self, page):
        """What has the focus, through all shadows: its name, class and action."""
        return page.evaluate(
            """(() => {
              let at = document.activeElement
              while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement
              return [at.tagName, at.className, at.dataset.action ?? ""]
            })()""")

    def assert_accessible(self, page, where):
        found = Axe().run(page, options=RULES)
        faults = [f"{rule['id']}: {node['target']} {node['failureSummary']}"
                  for rule in found.response["violations"] for node in rule["nodes"]]
        with self.subTest(where):
            self.assertEqual(faults, [])


class StudyWalking(Walking):
    """Walks through the studies, on pages in front of the real programs; calls can go wrong on the way."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.assent = installation.Installation()
        cls.addClassCleanup(cls.assent.stop)
        cls.assent.samples()
        studies.install(cls.assent)
        server, cls.proxy = installation.serve(cls.assent)
        cls.addClassCleanup(server.server_close)
        cls.addClassCleanup(server.shutdown)
        cls.address = f"http://127.0.0.1:{server.server_port}"

    def setUp(self):
        self.proxy.fault = staticmethod(lambda path: None)
        self.proxy.calls.clear()

    def session(self, flow="walking-enrolment", locale="en", view=None, allowed=("503", "409"), **options):
        """A page with a session of a new person."""
        options.setdefault("reduced_motion", "reduce")
        options.setdefault("viewport", PHONE)
        view = view or self.assent.start(flow, locale)
        page = self.open("session.html", allowed=allowed, **options)
        self.place(page, view["sessionId"])
        return page, page.locator("assent-session"), view

    def place(self, page, session_id):
        page.evaluate(
            """(id) => {
              window.events = []
              const session = document.createElement("assent-session")
              session.setAttribute("session", id)
              for (const name of ["screen", "decision", "complete", "error", "way"]) {
                session.addEventListener(`assent-${name}`, ({ detail }) =>
                  window.events.push([name, detail.screen?.id ?? detail.action ?? detail.outcome ?? detail.kind]))
              }
              document.querySelector("main").append(session)
            }""", session_id)
