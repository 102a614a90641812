import { PeopleService, SignInService, type ListedPerson } from "../../../clients/typescript/src/contract/account_v1.js"
import { Client } from "../../../clients/typescript/src/client.js"
import { StatusError } from "../../../clients/typescript/src/status.js"
import { Device, Person } from "../../device/index.js"
import { button, make, set } from "../../elements/dom.js"
import { consoleWords, type Words } from "../../words/console/words.js"
import { filled, language } from "../../words/language.js"
import { Shell } from "../shell/shell.js"
import { note } from "../parts/marks.js"
import { refused } from "../parts/refused.js"
import { sentenceOf } from "./sign-in-words.js"

/** Lets staff in: registers the browser by its link, signs in, and opens the console. */
export async function enter(root: HTMLElement): Promise<void> {
  const spoken = await language(navigator.language, consoleWords)
  set(document.documentElement, { lang: spoken.tag, dir: spoken.direction })
  await new Gate(root, spoken.words).open()
}

class Gate {
  private device: Device | undefined
  private person: Person | undefined
  private again: Promise<void> | undefined

  constructor(private readonly root: HTMLElement, private readonly words: Words) {}

  async open(): Promise<void> {
    const { words } = this
    // A page's address begins with a slash; a code does not, reaches no log, and does not stay in the address.
    const code = location.hash.slice(1)
    const isCode = code !== "" && !code.startsWith("/")
    if (isCode) history.replaceState(null, "", location.pathname)
    try {
      this.device = isCode ? await Device.register(code) : await Device.known()
      this.person = this.device && await Person.resume(this.device)
    } catch (problem) {
      const sentence = problem instanceof StatusError ? sentenceOf(problem, words) : undefined
      this.device ??= await Device.known()
      if (sentence === undefined) return this.show(refused(problem, words, () => void this.open()))
      if (!this.device) return this.show(note("bad", sentence))
    }
    if (!this.device) return this.show(note("", words.enter.unknown))
    if (!this.person) await this.signIn(isCode)
    await this.start()
  }

  private show(...content: Node[]): void {
    this.root.className = "enter"
    this.root.replaceChildren(make("main", { class: "panel" },
      make("h1", { tabindex: "-1" }, this.words.enter.title), ...content))
    document.title = this.words.enter.title
    this.root.querySelector("h1")!.focus()
  }

  private async start(): Promise<void> {
    const token = await this.person!.token()
    const shell = new Shell(this.root, {
      access: () => this.person!.access, token: () => this.person!.token(), signOut: () => this.person!.signOut(),
      reauthenticate: (passcode, challenge) => this.person!.reauthenticate(passcode, challenge),
    }, token, () => this.signInAgain())
    await shell.start()
  }

  /** Settles once somebody is signed in. */
  private async signIn(isNew: boolean): Promise<void> {
    const { words } = this
    const people = await this.people()
    this.person = await new Promise<Person>((done) => {
      const signing = this.form(people, done)
      const joining = this.joining(done)
      const choose = (isJoining: boolean): void => this.show(
        ...isNew ? [note("ok", words.enter.registered)] : [], isJoining ? joining : signing,
        button({ class: "btn bare s" }, () => choose(!isJoining), isJoining ? words.enter.signIn : words.enter.first))
      choose(isNew && people.length === 0)
    })
  }

  /** The people of this device, as far as they are shown before anybody signs in. */
  private async people(): Promise<ListedPerson[]> {
    const listed = await this.calls(PeopleService).listPeople({ pageSize: 100 }).catch(() => undefined)
    return [...listed?.current ? [listed.current] : [], ...listed?.others ?? []]
  }

  private calls<Service extends typeof PeopleService | typeof SignInService>(service: Service) {
    return new Client({ url: "", key: () => this.device!.token() }).service(service as Service & Record<string, never>)
  }

