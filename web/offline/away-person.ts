import type { Ending } from "../device/person.js"
import { Use } from "../device/use.js"
import type { Drawer } from "./sealing.js"
import type { Opened } from "./unlocking.js"

/** Somebody who has signed in without a connection, in this tab. Dispatches `assent-signed-out` once, like a Person. */
export class AwayPerson extends EventTarget {
  readonly drawer: Drawer
  private readonly use: Use
  private hasEnded = false

  constructor({ drawer, autoLockMs }: Opened) {
    super()
    this.drawer = drawer
    this.use = new Use(autoLockMs, () => this.signOut("idle"))
  }

  get personId(): string {
    return this.drawer.owner
  }

  signOut(why: Ending = "signed_out"): void {
    if (this.hasEnded) return
    this.hasEnded = true
    this.use.end()
    this.drawer.close()
    this.dispatchEvent(new CustomEvent<Ending>("assent-signed-out", { detail: why }))
  }
}
