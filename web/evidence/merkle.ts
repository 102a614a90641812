import { isEqual, sha256 } from "../bytes.js"

const above = new Uint8Array([1])

function isOdd(number: bigint): boolean {
  return (number & 1n) === 1n
}

/** The root that a leaf's proof leads to (RFC 9162, 2.1.3.2); undefined where it fits no tree of this size. */
export async function climb(
  leaf: Uint8Array, index: bigint, size: bigint, proof: Uint8Array[],
): Promise<Uint8Array | undefined> {
  if (index < 0n || index >= size) return undefined
  let first = index, last = size - 1n, root = leaf
  for (const part of proof) {
    if (last === 0n) return undefined
    if (isOdd(first) || first === last) {
      root = await sha256(above, part, root)
      while (first && !isOdd(first)) [first, last] = [first >> 1n, last >> 1n]
    } else {
      root = await sha256(above, root, part)
    }
    [first, last] = [first >> 1n, last >> 1n]
  }
  return last === 0n ? root : undefined
}

/** A tree by its size and root. */
export interface Tree {
  size: bigint
  root: Uint8Array
}

/** Whether a tree begins with what an earlier one had (RFC 9162, 2.1.4.2). */
export async function isContinued(old: Tree, now: Tree, given: Uint8Array[]): Promise<boolean> {
  if (old.size >= now.size) return old.size === now.size && isEqual(old.root, now.root) && given.length === 0
  if (old.size === 0n) return given.length === 0 && isEqual(old.root, await sha256())
  const proof = (old.size & (old.size - 1n)) === 0n ? [old.root, ...given] : given
  let first = old.size - 1n, last = now.size - 1n
  while (isOdd(first)) [first, last] = [first >> 1n, last >> 1n]
  if (!proof[0]) return false
  let before = proof[0], after = proof[0]
  for (const part of proof.slice(1)) {
    if (last === 0n) return false
    if (isOdd(first) || first === last) {
      [before, after] = [await sha256(above, part, before), await sha256(above, part, after)]
      while (first && !isOdd(first)) [first, last] = [first >> 1n, last >> 1n]
    } else {
      after = await sha256(above, after, part)
    }
    [first, last] = [first >> 1n, last >> 1n]
  }
  return last === 0n && isEqual(before, old.root) && isEqual(after, now.root)
}
