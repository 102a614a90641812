import { StatusError, type Code } from "../../clients/typescript/src/status.js"

/** The server is away: since which attempt, and when the next one is made. */
export interface Absence {
  readonly attempts: number
  readonly nextAt: number
}

/** No gateway answered, or one that cannot help now. What a proxy says instead of one counts as well. */
const away: readonly Code[] = ["unavailable", "deadline_exceeded", "resource_exhausted", "unknown"]
const firstPauseMs = 1000, longestPauseMs = 15_000

/** Makes calls until they are answered, however long the server is away. */
export class Patience {
  private readonly ended = new AbortController()
  private readonly absences = new Set<Absence>()
  private wakes = new Set<() => void>()
  private readonly wake = () => this.retry()

  constructor(private readonly changed: () => void) {
    addEventListener("online", this.wake)
  }

  /** The absence that ends next, if any call waits. */
  get absence(): Absence | undefined {
    return [...this.absences].sort((one, other) => one.nextAt - other.nextAt)[0]
  }

  get signal(): AbortSignal {
    return this.ended.signal
  }

  /** Makes the waiting calls now. */
  retry(): void {
    for (const wake of [...this.wakes]) wake()
  }

  end(): void {
    this.ended.abort()
    removeEventListener("online", this.wake)
    this.retry()
  }

  async until<Answer>(call: (signal: AbortSignal) => Promise<Answer>): Promise<Answer> {
    let absence: Absence | undefined
    const note = (next: Absence | undefined) => {
      if (absence) this.absences.delete(absence)
      if (next) this.absences.add(next)
      absence = next
      this.changed()
    }
    for (let attempts = 1; ; attempts += 1) {
      try {
        const answer = await call(this.signal)
        if (absence) note(undefined)
        return answer
      } catch (problem) {
        if (this.signal.aborted || !(problem instanceof StatusError && away.includes(problem.code))) {
          if (absence) note(undefined)
          throw problem
        }
        const pause = Math.min(longestPauseMs, problem.retryAfterMs ?? firstPauseMs * 2 ** (attempts - 1))
        note({ attempts, nextAt: Date.now() + pause })
        await this.pause(pause)
      }
    }
  }

  private pause(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const wake = () => {
        clearTimeout(timer)
        this.wakes.delete(wake)
        resolve()
      }
      const timer = setTimeout(wake, milliseconds)
      this.wakes.add(wake)
      if (this.signal.aborted) wake()
    })
  }
}
