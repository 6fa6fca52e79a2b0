/**
 * A signal that fires with `signal` or after a timeout. Node garbage-collects timeouts without listeners, so code that
 * only polls `aborted` would never see it fire; hence the listener.
 */
export function withTimeLimit(signal: AbortSignal, milliseconds: number): AbortSignal {
  const limited = AbortSignal.any([signal, AbortSignal.timeout(milliseconds)])
  limited.addEventListener('abort', () => {}, { once: true })
  return limited
}
