import { Client } from "../../../clients/typescript/src/client.js"
import {
  type AccountAction, type AccountView, type AccountViewKind, type GetAccountViewRequest, type ItemOutcome,
  type Onboarding, PeopleService, type PersonProfile, SignInService, type StartOnboardingRequest, SyncService,
  ViewService,
} from "../../../clients/typescript/src/contract/account_v1.js"
import { StatusError } from "../../../clients/typescript/src/status.js"
import { type Device, told } from "../../device/device.js"
import { type Person, settings } from "../../device/person.js"
import { type Brought, finish, leaveFor, providerNote } from "../../device/provider.js"
import { isAway } from "../../session/away.js"
import type { AccountWords } from "../../words/accounts/words.js"
import type { AccountTrouble } from "./events.js"

/** What a walk tells the element. */
export interface WalkEvents {
  /** A view has come; with a word about it. `isNew`: another screen than before. */
  shown(view: AccountView, note: keyof AccountWords | undefined, isNew: boolean): void
  /** The sentence about the time until the next attempt is another one. */
  waits(sentence: string): void
  /** What was given was refused: the fields keep it, except for passcodes. */
  refused(note: keyof AccountWords): void
  /** Somebody new has to walk through a consent flow. */
  consent(sessionId: string): void
  signedIn(person: Person): void
  /** The page's to do. */
  act(action: AccountAction, issuer?: string): void
  trouble(kind: AccountTrouble["kind"], problem: unknown): void
}

/** How people sign in. */
export interface SigningIn {
  /** Undefined: the page goes on by itself. */
  signIn(personId: string, passcode: string): Promise<Person | undefined>
  /** This passcode will open nothing any more. */
  changing(personId: string, passcode: string): Promise<void>
}

/** What was typed, by the identifiers of the view's fields. */
export type Typed = Readonly<Record<string, string>>

/** What a button is about, where it stands beside somebody or something. */
interface About {
  readonly personId?: string
  readonly item?: ItemOutcome
  readonly issuer?: string
}

type Wanted = Omit<GetAccountViewRequest, "kind" | "locale">

/** What is said of a refusal, by its rule. */
const notes: Readonly<Record<string, keyof AccountWords>> = {
  wrong_passcode: "wrongPasscode", wrong_recovery_code: "wrongRecovery", unknown_code: "wrongCode",
  person_locked: "locked", invitation_needed: "noInvitation", already_listed: "alreadyListed",
  person_exists: "alreadyListed", single_user: "oneOnly", passcode_too_short: "passcodeShort",
  passcode_not_digits: "passcodeDigits", passcode_denied: "passcodeGuessed", passcode_unchanged: "passcodeSame",
  consent_not_given: "notAdded", device_wiped: "wiped", connection_needed: "connectionNeeded",
}

/** What the page is told of besides. */
const troubles: Partial<Record<keyof AccountWords, AccountTrouble["kind"]>> = {
  wiped: "wiped", away: "away", failed: "broken",
}

/** From screen to screen, as people act. What screens show comes from the server. */
export class AccountWalk {
  view: AccountView | undefined
  readonly #services
  /** The screen that was asked for last. */
  #kind: AccountViewKind = "ACCOUNT_VIEW_KIND_SIGN_IN"
  #wanted: Wanted = {}
  /** Counts the screens that were asked for: an answer that came after a newer question is none. */
  #turn = 0
  #draft: PersonProfile = {}
  #code = ""
  #onboarding: Onboarding = {}
  #passcode = ""
  #countdown: ReturnType<typeof setInterval> | undefined

