import {
  PeopleService, SignInService, type GetAccountViewRequest, type ListedPerson, ViewService,
} from "../../../clients/typescript/src/contract/account_v1.js"
import { Client } from "../../../clients/typescript/src/client.js"
import { StatusError } from "../../../clients/typescript/src/status.js"
import {
  type Brought, broughtBack, Device, type Ending, finish, leaveFor, Person, providerNote,
} from "../../device/index.js"
import { button, make, set } from "../../elements/dom.js"
import { accounts, type AccountWords } from "../../words/accounts/words.js"
import { consoleWords, type Words } from "../../words/console/words.js"
import { browserLanguage, fetched, filled, language, type Language } from "../../words/language.js"
import { isAway } from "../../session/away.js"
import type { Access } from "../../session/server.js"
import { Shell } from "../shell/shell.js"
import { held } from "../parts/dialog.js"
import { note } from "../parts/marks.js"
import { refused } from "../parts/refused.js"
import { sentenceOf } from "./sign-in-words.js"

/** Lets staff in: registers the browser by its link, signs in, and opens the console. */
export async function enter(root: HTMLElement): Promise<void> {
  const spoken = await fetched(browserLanguage(), consoleWords)
  set(document.documentElement, { lang: spoken.tag, dir: spoken.direction })
  const shared = await language(browserLanguage(), accounts)
  await new Gate(root, spoken, shared.words).open(broughtBack())
}

class Gate {
  private device: Device | undefined
  private person: Person | undefined
  private again: Promise<void> | undefined
  /** What this browser is registered by, until it is. */
  private code = ""

  private readonly words: Words

  constructor(
    private readonly root: HTMLElement, private readonly spoken: Language<Words>,
    private readonly shared: AccountWords,
  ) {
    this.words = spoken.words
  }

  /** @param brought - what an OpenID provider has sent the browser back with */
  async open(brought?: Brought): Promise<void> {
    const { words } = this
    // A page's address begins with a slash; a code does not, reaches no log, and does not stay in the address.
    const code = location.hash.slice(1)
    if (code !== "" && !code.startsWith("/")) {
      this.code = code
      history.replaceState(null, "", location.pathname)
    }
    const isNew = this.code !== ""
    const notes: HTMLElement[] = []
    let person: Person | undefined
    try {
      this.device = isNew ? await this.register() : await Device.known()
      if (this.device) {
        // Whoever is signed in here stays, unless somebody comes back with what this tab has begun.
        if (brought?.attempt === undefined) person = await Person.resume(this.device)
        if (brought && !person) person = await finish(this.device, brought)
      }
    } catch (problem) {
      const again = () => void this.open()
      if (!(problem instanceof StatusError)) {
        return this.show(note("bad", make("p", {}, words.enter.unkept),
          button({ class: "btn s" }, again, words.failed.again)))
      }
      const isAboutUs = isAway(problem) && providerNote(problem.rule) === undefined
      const sentence = isAboutUs ? undefined : sentenceOf(problem, words, this.shared)
      if (!sentence) return this.show(refused(problem, words, again))
      if (!this.device) return this.show(note("bad", sentence))
      notes.push(note("bad", sentence))
    }
    if (!this.device) return this.show(note("", words.enter.unknown))
    if (isNew) notes.push(note("ok", words.enter.registered))
    if (person) this.take(person)
    else await this.signIn(isNew, notes)
    await this.start()
  }

  /** Makes this browser a device. A code that was used before does no harm where the browser is one already. */
  private async register(): Promise<Device | undefined> {
    try {
      const device = await Device.register(this.code)
      this.code = ""
      return device
    } catch (problem) {
      if (!(problem instanceof StatusError) || isAway(problem)) throw problem
      this.code = ""
      const known = await Device.known()
      if (!known) throw problem
      return known
    }
  }