  private form(people: readonly ListedPerson[], done: (person: Person) => void, only?: string): HTMLElement {
    const { words } = this
    const who = people.length > 0
      ? make("select", { class: "in s", name: "person" }, ...people.map(({ personId = "", profile }) =>
        make("option", { value: personId }, profile?.title || personId)))
      : make("input", { class: "in s", name: "person", autocomplete: "username", required: true, dir: "ltr" })
    if (only !== undefined) who.value = only
    const passcode = make("input", {
      class: "in s", type: "password", name: "passcode", autocomplete: "current-password", required: true })
    const fresh = make("input", { class: "in s", type: "password", name: "new", autocomplete: "new-password" })
    const change = labelled(words.enter.choose, fresh)
    change.hidden = true
    return acting(words, words.enter.signIn, [
      ...only === undefined ? [labelled(words.enter.person, who)] : [], labelled(words.enter.passcode, passcode),
        change,
    ], async () => {
      const personId = only ?? who.value.trim()
      if (fresh.value) {
        await this.calls(SignInService).changePasscode({ personId, passcode: passcode.value, newPasscode: fresh.value })
        passcode.value = fresh.value
        fresh.value = ""
        change.hidden = true
      }
      try {
        done(await Person.signIn(this.device!, personId, passcode.value))
      } catch (problem) {
        if (problem instanceof StatusError && problem.rule === "passcode_must_change") change.hidden = false
        throw problem
      }
    })
  }

  /** A new account at this device, by the code of an administrator. */
  private joining(done: (person: Person) => void): HTMLElement {
    const { words } = this
    const code = make("input", { class: "in s", name: "code", autocomplete: "one-time-code", required: true,
      dir: "ltr" })
    const name = make("input", { class: "in s", name: "name", autocomplete: "name", required: true })
    const passcode = make("input", { class: "in s", type: "password", name: "new", autocomplete: "new-password",
      required: true })
    return acting(words, words.enter.joining, [
      labelled(words.enter.join, code, words.enter.joinHelp), labelled(words.enter.name, name),
      labelled(words.enter.choose, passcode),
    ], async () => {
      const people = this.calls(PeopleService)
      const { onboarding } = await people.startOnboarding({
        invitationCode: code.value.trim(), profile: { title: name.value.trim() },
          locale: document.documentElement.lang })
      const { onboardingId = "", personId = "" } = onboarding ?? {}
      const { recoveryCode = "" } = await people.finishOnboarding({ onboardingId, passcode: passcode.value })
      const person = await Person.signIn(this.device!, personId, passcode.value)
      this.show(make("h2", {}, words.enter.recovery), make("p", {}, words.enter.recoveryHelp),
        make("pre", { dir: "ltr", tabindex: "0" }, recoveryCode),
        button({ class: "btn s go" }, () => done(person), words.enter.goOn))
    })
  }

  /** The session has ended in the middle of something: the page stays as it is behind the dialog. */
  private signInAgain(): Promise<void> {
    this.again ??= new Promise<void>((done) => {
      const { words } = this
      const dialog = make("dialog", { class: "alert locked", "aria-labelledby": "again" })
      const form = this.form([], (person) => {
        this.person = person
        dialog.close()
        dialog.remove()
        done()
      }, this.person!.personId)
      dialog.append(make("h2", { id: "again" }, words.enter.title), make("p", { class: "dim" }, words.enter.again),
        form,
        button({ class: "btn bare s" }, () => location.reload(), words.shell.signOut))
      dialog.addEventListener("cancel", (event) => event.preventDefault())
      document.body.append(dialog)
      dialog.showModal()
      form.querySelector<HTMLElement>("input")!.focus()
    }).finally(() => { this.again = undefined })
    return this.again
  }
}

let count = 0

function labelled(label: string, control: HTMLElement, help?: string): HTMLElement {
  const id = `enter-${++count}`
  set(control, { id, "aria-describedby": help ? `${id}-h` : undefined })
  return make("div", { class: "field" }, make("label", { for: id }, label),
    ...help ? [make("p", { class: "dim small", id: `${id}-h` }, help)] : [], control)
}

/** A form that does one thing, and says in words why it cannot. */
function acting(words: Words, label: string, fields: Node[], act: () => Promise<void>): HTMLFormElement {
  const problem = make("div", { role: "alert" })
  const send = make("button", { class: "btn s go" }, label)
  const form = make("form", { class: "stack" }, ...fields, problem, make("div", { class: "row" }, send))
  form.addEventListener("submit", (event) => {
    event.preventDefault()
    if (send.ariaBusy) return
    send.ariaBusy = "true"
    problem.replaceChildren()
    act().catch((failure) => {
      if (!(failure instanceof StatusError)) throw failure
      problem.replaceChildren(note("bad", sentenceOf(failure,
        words) ?? filled(failure.message.replace(/^[a-z_]+: /, ""), {})))
    }).finally(() => { send.ariaBusy = null })
  })
  return form
}