  constructor(
    private readonly device: Device, private readonly locale: () => string, private readonly events: WalkEvents,
    /** Whoever is signed in, for what only they may see. */
    private readonly person: () => Person | undefined,
    private readonly ways: SigningIn,
  ) {
    const client = new Client(settings(device.access))
    this.#services = {
      people: client.service(PeopleService), signIn: client.service(SignInService), views: client.service(ViewService),
    }
  }

  end(): void {
    this.#turn += 1
    clearInterval(this.#countdown)
  }

  /** Shows a screen. */
  async show(kind: AccountViewKind, wanted: Wanted = {}, note?: keyof AccountWords): Promise<void> {
    clearInterval(this.#countdown)
    const turn = ++this.#turn
    this.#kind = kind
    this.#wanted = wanted
    const views = kind === "ACCOUNT_VIEW_KIND_FAILED_ITEMS" ? this.#own(ViewService) : this.#services.views
    const { view } = await views.getAccountView({ ...wanted, kind, locale: this.locale() })
    if (turn !== this.#turn) return
    const isNew = kind !== this.view?.kind
    this.view = view ?? {}
    this.events.shown(this.view, note, isNew)
  }

  /** The same screen once more, as when its language has changed. */
  again(): Promise<void> {
    return this.show(this.#kind, this.#wanted)
  }

  /** Looks for people. */
  search(query: string): Promise<void> {
    return this.#guarded(() => this.show("ACCOUNT_VIEW_KIND_SWITCH", { query }))
  }

  /** Leaves the page for an OpenID provider. */
  leave(issuer: string): Promise<void> {
    return this.#guarded(async () => {
      try {
        await leaveFor(this.device, issuer)
      } catch (problem) {
        if (!isOutOfReach(problem)) throw problem
        this.events.refused("providerOffline")
      }
    })
  }

  /** Signs in whoever a provider has sent back. */
  finish(brought: Brought): Promise<void> {
    return this.#guarded(async () => this.events.signedIn(await finish(this.device, brought)))
  }

  /** Does what a button is for. Whatever goes wrong is said. */
  act(action: AccountAction, typed: Typed = {}, about: About = {}): Promise<void> {
    return this.#guarded(() => this.#act(action, typed, about))
  }

  /** The consent flow has ended. */
  consented(isGood: boolean): Promise<void> {
    return this.#guarded(() => isGood ? this.show("ACCOUNT_VIEW_KIND_SET_PASSCODE") : this.#giveUp("notAdded"))
  }

  async #guarded(work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (problem) {
      await this.#failed(problem).catch((worse: unknown) => this.#refused(worse, isAway(worse) ? "away" : "failed"))
    }
  }

  async #act(action: AccountAction, typed: Typed, { personId, item, issuer }: About): Promise<void> {
    const kind = this.view?.kind, { people } = this.#services
    switch (action) {
      case "ACCOUNT_ACTION_SIGN_IN": return this.#signIn(typed["passcode"] ?? "")
      case "ACCOUNT_ACTION_FORGOT_PASSCODE": return this.show("ACCOUNT_VIEW_KIND_FORGOT_PASSCODE")
      case "ACCOUNT_ACTION_SWITCH": return this.show("ACCOUNT_VIEW_KIND_SWITCH")
      case "ACCOUNT_ACTION_SELECT":
        await people.selectPerson({ personId: personId ?? "" })
        return this.show("ACCOUNT_VIEW_KIND_SIGN_IN")
      case "ACCOUNT_ACTION_ADD":
        this.#draft = {}
        this.#code = ""
        return this.show("ACCOUNT_VIEW_KIND_ONBOARDING")
      case "ACCOUNT_ACTION_ENTER_CODE": return this.show("ACCOUNT_VIEW_KIND_ENTER_CODE")
      case "ACCOUNT_ACTION_NEXT": return this.#next(typed)
      case "ACCOUNT_ACTION_SAVE": return this.#save(typed)
      case "ACCOUNT_ACTION_CANCEL": return this.#sets() ? this.events.act(action) : this.#giveUp()
      case "ACCOUNT_ACTION_BACK":
        if (kind === "ACCOUNT_VIEW_KIND_CONFIRM_PASSCODE") return this.show("ACCOUNT_VIEW_KIND_SET_PASSCODE")
        if (kind === "ACCOUNT_VIEW_KIND_ENTER_CODE") return this.show("ACCOUNT_VIEW_KIND_ONBOARDING")
        if (this.person()) return this.events.act(action)
        return this.show("ACCOUNT_VIEW_KIND_SIGN_IN")
      case "ACCOUNT_ACTION_DONE":
        if (kind === "ACCOUNT_VIEW_KIND_RECOVERY_CODE") return this.show("ACCOUNT_VIEW_KIND_SIGN_IN")
        return this.events.act(action)
      case "ACCOUNT_ACTION_RETURN_TO_SIGN_IN": {
        const affected = this.view?.person?.personId
        if (affected) await people.selectPerson({ personId: affected })
        this.events.act(action)
        return this.show("ACCOUNT_VIEW_KIND_SIGN_IN")
      }
      case "ACCOUNT_ACTION_DECIDE": return this.show("ACCOUNT_VIEW_KIND_FAILED_ITEMS")
      case "ACCOUNT_ACTION_MORE":
        return this.show("ACCOUNT_VIEW_KIND_FAILED_ITEMS", { pageToken: this.view?.nextPageToken ?? "" })
      case "ACCOUNT_ACTION_RETRY_ITEM":
      case "ACCOUNT_ACTION_TAKE_MINE":
        await this.#own(SyncService).retryItem({ deviceId: item?.deviceId ?? "", itemId: item?.itemId ?? "" })
        return this.show("ACCOUNT_VIEW_KIND_FAILED_ITEMS")
      case "ACCOUNT_ACTION_TAKE_THEIRS":
      case "ACCOUNT_ACTION_DISCARD_ITEM":
        await this.#own(SyncService).discardItem({ deviceId: item?.deviceId ?? "", itemId: item?.itemId ?? "" })
        return this.show("ACCOUNT_VIEW_KIND_FAILED_ITEMS")
      default: return this.events.act(action, issuer)
    }
  }

  async #signIn(passcode: string): Promise<void> {
    const personId = this.view?.person?.personId ?? ""
    try {
      const person = await this.ways.signIn(personId, passcode)
      if (person) this.events.signedIn(person)
    } catch (problem) {
      if (!(problem instanceof StatusError) || problem.rule !== "passcode_must_change") throw problem
      await this.show("ACCOUNT_VIEW_KIND_CHANGE_PASSCODE", {}, "mustChange")
    }
  }

  async #next(typed: Typed): Promise<void> {
    const { code = "", name, subtitle } = typed
    switch (this.view?.kind) {
      case "ACCOUNT_VIEW_KIND_SET_PASSCODE":
        this.#passcode = typed["passcode"] ?? ""
        return this.show("ACCOUNT_VIEW_KIND_CONFIRM_PASSCODE")
      case "ACCOUNT_VIEW_KIND_ENTER_CODE":
        try {
          return await this.#start({ linkCode: code })
        } catch (problem) {
          if (!(problem instanceof StatusError) || problem.rule !== "unknown_code") throw problem
          // An invitation's: it says nothing about the person, so their name is asked for.
          this.#code = code
          return this.show("ACCOUNT_VIEW_KIND_ONBOARDING", {}, "sayName")
        }
      default: {
        this.#draft = { title: name ?? "", subtitle: subtitle ?? "" }
        const invitationCode = code || this.#code
        return this.#start({
          ...invitationCode ? { invitationCode } : { selfRegistration: {} }, profile: this.#draft })
      }
    }
  }

  async #start(by: StartOnboardingRequest): Promise<void> {
    const { onboarding = {} } = await this.#services.people.startOnboarding({ ...by, locale: this.locale() })
    this.#onboarding = onboarding
    if (onboarding.state === "ONBOARDING_STATE_CONSENT" && onboarding.consentSessionId) {
      return this.events.consent(onboarding.consentSessionId)
    }
    return this.show("ACCOUNT_VIEW_KIND_SET_PASSCODE")
  }

  async #save(typed: Typed): Promise<void> {
    const personId = this.view?.person?.personId ?? "", passcode = typed["passcode"] ?? ""
    const newPasscode = typed["new_passcode"] ?? "", { people, signIn } = this.#services
    switch (this.view?.kind) {
      case "ACCOUNT_VIEW_KIND_FORGOT_PASSCODE": {
        const { recoveryCode = "" } = await signIn.recoverPasscode(
          { personId, newPasscode, recoveryCode: typed["recovery_code"] ?? "" })
        return this.show("ACCOUNT_VIEW_KIND_RECOVERY_CODE", { recoveryCode })
      }
      case "ACCOUNT_VIEW_KIND_CHANGE_PASSCODE":
        await this.ways.changing(personId, passcode)
        await signIn.changePasscode({ personId, passcode, newPasscode })
        return this.show("ACCOUNT_VIEW_KIND_SIGN_IN", {}, "changed")
      default: {
        // Which of the two was meant nobody knows: entered once more, one would be compared with the other again.
        if (passcode !== this.#passcode) return this.show("ACCOUNT_VIEW_KIND_SET_PASSCODE", {}, "differed")
        const own = this.#sets()
        if (own) {
          // In place of the passcode that there is not, the sign-in by a provider is fresh.
          await this.#own(SignInService).changePasscode({ personId: own.personId, newPasscode: passcode })
          this.#passcode = ""
          return this.events.act("ACCOUNT_ACTION_DONE")
        }
        const { recoveryCode = "" } = await people.finishOnboarding(
          { onboardingId: this.#onboarding.onboardingId ?? "", passcode })
        this.#passcode = ""
        this.#onboarding = {}
        if (!recoveryCode) return this.show("ACCOUNT_VIEW_KIND_SIGN_IN")
        return this.show("ACCOUNT_VIEW_KIND_RECOVERY_CODE", { recoveryCode })
      }
    }
  }

  /** Whoever sets a first passcode of their own, rather than somebody new. */
  #sets(): Person | undefined {
    const isOwn = this.view?.kind === "ACCOUNT_VIEW_KIND_SET_PASSCODE"
      || this.view?.kind === "ACCOUNT_VIEW_KIND_CONFIRM_PASSCODE"
    return isOwn && !this.#onboarding.onboardingId ? this.person() : undefined
  }

  async #giveUp(note?: keyof AccountWords): Promise<void> {
    const { onboardingId } = this.#onboarding
    this.#onboarding = {}
    if (onboardingId) await this.#services.people.cancelOnboarding({ onboardingId })
    return this.show("ACCOUNT_VIEW_KIND_SIGN_IN", {}, note)
  }

  async #failed(problem: unknown): Promise<void> {
    if (!(problem instanceof StatusError)) throw problem
    const delay = told(problem, "assent.account.v1.SignInDelay") as { delay?: string } | undefined
    if (delay) return this.#wait(Math.ceil(parseFloat(delay.delay ?? "1")))
    const lacks = problem.rule.startsWith("passcode_lacks_") ? "passcodeLacks" : undefined
    const note = notes[problem.rule] ?? providerNote(problem.rule) ?? lacks ?? (isAway(problem) ? "away" : "failed")
    if (note === "notAdded") return this.#giveUp(note)
    // What was set has to be set otherwise.
    if (problem.rule.startsWith("passcode_") && this.view?.kind === "ACCOUNT_VIEW_KIND_CONFIRM_PASSCODE") {
      return this.show("ACCOUNT_VIEW_KIND_SET_PASSCODE", {}, note)
    }
    this.#refused(problem, note)
  }

  #refused(problem: unknown, note: keyof AccountWords): void {
    const kind = troubles[note]
    if (kind) this.events.trouble(kind, problem)
    this.events.refused(note)
  }

  /** Says how long the next attempt waits, until it need not. */
  async #wait(seconds: number): Promise<void> {
    const kind = this.view?.kind ?? "ACCOUNT_VIEW_KIND_SIGN_IN", until = Date.now() + seconds * 1000
    const left = () => Math.max(0, Math.ceil((until - Date.now()) / 1000))
    const shown = this.show(kind, { waitSeconds: left() }), turn = this.#turn
    await shown
    if (turn !== this.#turn) return
    this.#countdown = setInterval(() => {
      if (left() === 0) void this.#guarded(() => this.show(kind))
      else this.events.waits(timed(this.view?.description ?? "", left()))
    }, 1000)
  }

  #own<Service extends typeof SyncService | typeof ViewService | typeof SignInService>(service: Service) {
    const person = this.person()
    if (!person) throw new StatusError("unauthenticated", "signed_out: nobody is signed in here")
    return new Client(settings(person.access)).service(service)
  }
}

/** Whether there is no way to the server, rather than from there to a provider. */
function isOutOfReach(problem: unknown): boolean {
  const isTold = problem instanceof StatusError && providerNote(problem.rule) !== undefined
  return !isTold && (problem instanceof TypeError || isAway(problem))
}

/** A sentence with another time in it, as m:ss. */
function timed(sentence: string, seconds: number): string {
  return sentence.replace(/\d+:\d\d/, `${Math.floor(seconds / 60)}:${`${seconds % 60}`.padStart(2, "0")}`)
}
