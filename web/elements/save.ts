import { make } from "./dom.js"

/** Saves a file that the page has. */
export function save(name: string, type: string, content: string | Uint8Array): void {
  const href = URL.createObjectURL(new Blob([content], { type }))
  make("a", { href, download: name }).click()
  // By then every browser has begun to read it.
  setTimeout(() => URL.revokeObjectURL(href), 60_000)
}
