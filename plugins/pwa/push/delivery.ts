import type { Subscription } from './tables.ts'

/** One message to send. */
export type Delivery = { readonly attempts: number } & Pick<
  Subscription,
  'id' | 'endpoint' | 'endpoint_hash' | 'p256dh' | 'auth' | 'encoding'
>

/** Result of a delivery, or when to retry it. */
export type Result = Pick<Delivery, 'id' | 'endpoint_hash'> & {
  readonly end: 'sent' | 'failed' | 'gone' | { readonly againAt: number }
}
