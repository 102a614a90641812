// The service worker of /app: the page as one build has made it, whole or not at all.

/** What scripts/build-web has made: a name for it, the SHA-256 of the page, and the files that the page may ask for. */
declare const built: { readonly version: string, readonly page: string, readonly files: readonly string[] }

interface Lasting extends Event {
  waitUntil(work: Promise<unknown>): void
}

interface Fetching extends Lasting {
  readonly request: Request
  respondWith(answer: Promise<Response>): void
}

interface Scope {
  addEventListener(kind: "install" | "activate", react: (event: Lasting) => void): void
  addEventListener(kind: "fetch", react: (event: Fetching) => void): void
  addEventListener(kind: "message", react: (event: MessageEvent) => void): void
  skipWaiting(): Promise<void>
}

const scope = self as unknown as Scope
const page = "/app", prefix = "assent-app/", own = `${prefix}${built.version}`

scope.addEventListener("install", (event) => event.waitUntil(fill()))
scope.addEventListener("activate", (event) => event.waitUntil(tidy()))
// Says the page once nobody is signed in, in any tab: until then what is open goes on as it began.
scope.addEventListener("message", ({ data }) => {
  if (data === "take-over") void scope.skipWaiting()
})
scope.addEventListener("fetch", (event) => {
  const { method, url } = event.request, { origin, pathname } = new URL(url)
  const isOurs = pathname === page || built.files.includes(pathname)
  if (method === "GET" && origin === location.origin && isOurs) event.respondWith(answer(event.request, pathname))
})

async function fill(): Promise<void> {
  const cache = await caches.open(own)
  try {
    await Promise.all([page, ...built.files].map(async (path) => {
      const answer = await fetch(path, { cache: "reload", redirect: "error" })
      if (!answer.ok) throw new Error(`${path} is not there`)
      // The page has no hash in its name: that of another build would ask for other files.
      if (path === page && await hashed(answer.clone()) !== built.page) throw new Error("the page is another build's")
      await cache.put(path, answer)
    }))
  } catch (problem) {
    await caches.delete(own)
    throw problem
  }
}

async function hashed(answer: Response): Promise<string> {
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", await answer.arrayBuffer()))
  return Array.from(hash, (byte) => byte.toString(16).padStart(2, "0")).join("")
}

async function tidy(): Promise<void> {
  const names = await caches.keys()
  await Promise.all(names.filter((name) => name.startsWith(prefix) && name !== own).map((name) => caches.delete(name)))
}

async function answer(request: Request, path: string): Promise<Response> {
  const kept = await (await caches.open(own)).match(path)
  return kept ?? fetch(request)
}
