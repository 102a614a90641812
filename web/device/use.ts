const signs = ["pointerdown", "pointermove", "keydown", "wheel"]

/** Whether somebody is at the device. After a time without any sign of it, `idle` is called. */
export class Use {
  /** When there was a sign of it last. */
  at = Date.now()
  #timer: ReturnType<typeof setTimeout> | undefined

  /** @param lockMs - that time; 0: for ever */
  constructor(private readonly lockMs: number, private readonly idle: () => void) {
    for (const kind of signs) addEventListener(kind, this.#used, { passive: true })
    this.#used()
  }

  end(): void {
    clearTimeout(this.#timer)
    for (const kind of signs) removeEventListener(kind, this.#used)
  }

  /** Somebody is there. A machine that slept may tell of it before its timers ring. */
  readonly #used = (): void => {
    clearTimeout(this.#timer)
    if (this.lockMs === 0) return
    if (Date.now() - this.at > this.lockMs) return this.idle()
    this.at = Date.now()
    this.#timer = setTimeout(this.idle, this.lockMs)
  }
}
