/**
 * Frees the memory of large buffers immediately. Left to the garbage collector, the segments of a thread pile up to
 * more than 100 MB. The buffers are detached afterward.
 */
export function release(...buffers: readonly Buffer[]): void {
  for (const { buffer } of buffers) {
    // Small buffers share a memory pool.
    if (buffer instanceof ArrayBuffer && buffer.byteLength > 64 * 1024) buffer.transfer(0)
  }
}
