/**
 * Memory that a thread reuses for each segment. Fresh buffers of several megabytes would pile up before garbage
 * collection.
 */
export interface Arena {
  /** Uninitialized bytes, valid until `reset`. */
  take(bytes: number): Buffer
  /** The pieces concatenated, valid until `reset`. */
  join(pieces: readonly Uint8Array[]): Buffer
  reset(): void
}

/** @param bytes - Capacity. Larger requests get their own buffer. */
export function createArena(bytes: number): Arena {
  let memory: Buffer | undefined
  let used = 0
  const take = (length: number) => {
    if (used + length > bytes) return Buffer.allocUnsafeSlow(length)
    memory ??= Buffer.allocUnsafeSlow(bytes)
    used += length
    return memory.subarray(used - length, used)
  }
  return {
    take,
    join(pieces) {
      const whole = take(pieces.reduce((sum, { length }) => sum + length, 0))
      let at = 0
      for (const piece of pieces) {
        whole.set(piece, at)
        at += piece.length
      }
      return whole
    },
    reset() {
      used = 0
    },
  }
}
