import type { Server } from 'node:net'
import { setImmediate as endOfTurn } from 'node:timers/promises'

/** Maximum milliseconds for accepting queued connections. */
const ACCEPT_TIME = 500

/**
 * Prepares to close a server without resetting the connections in its accept queue: the returned function resolves when they are accepted,
 * one per turn of the event loop, until a turn accepts none in a millisecond.
 */
export function acceptsQueued(server: Server): () => Promise<void> {
  let accepted = 0
  server.on('connection', () => void accepted++)
  return async () => {
    await endOfTurn()
    const end = performance.now() + ACCEPT_TIME
    let before: number
    let start: number
    do {
      before = accepted
      start = performance.now()
      await endOfTurn()
    } while ((before < accepted || performance.now() - start > 1) && performance.now() < end)
  }
}
