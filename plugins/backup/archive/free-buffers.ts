/**
 * Gives the memory of large buffers back at once. Left to the garbage collector, the segments of a thread pile up to
 * more than a hundred megabytes before it looks. The buffers are of no use afterwards.
 */
export function release(...buffers: readonly Buffer[]): void {
  for (const { buffer } of buffers) {
    // Small buffers share one memory with others.
    if (buffer instanceof ArrayBuffer && buffer.byteLength > 64 * 1024) buffer.transfer(0)
  }
}
