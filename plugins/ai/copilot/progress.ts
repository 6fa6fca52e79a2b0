import { LRUCache } from 'lru-cache'
import { fromGmt, RestError, toGmt } from 'pentad'
import type { Answered } from './types.ts'

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
  /** What was asked. */
  readonly message: string
  readonly startedAt: string
  /** Ends it, as its client's leaving does. */
  readonly cancelling: AbortController
  /** The ability that is being used. */
  tool: string | null
  /** Of the reply, as far as the model has written it. */
  partial: string
  /** What the request was answered with, once it is complete. */
  answer: Answered | null
  /** Why it failed. */
  error: { readonly code: string; readonly message: string } | null
}

/**
 * Turns under way and those that ended lately, for `GET /progress`. They live in the process that runs them, as the
 * request does that waits for the reply; one that nobody waits for does too.
 */
export interface Turns {
  /** @throws RestError 409 `ai_request_in_progress` for a second turn of one conversation, or one too many of the user */
  begin(turn: Pick<Progress, 'requestId' | 'userId' | 'conversationId' | 'maxSteps' | 'message'>): Progress
  complete(progress: Progress, answer: Answered): void
  /** It failed, or was cancelled. */
  fail(progress: Progress, state: 'failed' | 'cancelled', error: NonNullable<Progress['error']>): void
  /** Those of a user, the latest first. */
  list(userId: number): Progress[]
  /** @throws RestError 404 `request_not_found`, also for another user's */
  get(requestId: string, userId: number): Progress
}

export function createTurns(): Turns {
  const known = new LRUCache<string, Progress>({ max: MOST_TURNS, ttl: KEPT_MS, updateAgeOnGet: true })
  const running = new Set<Progress>()
  const keyOf = ({ userId, requestId }: Pick<Progress, 'userId' | 'requestId'>) => `${userId} ${requestId}`

  /** From now on it is kept for its time. */
  function end(progress: Progress, how: Pick<Progress, 'state'> & Partial<Progress>): void {
    running.delete(progress)
    Object.assign(progress, { tool: null, ...how })
    known.set(keyOf(progress), progress)
  }

  return {
    begin({ requestId, userId, conversationId, maxSteps, message }) {
      const own = [...running].filter((turn) => turn.userId === userId)
      const isSame = (turn: Progress) =>
        turn.requestId === requestId || (conversationId !== undefined && turn.conversationId === conversationId)
      if (own.length >= MOST_AT_ONCE || own.some(isSame)) {
        throw new RestError(
          'ai_request_in_progress',
          'The copilot is still working on your last message. Wait until it has finished.',
          {
            status: 409,
          },
        )
      }
      const progress: Progress = {
        ...{ requestId, userId, conversationId, maxSteps, message },
        ...{ startedAt: fromGmt(toGmt(Date.now())), cancelling: new AbortController() },
        ...{ state: 'running', step: 1, tool: null, partial: '', answer: null, error: null },
      }
      running.add(progress)
      known.set(keyOf(progress), progress)
      return progress
    },
    complete: (progress, answer) => end(progress, { state: 'complete', partial: answer.reply, answer }),
    fail: (progress, state, error) => end(progress, { state, error }),
    list(userId) {
      const own = [...known.values()].filter((turn) => turn.userId === userId)
      return own.sort((a, b) => b.startedAt.localeCompare(a.startedAt))
    },
    get(requestId, userId) {
      const progress = known.get(keyOf({ requestId, userId }))
      if (!progress) throw new RestError('request_not_found', 'Request not found.', { status: 404 })
      return progress
    },
  }
}
