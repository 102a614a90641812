// A name that compilers do not look up: this package has no types of Node's modules.
const nodeModule: string = "node:crypto"

/** The cryptography of browsers, which Node 18 has as a module only. */
export async function webCrypto(): Promise<Crypto> {
  return globalThis.crypto ?? (await import(nodeModule)).webcrypto
}
