/** A signal that also fires after a period without activity, since a dead connection may not report an error. */
export function idleLimit(
  signal: AbortSignal,
  milliseconds: number,
): { readonly signal: AbortSignal; extend(milliseconds: number): void } & Disposable {
  const idle = new AbortController()
  const expire = () => idle.abort(new DOMException('The connection was idle for too long.', 'TimeoutError'))
  let timer = setTimeout(expire, milliseconds)
  return {
    signal: AbortSignal.any([signal, idle.signal]),
    /** Restarts the timer. */
    extend(next) {
      clearTimeout(timer)
      timer = setTimeout(expire, next)
    },
    [Symbol.dispose]: () => clearTimeout(timer),
  }
}
