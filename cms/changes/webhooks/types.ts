import type { z } from 'zod'
import type { deliveryShape, webhookShape } from './shapes.ts'

/** Keys that sign the messages to one endpoint. */
export interface Keys {
  /** Symmetric secret, shared with the receiver: `whsec_` followed by base64. */
  readonly secret: string
  /** Ed25519 private key: PKCS #8 in DER, base64. */
  readonly privateKey: string
}

/** The keys in use, and those before a rotation, which sign too until then. */
export interface KeyRing {
  readonly current: Keys
  readonly previous?: Keys | undefined
  /** End of the rotation, in ms since 1970. */
  readonly until?: number | undefined
}

export interface Message {
  /** Does not change on retries. */
  readonly id: string
  readonly type: string
  readonly data: unknown
}

/** Result of one attempt. */
export interface Attempt {
  /** HTTP status; `null` without a response. */
  readonly status: number | null
  /** Empty if the receiver accepted the message. */
  readonly error: string
  readonly durationMs: number
  /** Milliseconds that the receiver asks to wait. */
  readonly retryAfterMs?: number | undefined
}

/** Why an attempt was made. */
export type AttemptKind = z.output<typeof deliveryShape>['kind']

export type WebhookReport = z.output<typeof webhookShape>
