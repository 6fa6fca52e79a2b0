/** Quantizes a vector to signed bytes: a quarter of the size of floats, with sufficient precision for ranking. */
export interface SmallVector {
  readonly bytes: Int8Array
  readonly length: number
}

/** @param vector of non-zero length */
export function shrink(vector: readonly number[]): SmallVector {
  const largest = vector.reduce((most, value) => Math.max(most, Math.abs(value)), 0) || 1
  return withLength(Int8Array.from(vector, (value) => Math.round((value / largest) * 127)))
}

export function toSmallVector(base64: string): SmallVector {
  const bytes = Buffer.from(base64, 'base64')
  return withLength(new Int8Array(bytes.buffer, bytes.byteOffset, bytes.length))
}

export function toBase64({ bytes }: SmallVector): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('base64')
}

/** Cosine similarity, -1 to 1. Vectors of different models are not comparable. */
export function likeness(a: SmallVector, b: SmallVector): number {
  const most = Math.min(a.bytes.length, b.bytes.length)
  let product = 0
  for (let at = 0; at < most; at++) product += (a.bytes[at] ?? 0) * (b.bytes[at] ?? 0)
  return product / (a.length * b.length || 1)
}

function withLength(bytes: Int8Array): SmallVector {
  let square = 0
  for (const value of bytes) square += value * value
  return { bytes, length: Math.sqrt(square) }
}