  /** Whoever is signed in from now on. When the session ends by itself, nobody reads on without signing in again. */
  private take(person: Person): void {
    this.person = person
    person.addEventListener("assent-signed-out", (event) => {
      const why = (event as CustomEvent<Ending>).detail
      if (why === "wiped") location.reload()
      else if (why !== "signed_out") void this.signInAgain()
    }, { once: true })
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
      access: () => this.access, token: () => this.token(), signOut: () => this.person!.signOut(),
      reauthenticate: (passcode, challenge) => this.person!.reauthenticate(passcode, challenge),
    }, token, this.spoken, () => this.signInAgain())
    await shell.start()
  }

  /** Of whoever is signed in when a call is made. */
  private get access(): Access {
    return {
      url: "", headers: {}, token: () => this.person!.token(),
      fetch: (input, init) => this.person!.access.fetch!(input, init),
    }
  }

  private async token(): Promise<string> {
    for (;;) {
      try {
        return await this.person!.token()
      } catch (problem) {
        if (!(problem instanceof StatusError && problem.code === "unauthenticated")) throw problem
        await this.signInAgain()
      }
    }
  }

  /** Settles once somebody is signed in. */
  private async signIn(isNew: boolean, notes: readonly HTMLElement[]): Promise<void> {
    const { words } = this
    const [people, { providers }] = await Promise.all([
      this.people(), this.ways({ kind: "ACCOUNT_VIEW_KIND_SWITCH" })])
    this.take(await new Promise<Person>((done) => {
      const signing = this.form(people, done)
      const joining = this.joining(done)
      const choose = (isJoining: boolean): void => this.show(
        ...notes, isJoining ? joining : signing, ...providers,
        button({ class: "btn bare s" }, () => choose(!isJoining), isJoining ? words.enter.signIn : words.enter.first))
      choose(isNew && people.length === 0)
    }))
  }

  /** The people of this device, as far as they are shown before anybody signs in. */
  private async people(): Promise<ListedPerson[]> {
    const listed = await this.calls(PeopleService).listPeople({ pageSize: 100 }).catch(() => undefined)
    return [...listed?.current ? [listed.current] : [], ...listed?.others ?? []]
  }

  /** The ways in that a screen of the device has: by OpenID providers that know this page, and by a passcode. */
  private async ways(
    wanted: GetAccountViewRequest,
  ): Promise<{ readonly providers: HTMLElement[], readonly hasPasscode: boolean }> {
    const { view } = await this.calls(ViewService).getAccountView({
      ...wanted, locale: document.documentElement.lang,
    }).catch(() => ({ view: undefined }))
    const providers = (view?.buttons ?? []).filter(({ onPages }) => onPages).map(({ title = "", issuer = "" }) =>
      acting(this.words, this.shared, title, [], () => leaveFor(this.device!, issuer)))
    return { providers, hasPasscode: providers.length === 0 || !!view?.fields?.length }
  }

  private calls<Service extends typeof PeopleService | typeof SignInService | typeof ViewService>(service: Service) {
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
    return acting(words, this.shared, words.enter.signIn, [
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
    return acting(words, this.shared, words.enter.joining, [
      labelled(words.enter.join, code, words.enter.joinHelp), labelled(words.enter.name, name),
      labelled(words.enter.choose, passcode),
    ], async () => {
      const people = this.calls(PeopleService)
      const { onboarding } = await people.startOnboarding({
        invitationCode: code.value.trim(), profile: { title: name.value.trim() },
          locale: document.documentElement.lang })
      const { onboardingId = "", personId = "" } = onboarding ?? {}
      const { recoveryCode = "" } = await people.finishOnboarding({ onboardingId, passcode: passcode.value })
      this.show(make("h2", {}, words.enter.recovery), make("p", {}, words.enter.recoveryHelp),
        make("pre", { dir: "ltr", tabindex: "0" }, recoveryCode),
        acting(words, this.shared, words.enter.goOn, [], async () =>
          done(await Person.signIn(this.device!, personId, passcode.value))))
    })
  }

  /** The session has ended in the middle of something: the page stays as it is behind the dialog. */
  private signInAgain(): Promise<void> {
    this.again ??= this.waitForAnother().finally(() => { this.again = undefined })
    return this.again
  }

  private async waitForAnother(): Promise<void> {
    const { words, person } = this, personId = person!.personId
    const { providers, hasPasscode } = await this.ways({ kind: "ACCOUNT_VIEW_KIND_SIGN_IN", personId })
    await new Promise<void>((done) => {
      const dialog = make("dialog", { class: "alert locked", "aria-labelledby": "again" })
      let isIn = false
      const form = this.form([], (person) => {
        this.take(person)
        isIn = true
        dialog.close()
        dialog.remove()
        done()
      }, personId)
      const why = person!.ending === "over" ? words.enter.over : words.enter.again
      dialog.append(make("h2", { id: "again" }, words.enter.title), make("p", { class: "dim" }, why),
        ...hasPasscode ? [form] : [], ...providers,
        button({ class: "btn bare s" }, () => location.reload(), words.shell.signOut))
      held(dialog, () => !isIn)
      document.body.append(dialog)
      dialog.showModal()
      dialog.querySelector<HTMLElement>("input, button")!.focus()
    })
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
function acting(
  words: Words, shared: AccountWords, label: string, fields: Node[], act: () => Promise<void>,
): HTMLFormElement {
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
        words, shared) ?? filled(failure.message.replace(/^[a-z_]+: /, ""), {})))
    }).finally(() => { send.ariaBusy = null })
  })
  return form
}
