"""A browser as a device, and people who sign in at it, against the real programs."""

import unittest

import installation
from browser import MANIFEST, PageTest

ACCOUNT = "assent.account.v1"
MODULE = f"/{MANIFEST['device.js']}"
# What the page's functions below begin with.
SETUP = f"""
  const {{ Device, Person }} = await import("{MODULE}")
  const refusal = async (work) => {{ try {{ await work(); return "" }} catch (problem) {{ return problem.rule }} }}
"""


@unittest.skipUnless(installation.IS_THERE, "assent is not built")
class DeviceTest(PageTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.assent = installation.Installation(accounts=True)
        cls.addClassCleanup(cls.assent.stop)
        cls.address = f"http://127.0.0.1:{cls.assent.port}"

    def admin(self, method, **request):
        return self.assent.call(f"AccountAdminService/{method}", request, package=ACCOUNT)

    def do(self, page, steps, *given):
        return page.evaluate(f"async (given) => {{ {SETUP} {steps} }}", list(given))

    def registered(self, name, page=None):
        """A page whose browser is the device of somebody new, the person, and the passcode."""
        code, passcode = self.assent.staff(name)
        page = page or self.open("c", allowed=("status of 4", "status of 5"))
        self.do(page, "await Device.register(given[0])", code)
        person = next(one["personId"] for one in self.admin("ListAccounts")["accounts"] if one["title"] == name)
        return page, person, passcode

    def test_a_browser_registers_once_and_its_person_signs_in_stays_and_signs_out(self):
        page, person, passcode = self.registered("Ines Moreau")
        self.assertEqual(self.do(page, """
          const device = await Device.known()
          window.person = await Person.signIn(device, ...given)
          const answer = await person.access.fetch("/assent.account.v1.AccountAdminService/ListAccounts", {
            method: "POST", body: "{}",
            headers: { "content-type": "application/json", authorization: `Bearer ${await person.token()}` } })
          return [answer.status, person.personId, await refusal(() => Person.signIn(device, given[0], "wrong horse 9"))]
        """, person, passcode), [200, person, "wrong_passcode"])
        # No script can have the key, and no storage has an access token.
        self.assertEqual(self.do(page, """
          const open = indexedDB.open("assent-device")
          await new Promise((resolve) => (open.onsuccess = resolve))
          const read = open.result.transaction("device").objectStore("device").get("own")
          await new Promise((resolve) => (read.onsuccess = resolve))
          const { key } = read.result
          const kept = JSON.stringify({ ...sessionStorage, ...localStorage })
          return [key.extractable, await crypto.subtle.exportKey("pkcs8", key).then(() => true, () => false),
                  kept.includes(await person.token()), document.cookie]
        """), [False, False, False, ""])
        page.reload()
        self.assertEqual(self.do(page, """
          window.person = await Person.resume(await Device.known())
          return person.personId
        """), person)
        self.assertEqual(self.do(page, """
          let told
          person.addEventListener("assent-signed-out", ({ detail }) => (told = detail))
          await person.signOut()
          return [told, sessionStorage.length, await refusal(() => person.token())]
        """), ["signed_out", 0, "signed_out"])
        page.reload()
        self.assertFalse(self.do(page, "return !!await Person.resume(await Device.known())"))

    def test_codes_that_lead_nowhere_and_browsers_that_are_no_device_say_so(self):
        page, _, _ = self.registered("Somebody")
        used, _ = self.assent.staff("Somebody else")
        other = self.open("c", allowed=("status of 4",))
        self.do(page, "await Device.register(given[0])", used)
        self.assertEqual(self.do(other, """
          return [await Device.known() === undefined, await refusal(() => Device.register(given[0])),
                  await refusal(() => Device.register("acme.AAAAAAAAAA")), await refusal(() => Device.register("?"))]
        """, used), [True, "code_used_up", "unknown_code", "unknown_code"])

    def test_what_happens_elsewhere_takes_effect_here(self):
        cases = {
            "lock": (lambda person, _: self.admin("SetPersonLock", personId=person, locked=True), "ended"),
            "wipe": (lambda _, device: self.admin("WipeDevice", deviceId=device), "wiped"),
        }
        for name, (happen, ending) in cases.items():
            with self.subTest(name):
                page, person, passcode = self.registered(f"Person of {name}")
                device = self.do(page, """
                  window.person = await Person.signIn(await Device.known(), ...given)
                  return (await Device.known()).deviceId
                """, person, passcode)
                happen(person, device)
                told = self.do(page, """
                  for (let round = 0; person.ending === undefined && round < 50; round += 1) {
                    await person.access.fetch("/assent.account.v1.PeopleService/GetProfile", {
                      method: "POST", body: "{}", headers: {
                        "content-type": "application/json", authorization: `Bearer ${await person.token()}` } })
                    await new Promise((resolve) => setTimeout(resolve, 100))
                  }
                  const device = await Device.known()
                  return [person.ending, !!device, sessionStorage.length,
                          device ? await refusal(() => Person.signIn(device, ...given)) : ""]
                """, person, passcode)
                self.assertEqual(told, [ending, ending != "wiped", 0, "person_locked" if ending == "ended" else ""])

    def test_a_role_that_is_taken_away_costs_a_token_and_nobody_the_session(self):
        page, person, passcode = self.registered("Rosa Lind")
        self.do(page, "window.person = await Person.signIn(await Device.known(), ...given)", person, passcode)
        self.admin("GrantRole", personId=person, role="witness@heart")
        self.admin("RevokeRole", personId=person, role="witness@heart")
        page.wait_for_timeout(1500)
        self.assertEqual(self.do(page, """
          const answer = await person.access.fetch("/assent.account.v1.PeopleService/GetProfile", {
            method: "POST", body: "{}",
            headers: { "content-type": "application/json", authorization: `Bearer ${await person.token()}` } })
          return [answer.status, person.ending === undefined]
        """), [200, True])

    def test_nobody_is_signed_in_after_a_time_without_use(self):
        known = self.admin("GetAccountSettings").get("settings", {})
        self.admin("SetAccountSettings", settings={**known, "autoLock": "30s"})
        page, person, passcode = self.registered("Idle")
        page.clock.install()
        page.reload()
        self.do(page, "window.person = await Person.signIn(await Device.known(), ...given)", person, passcode)
        page.clock.run_for(29_000)
        page.mouse.move(5, 5)
        page.clock.run_for(29_000)
        self.assertIsNone(page.evaluate("person.ending ?? null"))
        page.clock.run_for(2_000)
        self.until(page, "person.ending === 'idle'")

    def test_a_copied_tab_signs_nobody_out(self):
        page, person, passcode = self.registered("Copied")
        self.do(page, "window.person = await Person.signIn(await Device.known(), ...given)", person, passcode)
        kept = page.evaluate("sessionStorage.getItem('assent-person')")
        copy = page.context.new_page()
        copy.goto(f"{self.address}/c")
        copy.evaluate("kept => sessionStorage.setItem('assent-person', kept)", kept)
        self.assertFalse(self.do(copy, "return !!await Person.resume(await Device.known())"))
        self.assertEqual(self.do(page, "return [!!await person.refresh(), person.ending === undefined]"), [True, True])


if __name__ == "__main__":
    unittest.main()
