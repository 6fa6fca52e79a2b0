/** One request that an extension sent through `host.fetch`. */
export interface OutgoingRequest {
  readonly method: string
  readonly url: string
  /** Lowercase names. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** Aborted when the extension aborts the request, for a responder that forwards it to a server of the test. */
  readonly signal: AbortSignal
}

/** Responds to a captured request; `undefined` leaves it to the previous responder. */
export type Responder = (request: OutgoingRequest) => Response | undefined | Promise<Response | undefined>

export interface Outgoing {
  readonly fetch: typeof fetch
  readonly requests: readonly OutgoingRequest[]
  respond(responder: Responder): () => void
}

/** Intercepts a host's requests: nothing leaves the machine, and the test provides the responses. */
export function createOutgoing(): Outgoing {
  const requests: OutgoingRequest[] = []
  const responders: { readonly responder: Responder }[] = []
  return {
    requests,
    respond(responder) {
      // A separate entry for each call, so that undoing one twice removes no other.
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
      throw new TypeError(`No responder handles ${outgoing.method} ${outgoing.url}. Add one with host.respond(…).`)
    },
  }
}

/** Rejects when the signal is aborted, like `fetch`, regardless of the responder. */
function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
}
