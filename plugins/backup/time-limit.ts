/**
 * Fires with `signal`, or after so many milliseconds. Node gives up a time limit that nobody listens to: whoever only
 * looks at `aborted` now and then, as work in steps does, would never see it over.
 */
export function withTimeLimit(signal: AbortSignal, milliseconds: number): AbortSignal {
  const limited = AbortSignal.any([signal, AbortSignal.timeout(milliseconds)])
  limited.addEventListener('abort', () => {}, { once: true })
  return limited
}
