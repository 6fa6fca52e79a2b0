import { randomUUID } from 'node:crypto'
import { type ExtensionHost, success } from 'pentad'
import { z } from 'zod'
import { mentions } from '../mentions.ts'
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
  { rest }: ExtensionHost,
  parts: { answer: ReturnType<typeof createTurn> } & Pick<TurnParts, 'turns' | 'safeReply'>,
): void {
  const { answer, turns, safeReply } = parts

  rest.registerRoute(NAMESPACE, {
    method: 'POST',
    path: '/generateAiResponse',
    access: 'manage_options',
    summary: 'Asks the copilot, which reads the site and prepares changes.',
    input: z.object({
      message: messageText.describe('What the copilot is to do.'),
      conversationId: rowId.optional().describe('Goes on with a conversation; without one a new one begins.'),
      context: mentions,
      requestId: requestId.optional().describe('To ask for progress with, made by the client.'),
    }),
    async handler({ input, user, signal }) {
      return success(
        await answer({
          ...{ user: signedIn(user), signal, message: input.message, conversationId: input.conversationId },
          requestId: input.requestId ?? randomUUID(),
          mentioned: input.context,
        }),
      )
    },
  })

  rest.registerRoute(NAMESPACE, {
    method: 'GET',
    path: '/progress',
    access: 'manage_options',
    summary: 'How far a request to the copilot is, with what it has written up to now.',
    input: z.object({ requestId }),
    async handler({ input, user }) {
      const progress = turns.get(input.requestId, signedIn(user).id)
      const { state, step, maxSteps, tool } = progress
      const partial = await safeReply(progress.partial)
      return success({ requestId: input.requestId, state, step, maxSteps, tool, partial })
    },
  })
}
