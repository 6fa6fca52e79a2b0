import { LRUCache } from 'lru-cache'
import { RestError } from 'pentad'

/** How long a turn can be asked about after its last sign of life. */
const KEPT_MS = 10 * 60_000
/** Turns that are remembered; the one that was asked about least lately goes first. */
const MOST_TURNS = 1000
/** Turns of one user at once: a few windows. */
const MOST_AT_ONCE = 3

/** How far a turn is. */
export interface Progress {
  readonly requestId: string
  readonly userId: number
  /** `undefined` while a new conversation has no id. */
  readonly conversationId: number | undefined
  state: 'running' | 'complete' | 'failed' | 'cancelled'
  /** From 1. */
  step: number
  readonly maxSteps: number
  /** The ability that is being used. */
  tool: string | null
  /** Of the reply, as far as the model has written it. */
  partial: string
}

/**
 * Turns under way and those that ended lately, for `GET /progress`. They live in the process that runs them, as the
 * request does that waits for the reply.
 */
export interface Turns {
  /** @throws RestError 409 `ai_request_in_progress` for a second turn of one conversation, or one too many of the user */
  begin(turn: Pick<Progress, 'requestId' | 'userId' | 'conversationId' | 'maxSteps'>): Progress
  end(progress: Progress, state: Exclude<Progress['state'], 'running'>): void
  /** @throws RestError 404 `request_not_found`, also for another user's */
  get(requestId: string, userId: number): Progress
}

export function createTurns(): Turns {
  const known = new LRUCache<string, Progress>({ max: MOST_TURNS, ttl: KEPT_MS, updateAgeOnGet: true })
  const running = new Set<Progress>()
  const keyOf = ({ userId, requestId }: Pick<Progress, 'userId' | 'requestId'>) => `${userId} ${requestId}`

  return {
    begin({ requestId, userId, conversationId, maxSteps }) {
      const own = [...running].filter((turn) => turn.userId === userId)
      const isSame = (turn: Progress) =>
        turn.requestId === requestId || (conversationId !== undefined && turn.conversationId === conversationId)
      if (own.length >= MOST_AT_ONCE || own.some(isSame)) {
        const message = 'The copilot is still answering the last message.'
        throw new RestError('ai_request_in_progress', message, { status: 409 })
      }
      const place = { requestId, userId, conversationId, maxSteps }
      const progress: Progress = { ...place, state: 'running', step: 1, tool: null, partial: '' }
      running.add(progress)
      known.set(keyOf(progress), progress)
      return progress
    },
    end(progress, state) {
      running.delete(progress)
      Object.assign(progress, { state, tool: null })
      // From now on it is kept for its time.
      known.set(keyOf(progress), progress)
    },
    get(requestId, userId) {
      const progress = known.get(keyOf({ requestId, userId }))
      if (!progress) throw new RestError('request_not_found', 'There is no such request.', { status: 404 })
      return progress
    },
  }
}
