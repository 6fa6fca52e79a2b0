import { randomUUID } from 'node:crypto'
import { type ExtensionHost, line, RestError, RestResponse, success, successAnswer } from 'pentad'
import { z } from 'zod'
import { mentions } from '../mentions.ts'
import { MODEL_TIME } from '../model-time.ts'
import { progressAnswer, replyAnswer, requestShape } from './answers.ts'
import type { Progress } from './progress.ts'
import { rowId, signedIn } from './request.ts'
import type { createTurn, TurnParts } from './turn.ts'

const NAMESPACE = 'ai/v1'

/** Of the client's making, so that it can ask how far a request is while it waits for the answer. Each user has their own. */
const requestId = z
  .string()
  .regex(/^[\w.:-]{1,64}$/, 'It must be at most 64 letters, digits, hyphens, dots, colons or underscores.')

/** Characters of a message. */
const LONGEST_MESSAGE = 20_000

const messageText = z
  .string()
  .trim()
  .min(1)
  .max(LONGEST_MESSAGE)
  .refine((text) => !text.includes('\0'), 'It must not hold NUL characters.')

/** `ai/v1`: talking to the copilot. */
export function registerTurnRoutes(
  { log, rest, signal: unload }: ExtensionHost,
  parts: { begin: ReturnType<typeof createTurn> } & Pick<TurnParts, 'turns' | 'safeReply'>,
): void {
  const { begin, turns, safeReply } = parts

  rest.registerRoute(NAMESPACE, {
    method: 'POST',
    path: '/generateAiResponse',
    access: 'manage_options',
    timeLimit: MODEL_TIME,
    summary: 'Asks the copilot, which reads the site and prepares changes.',
    answer: replyAnswer,
    input: z.object({
      message: messageText.describe('What the copilot is to do.'),
      conversationId: rowId.optional().describe('Goes on with a conversation; without one a new one begins.'),
      context: mentions,
      screen: line(300).optional().describe('What the user is looking at, in words.'),
      requestId: requestId.optional().describe('To ask for progress with, made by the client.'),
      background: z.boolean().default(false).describe('Answer at once; progress tells the rest, and the reply.'),
    }),
    async handler({ input, user, signal }) {
      const requestId = input.requestId ?? randomUUID()
      const { answered } = begin({
        ...{ user: signedIn(user), requestId, message: input.message, conversationId: input.conversationId },
        ...{ mentioned: input.context, screen: input.screen, signal: input.background ? unload : signal },
      })
      if (!input.background) return success(await answered)
      answered.catch((error: unknown) => {
        if (!(error instanceof RestError) && !unload.aborted) log.error({ err: error }, 'A turn of the copilot failed.')
      })
      return new RestResponse(success({ requestId, state: 'running' as const }), { status: 202 })
    },
  })

  rest.registerRoute(NAMESPACE, {
    method: 'GET',
    path: '/progress',
    access: 'manage_options',
    answer: progressAnswer,
    summary: 'How far a request to the copilot is, with what it has written up to now.',
    input: z.object({ requestId }),
    async handler({ input, user }) {
      const progress = turns.get(input.requestId, signedIn(user).id)
      const { answer, error } = progress
      return success({ ...toItem(progress), partial: await safeReply(progress.partial), answer, error })
    },
  })

  rest.registerRoute(NAMESPACE, {
    method: 'GET',
    path: '/requests',
    access: 'manage_options',
    answer: successAnswer(z.object({ items: z.array(requestShape) })),
    summary: 'Your requests to the copilot that are under way or ended lately, the latest first.',
    handler: ({ user }) => success({ items: turns.list(signedIn(user).id).map(toItem) }),
  })

  rest.registerRoute(NAMESPACE, {
    method: 'POST',
    path: '/cancel',
    access: 'manage_options',
    answer: successAnswer(z.object({ requestId: z.string(), state: z.literal('cancelled') })),
    summary: 'Ends a request to the copilot; nothing of it is kept.',
    input: z.object({ requestId }),
    async handler({ input, user }) {
      const { state, cancelling } = turns.get(input.requestId, signedIn(user).id)
      if (state !== 'running') {
        throw new RestError('request_not_running', 'The request has ended already.', { status: 409, state })
      }
      cancelling.abort(new RestError('ai_request_cancelled', 'The request was cancelled.', { status: 409 }))
      return success({ requestId: input.requestId, state: 'cancelled' as const })
    },
  })
}

function toItem({ requestId, conversationId, message, startedAt, state, step, maxSteps, tool }: Progress) {
  return { requestId, conversationId: conversationId ?? null, message, startedAt, state, step, maxSteps, tool }
}
