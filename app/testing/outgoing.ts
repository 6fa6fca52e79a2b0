/** One request that an extension sent through `host.fetch`. */
export interface OutgoingRequest {
  readonly method: string
  readonly url: string
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** Fires when the extension gives the request up: for a responder that asks a server of the test's own. */
  readonly signal: AbortSignal
}

/** Answers a captured request; `undefined` leaves it to the responder before. */
export type Responder = (request: OutgoingRequest) => Response | undefined | Promise<Response | undefined>

export interface Outgoing {
  readonly fetch: typeof fetch
  readonly requests: readonly OutgoingRequest[]
  respond(responder: Responder): () => void
}

/** Stands between a host and the network: nothing leaves the machine, and the test says what comes back. */
export function createOutgoing(): Outgoing {
  const requests: OutgoingRequest[] = []
  const responders: { readonly responder: Responder }[] = []
  return {
    requests,
    respond(responder) {
      // An entry of its own for each call, so that undoing one twice takes nothing else away.
      const entry = { responder }
      responders.unshift(entry)
      return () => {
        const at = responders.indexOf(entry)
        if (at >= 0) responders.splice(at, 1)
      }
    },
    async fetch(input, init) {
      const request = new Request(input, init)
      request.signal.throwIfAborted()
      const outgoing = {
        method: request.method,
        url: request.url,
        headers: Object.fromEntries(request.headers),
        body: await request.text(),
        signal: request.signal,
      }
      requests.push(outgoing)
      for (const { responder } of [...responders]) {
        const response = await Promise.race([responder(outgoing), aborted(request.signal)])
        if (response) return response
      }
      throw new TypeError(`No responder answers ${outgoing.method} ${outgoing.url}. Add one with host.respond(…).`)
    },
  }
}

/** Rejects when the signal fires, as `fetch` does whatever the other side is doing. */
function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
}
