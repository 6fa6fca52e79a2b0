import { z } from 'zod'

/** An endpoint, as the routes describe it. */
export const webhookShape = z.object({
  id: z.string(),
  url: z.string(),
  enabled: z.boolean(),
  disabledReason: z
    .enum(['', 'owner', 'gone', 'failing'])
    .describe('`owner`: by an administrator. `gone`: the receiver responded with 410. `failing`: all retries failed.'),
  pending: z.int().describe('Number of events that the receiver has not accepted yet.'),
  failures: z.int().describe('Consecutive failed attempts to deliver the next event.'),
  nextAttempt: z.string().nullable().describe('Time of the next retry, in ISO 8601 format.'),
  publicKey: z.string().describe('Ed25519 public key that verifies the `v1a` signature: `whpk_` and base64.'),
  created: z.string(),
})

/** An endpoint with its secret, in the responses that create it. */
export const secretWebhookShape = webhookShape.extend({
  secret: z.string().describe('Secret that verifies the `v1` signature. It is not shown again.'),
})

/** One attempt. */
export const deliveryShape = z.object({
  id: z.int(),
  eventId: z.string(),
  kind: z.enum(['event', 'test', 'manual']),
  time: z.string(),
  status: z.int().nullable().describe('HTTP status; `null` without a response.'),
  error: z.string().describe('Empty if the receiver accepted the message.'),
  durationMs: z.int(),
})
