import { randomUUID } from 'node:crypto'
import { type ExtensionHost, line, RestError, RestResponse, success, successSchema } from 'pentad'
import { z } from 'zod'
import { mentions } from '../mentions.ts'
import { MODEL_TIME } from '../model-time.ts'
import type { Progress } from './progress.ts'
import { rowId, signedIn } from './request.ts'
import { progressResponse, replyResponse, requestShape } from './response-schemas.ts'
import type { createTurn, TurnParts } from './turn.ts'

const NAMESPACE = 'ai/v1'

/** Client-generated ID for progress requests, unique per user. */
const requestId = z
  .string()
  .regex(/^[\w.:-]{1,64}$/, 'It must be at most 64 letters, digits, hyphens, dots, colons, or underscores.')

/** Maximum length of a message. */
const LONGEST_MESSAGE = 20_000

const messageText = z
  .string()
  .trim()
  .min(1)
  .max(LONGEST_MESSAGE)
  .refine((text) => !text.includes('\0'), 'It must not contain NUL characters.')

/** `ai/v1`: conversations with the copilot. */
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
    summary: 'Sends a message to the copilot, which reads the site and proposes changes.',
    response: replyResponse,
    input: z.object({
      message: messageText.describe('Message to the copilot.'),
      conversationId: rowId.optional().describe('Conversation to continue. If omitted, a new one is started.'),
      context: mentions,
      screen: line(300).optional().describe('Description of the screen that the user is viewing.'),
      requestId: requestId.optional().describe('Client-generated ID for progress requests.'),
      background: z
        .boolean()
        .default(false)
        .describe('Whether to return immediately; the progress route returns the reply later.'),
    }),
    async handler({ input, user, signal }) {
      const requestId = input.requestId ?? randomUUID()
      const { answered } = begin({
        ...{ user: signedIn(user), requestId, message: input.message, conversationId: input.conversationId },
        ...{ mentioned: input.context, screen: input.screen, signal: input.background ? unload : signal },
      })
      if (!input.background) return success(await answered)
      answered.catch((error: unknown) => {
        if (!(error instanceof RestError) && !unload.aborted) log.error({ err: error }, 'copilot turn failed')
      })
      return new RestResponse(success({ requestId, state: 'running' as const }), { status: 202 })
    },
  })

  rest.registerRoute(NAMESPACE, {
    method: 'GET',
    path: '/progress',
    access: 'manage_options',
    response: progressResponse,
    summary: 'Returns the progress of a request to the copilot, with the reply so far.',
    input: z.object({ requestId: requestId.describe('ID of the request.') }),
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
    response: successSchema(z.object({ items: z.array(requestShape) })),
    summary: "Lists the current user's copilot requests that are in progress or ended recently, newest first.",
    handler: ({ user }) => success({ items: turns.list(signedIn(user).id).map(toItem) }),
  })

  rest.registerRoute(NAMESPACE, {
    method: 'POST',
    path: '/cancel',
    access: 'manage_options',
    response: successSchema(z.object({ requestId: z.string(), state: z.literal('cancelled') })),
    summary: 'Cancels a request to the copilot. Its results are discarded.',
    input: z.object({ requestId: requestId.describe('ID of the request.') }),
    async handler({ input, user }) {
      const { state, canceling } = turns.get(input.requestId, signedIn(user).id)
      if (state !== 'running') {
        throw new RestError('request_not_running', 'The request has already ended.', { status: 409, state })
      }
      canceling.abort(new RestError('ai_request_cancelled', 'The request was canceled.', { status: 409 }))
      return success({ requestId: input.requestId, state: 'cancelled' as const })
    },
  })
}

function toItem({ requestId, conversationId, message, startedAt, state, step, maxSteps, tool }: Progress) {
  return { requestId, conversationId: conversationId ?? null, message, startedAt, state, step, maxSteps, tool }
}
