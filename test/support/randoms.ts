import { createCipheriv, createHash } from 'node:crypto'

/** Numbers from 0 to 1, the same for the same seed. */
export function randomsOf(seed: string): () => number {
  let count = 0
  return () => createHash('sha256').update(`${seed}:${count++}`).digest().readUInt32LE() / 2 ** 32
}

/** Bytes that no compression makes smaller, the same for the same seed. */
export function noise(seed: string, length: number): Buffer {
  const cipher = createCipheriv('aes-256-ctr', createHash('sha256').update(seed).digest(), Buffer.alloc(16))
  return cipher.update(Buffer.alloc(length))
}
