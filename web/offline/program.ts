/** Where the service worker is. */
const address = "/app-worker.js", inUse = "assent-app/in-use"

interface Policies {
  createPolicy(name: string, rules: { createScriptURL(url: string): string }): { createScriptURL(url: string): string }
}

/** The page's own program as it is kept here: a newer one takes its place only while nobody is signed in. */
export class Program {
  private registration: ServiceWorkerRegistration | undefined
  private letGo: (() => void) | undefined
  /** Kept once the lock is free again. */
  private held: Promise<unknown> | undefined

  /** Keeps the page for use without a connection, where the browser can. */
  async install(): Promise<void> {
    const workers = navigator.serviceWorker
    if (!workers) return
    const policies = (globalThis as { trustedTypes?: Policies }).trustedTypes
    const url = policies ? policies.createPolicy("assent-worker", { createScriptURL: checked }).createScriptURL(address)
      : address
    let isReplaced = !!workers.controller
    workers.addEventListener("controllerchange", () => {
      if (isReplaced && !this.letGo) location.reload()
      isReplaced = true
    })
    const registration = this.registration = await workers.register(url, { scope: "/app", updateViaCache: "none" })
    registration.addEventListener("updatefound", () => {
      registration.installing?.addEventListener("statechange", () => void this.renew())
    })
    await this.renew()
  }

  /** Somebody is at work here. */
  use(): void {
    if (this.letGo) return
    const over = new Promise<void>((done) => { this.letGo = done })
    this.held = navigator.locks?.request(inUse, { mode: "shared" }, () => over)
  }

  /** Nobody is, here. */
  free(): void {
    this.letGo?.()
    this.letGo = undefined
    // The browser takes the lock back a moment later.
    void Promise.resolve(this.held).then(() => this.renew())
  }

  /** Lets a newer program take over, where nobody is at work in any tab. */
  private async renew(): Promise<void> {
    if (!this.registration?.waiting || this.letGo) return
    await navigator.locks?.request(inUse, { ifAvailable: true }, (lock) => {
      if (lock) this.registration?.waiting?.postMessage("take-over")
    })
  }
}

function checked(url: string): string {
  if (url !== address) throw new TypeError("no other script is let through")
  return url
}
