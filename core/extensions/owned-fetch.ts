/** `fetch` with requests and response bodies that are aborted with the signal. */
export function createOwnedFetch(fetch: typeof globalThis.fetch, signal: AbortSignal): typeof globalThis.fetch {
  return (input, init) => {
    const signals = [signal, init?.signal, input instanceof Request ? input.signal : undefined]
    return fetch(input, { ...init, signal: AbortSignal.any(signals.filter((one) => one instanceof AbortSignal)) })
  }
}
