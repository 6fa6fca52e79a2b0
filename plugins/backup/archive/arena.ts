/** Memory that a thread uses again for each segment: new buffers of megabytes pile up before the collector looks. */
export interface Arena {
  /** Bytes of unknown content, good until `reset`. */
  take(bytes: number): Buffer
  /** The pieces in one, good until `reset`. */
  join(pieces: readonly Uint8Array[]): Buffer
  reset(): void
}

/** @param bytes - What is beyond them gets memory of its own. */
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
