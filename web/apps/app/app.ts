import { Client } from "../../../clients/typescript/src/client.js"
import { DeviceService } from "../../../clients/typescript/src/contract/account_v1.js"
import { StatusError } from "../../../clients/typescript/src/status.js"
import { Device } from "../../device/device.js"
import { type Ending, Person, settings } from "../../device/person.js"
import { broughtBack } from "../../device/provider.js"
import "../../elements/accounts/assent-accounts.js"
import { button, make, set } from "../../elements/dom.js"
import { isAway } from "../../session/away.js"
import type { AwayPerson } from "../../offline/away-person.js"
import type { Kept } from "../../offline/kept.js"
import { Program } from "../../offline/program.js"
import type { Drawer } from "../../offline/sealing.js"
import { preferred, type AppWords } from "./words.js"

// Whoever reads this has a browser that understands it.
document.getElementById("old")?.remove()

const { tag, words } = preferred()
const page = document.getElementById("page")!

// The code reaches no log, and does not stay in the address or the history.
const code = location.hash.slice(1)
if (code) history.replaceState(null, "", location.pathname)
// Nor does what a provider has sent the browser back with.
let brought = broughtBack()
// Another link that is opened in this tab changes nothing but the fragment.
addEventListener("hashchange", () => location.reload())

set(document.documentElement, { lang: tag, dir: tag === "ar" ? "rtl" : "ltr" })

const program = new Program()
/** What is kept for times without a connection, where the browser keeps anything. It comes beside the first screen. */
const keeping: Promise<Kept | undefined> = import("../../offline/kept.js")
  .then(({ Kept }) => Kept.open()).catch(() => undefined)
/** What stands on the page once somebody has signed in. */
const homes = () => Promise.all([import("./home.js"), import("./away.js")])
/** What stands on the page, and has to be told when it goes. */
let standing: { end(): void } | undefined

/** Shows something in place of what was there, and moves a screen reader to it. */
function show(name: string, ...children: Node[]): void {
  page.className = name
  standing?.end()
  standing = undefined
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
  program.free()
  if (sentence === words.wiped) void keeping.then((kept) => kept?.wipe())
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
  let device = await Device.known(), isCutOff = false
  if (device) {
    const isPrepared = async () => await (await keeping)?.isPrepared() === true
    try {
      // Where the browser knows that there is no connection, attempts would only take time.
      isCutOff = !navigator.onLine && await isPrepared()
      if (!isCutOff) await device.token()
    } catch (problem) {
      isCutOff = isAway(problem) && await isPrepared()
      // One that was wiped has forgotten its key, and may become another.
      if (!isCutOff && (!given || await Device.known())) throw problem
      if (!isCutOff) device = undefined
    }
  }
  if (!device && !given) return ask((await keeping)?.wasEmptied ? words.emptied : "")
  if (!device) {
    await (await keeping)?.wipe()
    device = await Device.register(given)
  }
  const own = device, standsIn = keeping.then((kept) => {
    if (!kept) return
    own.standIn = kept.screens
    kept.keepSending(own)
  })
  if (isCutOff) {
    await standsIn
    document.title = await (await keeping)?.browser.get<string>("title") ?? words.title
    // Whoever was signed in here does it anew: what is theirs is sealed.
    Person.forget()
    return signIn(device)
  }
  const devices = new Client(settings(device.access)).service(DeviceService)
  const { title = "" } = await devices.getApplication({ locale: tag })
  document.title = title || device.name || words.title
  void keeping.then((kept) => kept?.browser.keep("title", document.title)).catch(() => undefined)
  // Whoever is signed in here stays, unless somebody else comes back with what this tab has begun.
  const person = brought?.attempt === undefined ? await Person.resume(device) : undefined
  if (person) home(device, person)
  else signIn(device)
}

