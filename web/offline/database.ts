/** The parts of what a browser keeps for use without a connection. Identifiers are in the open, and nothing else. */
export type Part =
  /** The browser's own keys, which no script can read. */
  | "keys"
  /** By person: how their passcode opens what is theirs. */
  | "people"
  /** By owner and name: ciphertext. */
  | "sealed"
  /** In the order in which it was done: ciphertext. */
  | "queue"

/** One change: another value, or none where there is no value. Without a key it is added at the end. */
export interface Change {
  readonly part: Part
  readonly key?: IDBValidKey
  readonly value?: unknown
}

let opening: Promise<IDBDatabase> | undefined

function opened(): Promise<IDBDatabase> {
  opening ??= new Promise<IDBDatabase>((resolve, reject) => {
    const request = indexedDB.open("assent-offline", 1)
    request.onupgradeneeded = () => {
      for (const part of ["keys", "people", "sealed"]) request.result.createObjectStore(part)
      request.result.createObjectStore("queue", { autoIncrement: true })
    }
    request.onerror = () => reject(request.error)
    request.onsuccess = () => {
      const database = request.result
      const again = () => { opening = undefined }
      database.onclose = again
      // The browser is to delete it.
      database.onversionchange = () => {
        database.close()
        again()
      }
      resolve(database)
    }
  })
  opening.catch(() => { opening = undefined })
  return opening
}

export async function read(part: Part, key: IDBValidKey): Promise<unknown> {
  return result((await opened()).transaction(part).objectStore(part).get(key))
}

/** What a part has in a range, with the keys. */
export async function readAll(part: Part, range?: IDBKeyRange): Promise<[IDBValidKey, unknown][]> {
  const store = (await opened()).transaction(part).objectStore(part)
  const [keys, values] = await Promise.all([result(store.getAllKeys(range)), result(store.getAll(range))])
  return keys.map((key, at) => [key, values[at]])
}

/** Makes all the changes, or none: when the promise is kept they are on the disk. */
export async function commit(...changes: Change[]): Promise<void> {
  if (changes.length === 0) return
  const parts = [...new Set(changes.map(({ part }) => part))]
  const transaction = (await opened()).transaction(parts, "readwrite", { durability: "strict" })
  const done = new Promise<void>((resolve, reject) => {
    transaction.oncomplete = () => resolve()
    transaction.onabort = () => reject(transaction.error ?? new DOMException("", "AbortError"))
  })
  try {
    for (const { part, key, value } of changes) {
      const store = transaction.objectStore(part)
      if (value === undefined) store.delete(key!)
      else if (key === undefined) store.add(value)
      else store.put(value, key)
    }
  } catch (problem) {
    done.catch(() => undefined)
    transaction.abort()
    throw problem
  }
  return done
}

/** Deletes all that belongs to people and to the device. */
export async function clear(): Promise<void> {
  const parts: Part[] = ["people", "sealed", "queue"], transaction = (await opened()).transaction(parts, "readwrite")
  for (const part of parts) transaction.objectStore(part).clear()
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve()
    transaction.onabort = () => reject(transaction.error)
  })
}

function result<Value>(request: IDBRequest<Value>): Promise<Value> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })
}
