import { Client } from "../../../clients/typescript/src/client.js"
import { DeviceService } from "../../../clients/typescript/src/contract/account_v1.js"
import { StatusError } from "../../../clients/typescript/src/status.js"
import { Device } from "../../device/device.js"
import { type Ending, Person, settings } from "../../device/person.js"
import "../../elements/accounts/assent-accounts.js"
import { button, make, set } from "../../elements/dom.js"
import { isAway } from "../../session/away.js"
import { Home } from "./home.js"
import { preferred, type AppWords } from "./words.js"

// Whoever reads this has a browser that understands it.
document.getElementById("old")?.remove()

const { tag, words } = preferred()
const page = document.getElementById("page")!

// The code reaches no log, and does not stay in the address or the history.
const code = location.hash.slice(1)
if (code) history.replaceState(null, "", location.pathname)
// Another link that is opened in this tab changes nothing but the fragment.
addEventListener("hashchange", () => location.reload())

set(document.documentElement, { lang: tag, dir: tag === "ar" ? "rtl" : "ltr" })

/** Shows something in place of what was there, and moves a screen reader to it. */
function show(name: string, ...children: Node[]): void {
  page.className = name
  page.replaceChildren(...children)
  if (name !== "accounts") page.focus()
}

function tell(sentence: string, ...children: Node[]): void {
  show("", make("h1", {}, document.title), make("p", { role: "status" }, sentence), ...children)
}

const sentences: Readonly<Record<string, keyof AppWords>> = {
  unknown_code: "unknown", code_used_up: "usedUp", device_wiped: "wiped", too_many_links: "tooMany",
}

/** Does it, and says in words what came of it if it fails. */
async function attempt(work: () => Promise<void>): Promise<void> {
  tell(words.opening)
  try {
    await work()
  } catch (problem) {
    // A browser that keeps nothing for pages, for instance.
    if (!(problem instanceof StatusError)) return tell(words.failed, button({}, () => void attempt(work), words.again))
    const known = sentences[problem.rule]
    if (known !== undefined) return ask(words[known])
    tell(isAway(problem) ? words.away : words.failed, button({}, () => void attempt(work), words.again))
  }
}

/** Asks for the code that makes this browser a device. */
function ask(sentence = ""): void {
  const field = make("input", {
    id: "code", required: true, maxlength: "200", autocomplete: "one-time-code", autocapitalize: "none", dir: "ltr",
    spellcheck: "false",
  })
  const form = make(
    "form", {}, make("label", { for: "code" }, words.code), field, make("button", {}, words.goOn))
  form.addEventListener("submit", (event) => {
    event.preventDefault()
    void attempt(() => begin(field.value.trim()))
  })
  show(
    "", make("h1", {}, words.codeTitle), make("p", {}, words.codeText), ...sentence
      ? [make("p", { role: "alert" }, sentence)] : [], form)
}

/** The device that this browser is, or becomes by a code. */
async function begin(given: string): Promise<void> {
  let device = await Device.known()
  if (device) {
    try {
      await device.token()
    } catch (problem) {
      // One that was wiped has forgotten its key, and may become another.
      if (!given || await Device.known()) throw problem
      device = undefined
    }
  }
  if (!device && !given) return ask()
  device ??= await Device.register(given)
  const devices = new Client(settings(device.access)).service(DeviceService)
  const { title = "" } = await devices.getApplication({ locale: tag })
  document.title = title || device.name || words.title
  const person = await Person.resume(device)
  if (person) home(device, person)
  else signIn(device)
}

function signIn(device: Device, why?: Ending): void {
  const accounts = make("assent-accounts", { lang: tag })
  accounts.device = device
  accounts.addEventListener("assent-signed-in", ({ detail }) => home(device, detail.person))
  accounts.addEventListener("assent-account-error", ({ detail }) => {
    if (detail.kind === "wiped") void device.forget().then(() => ask(words.wiped))
  })
  if (why && why !== "signed_out") {
    const sentence = words[why]
    accounts.addEventListener("assent-account-view", () => accounts.say(sentence), { once: true })
  }
  show("accounts", accounts)
}

function home(device: Device, person: Person): void {
  const own = new Home(device, person, words, tag)
  person.addEventListener("assent-signed-out", (event) => {
    const why = (event as CustomEvent<Ending>).detail
    if (why === "wiped") return ask(words.wiped)
    signIn(device, why)
  }, { once: true })
  show("home", own.element)
  void own.refresh()
}

void attempt(() => begin(code))
