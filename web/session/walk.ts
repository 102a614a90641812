import type { FlowAction, SessionView } from "../../clients/typescript/src/contract/consent_v1.js"
import { newIdempotencyKey } from "../../clients/typescript/src/idempotency-key.js"
import { StatusError } from "../../clients/typescript/src/status.js"
import { deviceTime } from "./device-time.js"
import type { Patience } from "./patience.js"
import type { Server } from "./server.js"

/** The newest schema of screens that is known here. */
export const clientSchema = 6

/** Why a walk stands still. */
export type Halt =
  /** Another browser has gone on with the session. */
  | "elsewhere"
  /** There is no such session, or not for this person. */
  | "gone"
  /** Something that no page can mend. */
  | "broken"

export interface WalkEvents {
  /** There is a new view. */
  shown(view: SessionView, remark: Remark | undefined): void
  /** What is given was refused, by the rule of this name. */
  refused(rule: string): void
  halted(halt: Halt, problem: unknown): void
  /** An action began or ended. */
  changed(): void
}

/** What a person is told about a screen that they did not ask for. */
export type Remark = "behind" | "textChanged"

/** One person's way through a session. The server decides all of it; here is only what was answered last. */
export class Walk {
  view: SessionView | undefined
  /** What is being done. */
  pending: FlowAction | undefined

  constructor(
    private readonly server: Server, private readonly sessionId: string, private readonly patience: Patience,
    private readonly events: WalkEvents,
  ) {}

  /** Shows the session as it is. */
  begin(remark?: Remark): Promise<void> {
    return this.follow(
      (signal) => this.server.sessions.getSession({ sessionId: this.sessionId, clientSchema }, { signal }), remark)
  }

  /** Goes on with what the server has just answered the page. */
  take(view: SessionView): void {
    this.view = view
    this.events.shown(view, undefined)
  }

  /** Goes on here, or in another language. */
  resume(locale = "", remark?: Remark): Promise<void> {
    const request = { sessionId: this.sessionId, locale, clientSchema }
    return this.once((idempotencyKey, signal) =>
      this.server.sessions.resumeSession(request, { idempotencyKey, signal }), remark)
  }

  /** Does something on the screen: once, however often it is sent. While it is under way, nothing else is done. */
  async act(action: FlowAction): Promise<void> {
    if (this.pending || !this.view) return
    this.pending = action
    this.events.changed()
    const request = {
      sessionId: this.sessionId, expectedVersion: this.view.version ?? 0,
      action: { ...action, deviceTime: deviceTime() }, clientSchema,
    }
    await this.once((idempotencyKey, signal) =>
      this.server.sessions.actOnSession(request, { idempotencyKey, signal }))
  }

  private async once(
    call: (key: string, signal: AbortSignal) => Promise<{ session?: SessionView }>, remark?: Remark,
  ): Promise<void> {
    const key = await newIdempotencyKey()
    await this.follow((signal) => call(key, signal), remark)
  }

  private async follow(
    call: (signal: AbortSignal) => Promise<{ session?: SessionView }>, remark?: Remark,
  ): Promise<void> {
    try {
      const { session } = await this.patience.until(call)
      this.pending = undefined
      if (!session?.screen) return this.events.halted("gone", undefined)
      this.view = session
      this.events.shown(session, remark)
    } catch (problem) {
      this.pending = undefined
      if (this.patience.signal.aborted) return
      await this.recover(problem)
    } finally {
      this.events.changed()
    }
  }

  private async recover(problem: unknown): Promise<void> {
    const { code, rule } = problem instanceof StatusError ? problem : { code: "internal", rule: "" }
    if (rule === "other_device") return this.events.halted("elsewhere", problem)
    if (rule === "text_changed") return this.resume("", "textChanged")
    // Another page, or another browser, has gone on; or the time has.
    if (rule === "stale_version") return this.begin("behind")
    if (["session_ended", "session_expired", "version_stopped"].includes(rule)) return this.begin()
    if (["not_found", "unauthenticated", "permission_denied"].includes(code)) return this.events.halted("gone", problem)
    if (this.view && (code === "invalid_argument" || code === "failed_precondition")) return this.events.refused(rule)
    this.events.halted("broken", problem)
  }
}