function signIn(device: Device, why?: Ending): void {
  const accounts = make("assent-accounts", { lang: tag, identity: "pages" })
  let opened: Drawer | undefined, said = ""
  accounts.device = device
  accounts.brought = brought
  brought = undefined
  accounts.signIn = async (personId, passcode) => {
    const kept = await keeping
    const away = async (own: Kept) => {
      await awayHome(device, own, await own.signIn(personId, passcode))
      return undefined
    }
    // Where the browser knows that there is no connection, nobody waits for attempts.
    if (kept && !navigator.onLine) return away(kept)
    try {
      const person = await Person.signIn(device, personId, passcode)
      // Where nothing can be kept, all else goes on.
      const own = await kept?.opened(person, passcode).catch(() => undefined)
      opened = own?.drawer
      if (own?.isLost) said = words.lostHere
      return person
    } catch (problem) {
      if (!kept || !isAway(problem)) throw problem
      return away(kept)
    }
  }
  accounts.changing = async (personId, passcode) => (await keeping)?.changing(personId, passcode)
  accounts.addEventListener("assent-signed-in", ({ detail }) => home(device, detail.person, opened, said))
  accounts.addEventListener("assent-account-error", ({ detail }) => {
    if (detail.kind === "wiped") void device.forget().then(() => ask(words.wiped))
  })
  const sentence = why && why !== "signed_out" ? words[why] : ""
  accounts.addEventListener("assent-account-view", () => void keeping.then((kept) => {
    if (sentence) accounts.say(sentence)
    else if (kept?.wasEmptied) accounts.say(words.emptied)
    // Once is enough.
    if (kept) kept.wasEmptied = false
  }), { once: true })
  show("accounts", accounts)
  program.free()
  void homes().catch(() => undefined)
}

function home(device: Device, person: Person, drawer?: Drawer, said = ""): void {
  program.use()
  void Promise.all([keeping, homes()]).then(([kept, [{ Home }, { AwayHome }]]) => {
    if (person.ending !== undefined) return
    const away = (sessionId?: string): void => {
      const pane = new AwayHome(kept!, drawer!, words, tag, {
        leave: () => void person.signOut().catch(() => undefined), again: async () => present(),
        goOn: (later) => present("", later),
      })
      show("home", pane.element)
      standing = pane
      if (sessionId) pane.resume(sessionId, () => present())
      else void pane.refresh()
    }
    const present = (first = "", later?: string): void => {
      const own = new Home(device, person, words, tag, kept && { kept, drawer, away },
        () => setPasscode(device, person, () => present()))
      show("home", own.element)
      standing = own
      if (later) void own.goOn(later)
      else void own.refresh(first)
    }
    present(said)
    if (!kept) return
    kept.person = person
    void kept.send(device)
  }, () => tell(words.away, button({}, () => home(device, person, drawer, said), words.again)))
  person.addEventListener("assent-signed-out", (event) => {
    const why = (event as CustomEvent<Ending>).detail
    drawer?.close()
    void keeping.then((kept) => { if (kept?.person === person) kept.person = undefined })
    if (why === "wiped") return ask(words.wiped)
    signIn(device, why)
  }, { once: true })
}

/** A passcode for this device, for somebody who signs in at a provider; and back, or to the sign-in with it. */
function setPasscode(device: Device, person: Person, back: () => void): void {
  const accounts = make("assent-accounts", { lang: tag })
  accounts.device = device
  accounts.person = person
  accounts.addEventListener("assent-account-act", ({ detail }) => {
    if (detail.action !== "ACCOUNT_ACTION_DONE") return back()
    // Whoever has a new passcode signs in with it: the session has ended.
    void person.signOut().catch(() => undefined)
  })
  show("accounts", accounts)
  void accounts.show("ACCOUNT_VIEW_KIND_SET_PASSCODE")
}

/** Somebody has signed in without a connection. */
async function awayHome(device: Device, kept: Kept, person: AwayPerson): Promise<void> {
  program.use()
  Person.forget()
  const [, { AwayHome }] = await homes()
  const pane: InstanceType<typeof AwayHome> = new AwayHome(kept, person.drawer, words, tag, {
    leave: () => person.signOut(),
    again: () => kept.send(device).then(() => device.token())
      .then(() => pane.refresh(words.connectionBack), () => pane.refresh()),
  })
  person.addEventListener("assent-signed-out", (event) => {
    signIn(device, (event as CustomEvent<Ending>).detail)
  }, { once: true })
  show("home", pane.element)
  standing = pane
  void pane.refresh()
}

void program.install().catch(() => undefined)
void attempt(() => begin(code))
