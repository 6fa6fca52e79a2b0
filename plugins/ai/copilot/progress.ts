import { LRUCache } from 'lru-cache'
import { fromGmt, RestError, toGmt } from 'pentad'
import type { Answered } from './types.ts'

/** Retention of a finished turn after its last update. */
const KEPT_MS = 10 * 60_000
/** Maximum number of turns in memory; the least recently used is dropped first. */
const MOST_TURNS = 1000
/** Maximum number of concurrent turns per user. */
const MOST_AT_ONCE = 3

/** Progress of a turn. */
export interface Progress {
  readonly requestId: string
  readonly userId: number
  /** `undefined` until a new conversation has an ID. */
  readonly conversationId: number | undefined
  state: 'running' | 'complete' | 'failed' | 'cancelled'
  /** Current step, from 1. */
  step: number
  readonly maxSteps: number
  /** The message. */
  readonly message: string
  readonly startedAt: string
  /** Aborts the turn, as a disconnect of the client does. */
  readonly canceling: AbortController
  /** Name of the ability in use. */
  tool: string | null
  /** Text of the reply so far. */
  partial: string
  /** The response, when complete. */
  answer: Answered | null
  /** The reason for a failure. */
  error: { readonly code: string; readonly message: string } | null
}

/** Turns in progress and recently finished ones, for `GET /progress`. They live in the process that runs them. */
export interface Turns {
  /**
   * @throws RestError 409 `ai_request_in_progress` for a second turn in a conversation, or too many turns of the user
   */
  begin(turn: Pick<Progress, 'requestId' | 'userId' | 'conversationId' | 'maxSteps' | 'message'>): Progress
  complete(progress: Progress, answer: Answered): void
  /** Failed or canceled. */
  fail(progress: Progress, state: 'failed' | 'cancelled', error: NonNullable<Progress['error']>): void
  /** Turns of a user, newest first. */
  list(userId: number): Progress[]
  /** @throws RestError 404 `request_not_found`, including for requests of other users */
  get(requestId: string, userId: number): Progress
}

export function createTurns(): Turns {
  const known = new LRUCache<string, Progress>({ max: MOST_TURNS, ttl: KEPT_MS, updateAgeOnGet: true })
  const running = new Set<Progress>()
  const keyOf = ({ userId, requestId }: Pick<Progress, 'userId' | 'requestId'>) => `${userId} ${requestId}`

  /** Retention starts now. */
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
        ...{ startedAt: fromGmt(toGmt(Date.now())), canceling: new AbortController() },
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
