import { successSchema } from 'pentad'
import { z } from 'zod'
import { AUDIT_EVENTS } from './audit-events.ts'

/** Response schemas of the copilot routes. */

const fields = z.record(z.string(), z.unknown()).nullable()

/** A change proposed by the copilot. */
export const changeShape = z.object({
  ...{ id: z.int(), conversationId: z.int() },
  messageId: z.int().describe('ID of the reply that proposed the change.'),
  kind: z.string().describe('Name of the ability that makes the change.'),
  target: z.object({ type: z.string(), id: z.union([z.number(), z.string()]).nullable(), title: z.string() }),
  ...{ summary: z.string(), before: fields, after: fields },
  status: z.enum(['proposed', 'applying', 'applied', 'discarded']),
  createdAt: z.string(),
  settledAt: z.string().nullable().describe('When the change was applied or discarded.'),
})

const takenStep = z.object({ tool: z.string().describe('Name of the ability.'), summary: z.string() })

/** A reply of the copilot. */
const repliedShape = z.object({
  ...{ requestId: z.string(), conversationId: z.int(), reply: z.string() },
  truncated: z.boolean().describe('Whether the model stopped before the reply was complete.'),
  steps: z.array(takenStep.extend({ input: z.unknown().describe('Input as the model sent it.') })),
  changes: z.array(changeShape),
  usage: z.object({ inputTokens: z.int(), outputTokens: z.int(), totalTokens: z.int() }),
})

/** A request with its progress. */
export const requestShape = z.object({
  requestId: z.string(),
  conversationId: z.int().nullable().describe('`null` until a new conversation has an ID.'),
  ...{ message: z.string(), startedAt: z.string() },
  state: z.enum(['running', 'complete', 'failed', 'cancelled']),
  ...{ step: z.int().describe('Number of the current step, starting at 1.'), maxSteps: z.int() },
  tool: z.string().nullable().describe('Name of the ability in use.'),
})

export const replyResponse = successSchema(
  z.union([repliedShape, z.object({ requestId: z.string(), state: z.literal('running') })]),
)

export const progressResponse = successSchema(
  requestShape.extend({
    partial: z.string().describe('Text of the reply so far.'),
    answer: repliedShape.nullable(),
    error: z.object({ code: z.string(), message: z.string() }).nullable().describe('Reason for the failure.'),
  }),
)

export const appliedResponse = successSchema(
  changeShape.extend({ result: z.record(z.string(), z.unknown()).describe('Result of the ability.') }),
)

export const conversationShape = z.object({ id: z.int(), title: z.string(), updatedAt: z.string() })

export const messagesResponse = successSchema(
  conversationShape.extend({
    messages: z.array(
      z.object({
        ...{ id: z.int(), role: z.enum(['user', 'assistant']), text: z.string(), steps: z.array(takenStep) },
        createdAt: z.string(),
      }),
    ),
  }),
)

export const auditShape = z.object({
  ...{ id: z.int(), userId: z.int(), userName: z.string().nullable() },
  conversationId: z.int().nullable().describe('`null` for a turn that failed before a conversation was created.'),
  ...{ changeId: z.int().nullable(), event: z.enum(AUDIT_EVENTS) },
  ability: z.string().describe('Name of the ability; empty for a turn of the conversation.'),
  ...{ summary: z.string(), outcome: z.string().describe('`ok`, or the code of the error.') },
  createdAt: z.string(),
})
