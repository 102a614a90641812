/** What a browser keeps of the device that it is. */
export interface KeptDevice {
  readonly tenant: string
  readonly deviceId: string
  readonly name: string
  /** The private key, which no script can read: the browser signs with it, and gives it to nobody. */
  readonly key: CryptoKey
}

const database = "assent-device"
const store = "device"
const entry = "own"

/** The device that this browser is; undefined when it is none. */
export async function keptDevice(): Promise<KeptDevice | undefined> {
  return await within("readonly", (devices) => devices.get(entry)) as KeptDevice | undefined
}

export async function keepDevice(device: KeptDevice): Promise<void> {
  await within("readwrite", (devices) => devices.put(device, entry))
}

export async function forgetDevice(): Promise<void> {
  await within("readwrite", (devices) => devices.delete(entry))
}

async function within(mode: IDBTransactionMode, work: (devices: IDBObjectStore) => IDBRequest): Promise<unknown> {
  const opened = indexedDB.open(database, 1)
  opened.onupgradeneeded = () => opened.result.createObjectStore(store)
  const open = await result(opened)
  try {
    const transaction = open.transaction(store, mode)
    const answer = await result(work(transaction.objectStore(store)))
    // Only then is it on the disk.
    if (mode === "readwrite") await done(transaction)
    return answer
  } finally {
    open.close()
  }
}

function result<Value>(request: IDBRequest<Value>): Promise<Value> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })
}

function done(transaction: IDBTransaction): Promise<void> {
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve()
    transaction.onabort = () => reject(transaction.error)
  })
}
