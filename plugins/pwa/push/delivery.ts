import type { Subscription } from './tables.ts'

/** One message that waits to be sent. */
export type Delivery = { readonly attempts: number } & Pick<
  Subscription,
  'id' | 'endpoint' | 'endpoint_hash' | 'p256dh' | 'auth' | 'encoding'
>

/** How a delivery ended, or when it is tried again. */
export type Result = Pick<Delivery, 'id' | 'endpoint_hash'> & {
  readonly end: 'sent' | 'failed' | 'gone' | { readonly againAt: number }
}
