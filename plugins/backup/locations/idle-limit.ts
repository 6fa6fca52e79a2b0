/** A signal that also fires when nothing has moved for a while: a connection may be dead without anybody saying so. */
export function idleLimit(
  signal: AbortSignal,
  milliseconds: number,
): { readonly signal: AbortSignal; extend(milliseconds: number): void } & Disposable {
  const idle = new AbortController()
  const expire = () => idle.abort(new DOMException('Nothing moved on the connection.', 'TimeoutError'))
  let timer = setTimeout(expire, milliseconds)
  return {
    signal: AbortSignal.any([signal, idle.signal]),
    /** Something moved: counts anew. */
    extend(next) {
      clearTimeout(timer)
      timer = setTimeout(expire, next)
    },
    [Symbol.dispose]: () => clearTimeout(timer),
  }
}
